"""How engines fared: one that refused us, or is down, rests for a while."""

import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Final

from websearch.errors import (
    BadGateway,
    NetworkError,
    SearchError,
    Timeout,
    WebBlocked,
)
from websearch.routing.deadline import again, kind

logger = logging.getLogger(__name__)

BLOCK_SECONDS: Final = 180.0  # SearXNG's own, as is the next
CAPTCHA_SECONDS: Final = 3_600.0
MAX_SECONDS: Final = 3_600.0  # whatever an engine asks for with Retry-After
SHORT_SECONDS: Final = (30.0, 60.0, 120.0, 300.0)  # growing with failures in a row

RATE_LIMITED: Final = "rate_limited"  # by ourselves: says nothing of the engine

_FAULTS: Final = (Timeout, NetworkError, BadGateway)


@dataclass(frozen=True, slots=True)
class Rest:
    """
    Why an engine is not asked, and until when by the clock of its `Health`.

    A block is a rest that the engine asked for, in words or by refusing us.
    """

    cause: SearchError
    until: float
    is_block: bool

    def error(self, name: str, now: float) -> SearchError:
        """What a search hears that would have asked the engine."""
        left = max(math.ceil(self.until - now), 1)
        return again(
            self.cause,
            message=f"{name} rests for another {left} s after {kind(self.cause)}",
            provider=name,
            retry_after=float(left),
            facts={**self.cause.facts, "wait": f" {left} s", "rest": str(left)},
        )


class Health:
    """The memory of a process; engines by name, tasks and threads may share it."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._rests: dict[str, Rest] = {}
        self._failures: dict[str, int] = {}
        self._lock = Lock()

    def resting(self, name: str) -> Rest | None:
        """The rest of an engine, where it is not over."""
        rest = self._rests.get(name)
        return rest if rest and self.clock() < rest.until else None

    def succeeded(self, name: str) -> None:
        """Forget its failures; a block is kept to that came while this was asked."""
        with self._lock:
            rest = self.resting(name)
            if rest is None or not rest.is_block:
                self._rests.pop(name, None)
                self._failures.pop(name, None)

    def failed(self, name: str, error: SearchError) -> None:
        """Let an engine rest where *error* is a reason; the longer rest holds."""
        with self._lock:
            resting = self.resting(name)
            is_block = _refuses(error) or error.retry_after is not None
            seconds = self._seconds(name, error, resting)
            until = self.clock() + seconds
            if seconds <= 0 or (resting and resting.until >= until):
                return
            # Without its traceback, which would keep the whole search in memory.
            self._rests[name] = Rest(again(error), until, is_block)
        logger.warning("%s rests for %d s after %s", name, seconds, kind(error))

    def _seconds(self, name: str, error: SearchError, resting: Rest | None) -> float:
        if error.detail_code == RATE_LIMITED:
            return 0
        if error.retry_after is not None:
            return min(max(error.retry_after, 1.0), MAX_SECONDS)
        if _refuses(error):
            captcha = error.detail_code == "captcha_required"
            return CAPTCHA_SECONDS if captcha else BLOCK_SECONDS
        if isinstance(error, (*_FAULTS, WebBlocked)) and not resting:
            count = self._failures.get(name, 0)
            self._failures[name] = count + 1
            return SHORT_SECONDS[min(count, len(SHORT_SECONDS) - 1)]
        return 0


def _refuses(error: SearchError) -> bool:
    """Whether the engine itself does; a server with engines may soon do better."""
    return isinstance(error, WebBlocked) and not error.engines
