"""How often an engine may be asked: so many a minute, and not in one breath."""

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
LEAST_TIME: Final = 0.5  # that a search must have left after its wait, to be of use


class Pace:
    """
    At most *per_minute* turns in any minute, *spacing* seconds apart.

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
        self._turns: deque[float] = deque(maxlen=per_minute)
        self._spacing = spacing
        self._clock = clock
        self._lock = Lock()

    def take(self, patience: float) -> float | None:
        """When the next turn is; None where it is further off than *patience*."""
        with self._lock:
            turn = self._next()
            if turn - self._clock() > patience:
                return None
            self._turns.append(turn)
            return turn

    def give_back(self, turn: float) -> None:
        """A turn that nobody used counts for nothing."""
        with self._lock:
            if turn in self._turns:
                self._turns.remove(turn)

    def wait(self) -> float:
        """Seconds until the next turn."""
        with self._lock:
            return self._next() - self._clock()

    def _next(self) -> float:
        turn = self._clock()
        if self._turns:
            turn = max(turn, self._turns[-1] + self._spacing)
        if len(self._turns) == self._turns.maxlen:
            turn = max(turn, self._turns[0] + MINUTE)
        return turn


class Paced:
    """An engine that is asked at a pace: a search waits for its turn, or is refused."""

    def __init__(
        self,
        backend: Backend,
        pace: Pace,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.name = backend.name
        self._backend = backend
        self._pace = pace
        self._clock = clock
        self._sleep = sleep

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Search when it is our turn; nothing is sent where that would be too late."""
        asked = self._clock()
        turn = self._pace.take(max(budget(request) - LEAST_TIME, 0.0))
        if turn is None:
            raise refusal(self.name, self._pace)
        if (wait := turn - asked) > 0:
            await self._turn(turn, wait)
        left = budget(request) - max(wait, 0.0)
        return await self._backend.asearch(within(request, left))

    async def aclose(self) -> None:
        """Close what the engine holds."""
        await self._backend.aclose()

    async def _turn(self, turn: float, wait: float) -> None:
        try:
            await self._sleep(wait)
        except asyncio.CancelledError:
            self._pace.give_back(turn)
            raise


def refusal(name: str, pace: Pace) -> WebBlocked:
    """What a search hears that can't wait for its turn."""
    wait = max(math.ceil(pace.wait()), 1)
    return WebBlocked(
        f"{name} was asked as often as our own limit allows "
        f"({pace.per_minute} a minute); its next turn is in {wait} s",
        detail_code=RATE_LIMITED,
        provider=name,
        retry_after=float(wait),
        facts={
            "wait": f" {wait} s",
            "limit": str(pace.per_minute),
            "variable": pace.variable,
        },
    )
