"""Cool-downs: engines that refused us or are down are skipped for some time."""

import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from websearch.errors import (
    BadGateway,
    NetworkError,
    SearchError,
    Timeout,
    WebBlocked,
)

logger = logging.getLogger(__name__)

BLOCK_SECONDS: Final = 180.0  # SearXNG's own, as is the next
CAPTCHA_SECONDS: Final = 3_600.0
MAX_SECONDS: Final = 3_600.0  # also limits Retry-After
SHORT_SECONDS: Final = (30.0, 60.0, 120.0, 300.0)  # growing with consecutive failures

RATE_LIMITED: Final = "rate_limited"  # our own limits are no failure of the engine

_FOR_PERSONS: Final = frozenset({"captcha_required", "consent_required"})
_FAULTS: Final = (Timeout, NetworkError, BadGateway)


@dataclass(frozen=True, slots=True)
class Cooldown:
    """
    The cause and the end of a cool-down, by the clock of `Cooldowns`.

    It is a block if the engine refused us, or sent Retry-After.
    """

    cause: SearchError
    until: float
    is_block: bool


class Cooldowns:
    """The cool-downs of a process by engine."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._cooldowns: dict[str, Cooldown] = {}
        self._failures: dict[str, int] = {}

    def current(self, name: str) -> Cooldown | None:
        """Return the cool-down of an engine, unless it is over."""
        cooldown = self._cooldowns.get(name)
        return cooldown if cooldown and self._clock() < cooldown.until else None

    def error(self, name: str, *, only_blocks: bool = False) -> SearchError | None:
        """The error of a search during the cool-down of an engine, if there is one."""
        current = self.current(name)
        if current is None or (only_blocks and not current.is_block):
            return None
        cause, left = current.cause, max(math.ceil(current.until - self._clock()), 1)
        return cause.copy(
            f"{name} cools down for another {left} s after {cause.full_code}",
            provider=name,
            retry_after=float(left),
            facts={**cause.facts, "wait": f" {left} s", "rest": str(left)},
        )

    def succeeded(self, name: str) -> None:
        """Reset an engine's failures, but keep a block that began during the search."""
        current = self.current(name)
        if current is None or not current.is_block:
            self._cooldowns.pop(name, None)
            self._failures.pop(name, None)

    def failed(self, name: str, error: SearchError) -> None:
        """Start a cool-down if *error* is a reason for one; a longer one is kept."""
        current, seconds = self.current(name), 0.0
        # The engine itself refused us, not an engine behind SearXNG.
        is_refusal = isinstance(error, WebBlocked) and not error.engines
        if error.detail_code == RATE_LIMITED:
            pass
        elif error.retry_after is not None:
            seconds = min(max(error.retry_after, 1.0), MAX_SECONDS)
        elif is_refusal:
            needs_person = error.detail_code in _FOR_PERSONS
            seconds = CAPTCHA_SECONDS if needs_person else BLOCK_SECONDS
        elif isinstance(error, (*_FAULTS, WebBlocked)) and not current:
            count = self._failures.get(name, 0)
            self._failures[name] = count + 1
            seconds = SHORT_SECONDS[min(count, len(SHORT_SECONDS) - 1)]
        until = self._clock() + seconds
        if seconds <= 0 or (current and current.until >= until):
            return
        is_block = is_refusal or error.retry_after is not None
        # Without its traceback, which would keep the whole search in memory.
        self._cooldowns[name] = Cooldown(error.copy(), until, is_block)
        logger.warning(
            "%s cools down for %d s after %s", name, seconds, error.full_code
        )
