"""Rate limits: a number of searches a minute, and a time between two of them."""

import asyncio
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable
from threading import Lock
from typing import Final

from websearch.engines.base import Backend
from websearch.errors import WebBlocked
from websearch.models import SearchRequest, SearchResponse
from websearch.routing.cooldown import RATE_LIMITED
from websearch.routing.deadline import budget, within

MINUTE: Final = 60.0
MIN_SECONDS: Final = 0.5  # seconds that a search needs after its wait, or it is refused


class RateLimit:
    """
    At most *per_minute* searches in any minute, *spacing* seconds apart.

    *variable* is the setting that holds the limit.
    """

    def __init__(
        self,
        per_minute: int,
        *,
        variable: str = "",
        spacing: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if per_minute < 1:
            raise ValueError("per_minute must be 1 at least")
        self.per_minute = per_minute
        self.variable = variable
        self._starts: deque[float] = deque(maxlen=per_minute)
        self._spacing = spacing
        self._clock = clock
        self._lock = Lock()

    def reserve(self, max_wait: float) -> float | None:
        """Reserve the next start; None if it is more than *max_wait* seconds away."""
        with self._lock:
            start = self._next()
            if start - self._clock() > max_wait:
                return None
            self._starts.append(start)
            return start

    def release(self, start: float) -> None:
        """Release a reserved start that was not used."""
        with self._lock:
            if start in self._starts:
                self._starts.remove(start)

    def wait(self) -> float:
        """Seconds until the next start."""
        with self._lock:
            return self._next() - self._clock()

    def _next(self) -> float:
        start = self._clock()
        if self._starts:
            start = max(start, self._starts[-1] + self._spacing)
        if len(self._starts) == self._starts.maxlen:
            start = max(start, self._starts[0] + MINUTE)
        return start


class WithRateLimit:
    """An engine with a rate limit: a search waits for its turn, or is refused."""

    def __init__(
        self,
        backend: Backend,
        limit: RateLimit,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.name = backend.name
        self._backend = backend
        self._limit = limit
        self._clock = clock
        self._sleep = sleep

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Search after the wait; fail at once if that would be too late."""
        now = self._clock()
        start = self._limit.reserve(max(budget(request) - MIN_SECONDS, 0.0))
        if start is None:
            raise rate_limited(self.name, self._limit)
        if (wait := start - now) > 0:
            await self._wait(start, wait)
        left = budget(request) - max(wait, 0.0)
        return await self._backend.asearch(within(request, left))

    async def aclose(self) -> None:
        """Close the connections of the engine."""
        await self._backend.aclose()

    async def _wait(self, start: float, seconds: float) -> None:
        try:
            await self._sleep(seconds)
        except asyncio.CancelledError:
            self._limit.release(start)
            raise


def rate_limited(name: str, limit: RateLimit) -> WebBlocked:
    """The error of a search that can't wait for its turn."""
    wait = max(math.ceil(limit.wait()), 1)
    return WebBlocked(
        f"{name} was asked as often as our own limit allows "
        f"({limit.per_minute} a minute); the next search can start in {wait} s",
        detail_code=RATE_LIMITED,
        provider=name,
        retry_after=float(wait),
        facts={
            "wait": f" {wait} s",
            "limit": str(limit.per_minute),
            "variable": limit.variable,
        },
    )
