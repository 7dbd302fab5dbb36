"""Send an answer in pieces to a page that may be slow, disconnected or closed."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

MIN_INTERVAL: Final = 0.05
CHARACTERS_PER_SECOND: Final = 60_000


class Coalescer:
    """
    Buffer of pieces, because the browser renders the whole answer for each one.

    The first is sent at once, later ones together after an interval.
    """

    def __init__(self, send: Callable[[str], Awaitable[object]]) -> None:
        self._send = send
        self._waiting: list[str] = []
        self._sent = 0
        self._last = 0.0
        self._timer: asyncio.Task[None] | None = None
        self._order = asyncio.Lock()

    async def add(self, piece: str) -> None:
        """Send *piece*, now or within an interval."""
        if not piece:
            return
        self._waiting.append(piece)
        interval = max(MIN_INTERVAL, self._sent / CHARACTERS_PER_SECOND)
        left = self._last + interval - _now()
        if left <= 0:
            await self.flush()
        elif self._timer is None:
            self._timer = asyncio.create_task(self._deliver(left))

    async def flush(self) -> None:
        """Send all waiting pieces now."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        await self._deliver()

    @property
    def has_sent(self) -> bool:
        """Tell if anything was sent."""
        return self._sent > 0

    async def _deliver(self, after: float = 0) -> None:
        if after:
            await asyncio.sleep(after)
            self._timer = None
        async with self._order:
            piece = "".join(self._waiting)
            self._waiting.clear()
            self._sent += len(piece)
            self._last = _now()
            if piece:
                await self._send(piece)
                # Lets the event loop write to the socket even if the model is fast.
                await asyncio.sleep(0)


def _now() -> float:
    return asyncio.get_running_loop().time()
