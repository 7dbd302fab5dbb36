"""Cool-downs: engines that refused us or are down are skipped for some time."""

import asyncio
import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from websearch.engines.base import Backend
from websearch.errors import (
    BadGateway,
    NetworkError,
    SearchError,
    Timeout,
    WebBlocked,
)
from websearch.models import SearchRequest, SearchResponse
from websearch.routing.deadline import ask, budget

logger = logging.getLogger(__name__)

BLOCK_SECONDS: Final = 180.0  # SearXNG's own, as is the next
CAPTCHA_SECONDS: Final = 3_600.0
MAX_SECONDS: Final = 3_600.0  # also limits Retry-After
SHORT_SECONDS: Final = (30.0, 60.0, 120.0, 300.0)  # growing with consecutive failures

# A caller may give an engine too little time. A timeout counts as its failure only
# after this many seconds, or a third of the engine's own limit where that is shorter.
ENOUGH_SECONDS: Final = 1.0

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
        current = self.current(name)
        is_block = _refuses(error) or error.retry_after is not None
        seconds = self._seconds(name, error, current)
        until = self._clock() + seconds
        if seconds <= 0 or (current and current.until >= until):
            return
        # Without its traceback, which would keep the whole search in memory.
        self._cooldowns[name] = Cooldown(error.copy(), until, is_block)
        logger.warning(
            "%s cools down for %d s after %s", name, seconds, error.full_code
        )

    def _seconds(
        self, name: str, error: SearchError, current: Cooldown | None
    ) -> float:
        if error.detail_code == RATE_LIMITED:
            return 0
        if error.retry_after is not None:
            return min(max(error.retry_after, 1.0), MAX_SECONDS)
        if _refuses(error):
            needs_person = error.detail_code in _FOR_PERSONS
            return CAPTCHA_SECONDS if needs_person else BLOCK_SECONDS
        if isinstance(error, (*_FAULTS, WebBlocked)) and not current:
            count = self._failures.get(name, 0)
            self._failures[name] = count + 1
            return SHORT_SECONDS[min(count, len(SHORT_SECONDS) - 1)]
        return 0


class WithCooldown:
    """
    An engine that is skipped while it cools down.

    It ends at the request's time limit itself, so that a timeout is counted.
    *limit* is the engine's own time limit in seconds. With *only_blocks* an engine that
    is down is used anyway, because there is no other.
    """

    def __init__(
        self,
        backend: Backend,
        cooldowns: Cooldowns,
        *,
        limit: float | None = None,
        only_blocks: bool = False,
    ) -> None:
        self.name = backend.name
        self._backend = backend
        self._cooldowns = cooldowns
        self._limit = limit
        self._only_blocks = only_blocks

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Search, unless the engine cools down; raises only SearchError."""
        if error := self._cooldowns.error(self.name, only_blocks=self._only_blocks):
            raise error
        seconds = min(budget(request), self._limit or math.inf)
        started = time.monotonic()
        try:
            response = await ask(self._backend, request, seconds)
        except asyncio.CancelledError:
            if time.monotonic() - started >= seconds:  # timed out late, in a busy loop
                self._failed(Timeout("cut off"), seconds)
            raise
        except SearchError as error:
            self._failed(error, seconds)
            raise
        self._cooldowns.succeeded(self.name)
        return response

    async def aclose(self) -> None:
        """Close the connections of the engine."""
        await self._backend.aclose()

    def _failed(self, error: SearchError, seconds: float) -> None:
        """Count *error*, but no Timeout of a search that had only a few *seconds*."""
        enough = min(ENOUGH_SECONDS, (self._limit or math.inf) / 3)
        if seconds >= enough or not isinstance(error, Timeout):
            self._cooldowns.failed(self.name, error)


def _refuses(error: SearchError) -> bool:
    """True if the engine itself refused us, not an engine behind SearXNG."""
    return isinstance(error, WebBlocked) and not error.engines
