"""Rate limits: a number of searches a minute, and a time between two of them."""

import asyncio
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable
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
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._per_minute = per_minute
        self._variable = variable
        self._starts: deque[float] = deque(maxlen=per_minute)
        self._spacing = spacing
        self._clock = clock
        self._sleep = sleep

    async def turn(self, most: float) -> float | None:
        """Wait for the next start; None at once if it is more than *most* seconds."""
        start = self.reserve(most)
        if start is None:
            return None
        wait = max(start - self._clock(), 0.0)
        try:
            if wait:
                await self._sleep(wait)
        except asyncio.CancelledError:
            if start in self._starts:
                self._starts.remove(start)
            raise
        return wait

    def reserve(self, most: float) -> float | None:
        """Reserve the next start; None if it is more than *most* seconds away."""
        start = self._next()
        if start - self._clock() > most:
            return None
        self._starts.append(start)
        return start

    def wait(self) -> float:
        """Seconds until the next start."""
        return self._next() - self._clock()

    def error(self, name: str) -> WebBlocked:
        """The error of a search through *name* that can't wait for its turn."""
        wait = max(math.ceil(self.wait()), 1)
        return WebBlocked(
            f"{name} was asked as often as our own limit allows "
            f"({self._per_minute} a minute); the next search can start in {wait} s",
            detail_code=RATE_LIMITED,
            provider=name,
            retry_after=float(wait),
            facts={
                "wait": f" {wait} s",
                "limit": str(self._per_minute),
                "variable": self._variable,
            },
        )

    def _next(self) -> float:
        start = self._clock()
        if self._starts:
            start = max(start, self._starts[-1] + self._spacing)
        if len(self._starts) == self._starts.maxlen:
            start = max(start, self._starts[0] + MINUTE)
        return start


class WithRateLimit:
    """An engine with a rate limit: a search waits for its turn, or is refused."""

    def __init__(self, backend: Backend, limit: RateLimit) -> None:
        self.name = backend.name
        self._backend = backend
        self._limit = limit

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Search after the wait; fail at once if that would be too late."""
        seconds = budget(request)
        waited = await self._limit.turn(max(seconds - MIN_SECONDS, 0.0))
        if waited is None:
            raise self._limit.error(self.name)
        return await self._backend.asearch(within(request, seconds - waited))

    async def aclose(self) -> None:
        """Close the connections of the engine."""
        await self._backend.aclose()
