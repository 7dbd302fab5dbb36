"""Rate limits: a number of searches a minute, and a time between two of them."""

import asyncio
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

from websearch.errors import WebBlocked
from websearch.models import VISITOR
from websearch.routing.cooldown import RATE_LIMITED

MINUTE: Final = 60.0


class RateLimit:
    """
    At most *per_minute* searches in any minute, *spacing* seconds apart.

    One visitor gets half of them, so that others need not wait for a minute.
    """

    def __init__(
        self,
        per_minute: int,
        *,
        spacing: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._per_minute = per_minute
        self._starts: deque[tuple[float, str]] = deque(maxlen=per_minute)
        self._spacing = spacing
        self._clock = clock
        self._sleep = sleep

    async def turn(self, most: float) -> float | None:
        """Wait for the next start; None at once if it is more than *most* seconds."""
        waited = 0.0
        while (own := self._own()) > self._next():
            wait = max(own - self._clock(), 0.0)
            if waited + wait > most:
                return None
            await self._sleep(wait)  # takes no turn of others meanwhile
            waited += wait
        start = self._next()
        wait = max(start - self._clock(), 0.0)
        if waited + wait > most:
            return None
        turn = (start, VISITOR.get())
        self._starts.append(turn)
        try:
            if wait:
                await self._sleep(wait)
        except asyncio.CancelledError:
            if turn in self._starts:
                self._starts.remove(turn)
            raise
        return waited + wait

    def wait(self) -> float:
        """Seconds until the next start."""
        return max(self._next(), self._own()) - self._clock()

    def error(self, name: str) -> WebBlocked:
        """The error of a search through *name* that can't wait for its turn."""
        wait = max(math.ceil(self.wait()), 1)
        is_own = self._own() > self._next()
        limit = max(self._per_minute // 2, 1) if is_own else self._per_minute
        return WebBlocked(
            f"{name} was asked as often as our own limit allows "
            f"({limit} a minute); the next search can start in {wait} s",
            detail_code=RATE_LIMITED,
            provider=name,
            retry_after=float(wait),
            facts={"wait": f" {wait} s", "limit": str(limit)},
        )

    def _next(self) -> float:
        start = self._clock()
        if self._starts:
            start = max(start, self._starts[-1][0] + self._spacing)
        if len(self._starts) == self._starts.maxlen:
            start = max(start, self._starts[0][0] + MINUTE)
        return start

    def _own(self) -> float:
        """The next start of one of several visitors, who gets half of them."""
        share = max(self._per_minute // 2, 1)
        visitor = VISITOR.get()
        own = [at for at, whose in self._starts if visitor and whose == visitor]
        return own[-share] + MINUTE if len(own) >= share else -math.inf
