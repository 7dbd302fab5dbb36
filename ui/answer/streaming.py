"""Fewer, larger pieces for the browser, which rebuilds the answer at each."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

MIN_INTERVAL: Final = 0.05
CHARACTERS_PER_SECOND: Final = 60_000


class Coalescer:
    """Sends the first piece at once, later ones together; none waits for a next one."""

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
        left = self._last + self._interval - asyncio.get_running_loop().time()
        if left <= 0:
            await self.flush()
        elif self._timer is None:
            self._timer = asyncio.create_task(self._flush_after(left))

    async def flush(self) -> None:
        """Send what waits."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        await self._deliver()

    @property
    def has_sent(self) -> bool:
        """Whether the browser has anything yet."""
        return self._sent > 0

    @property
    def _interval(self) -> float:
        return max(MIN_INTERVAL, self._sent / CHARACTERS_PER_SECOND)

    async def _flush_after(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        self._timer = None
        await self._deliver()

    async def _deliver(self) -> None:
        async with self._order:
            piece = "".join(self._waiting)
            self._waiting.clear()
            self._sent += len(piece)
            self._last = asyncio.get_running_loop().time()
            if piece:
                await self._send(piece)
                # A turn for the socket, which a fast model would keep until its end.
                await asyncio.sleep(0)
