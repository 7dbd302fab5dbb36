"""Turns of answers: so many at once, the others in a line whose end is in sight."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

# Whoever stands behind so many waits for minutes: better told to come again.
LONGEST_LINE: Final = 100


class LineIsFullError(Exception):
    """So many wait already that another one is sent away."""


@dataclass(frozen=True, slots=True, eq=False)
class _Ticket:
    visitor: str


class Turns:
    """Lets *most* answers run at once, and one visitor take half of them at most."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._running: Counter[str] = Counter()
        self._line: list[_Ticket] = []
        self._moved = asyncio.Event()  # another one for each move

    @asynccontextmanager
    async def turn(
        self, visitor: str, tell: Callable[[int], Awaitable[None]]
    ) -> AsyncIterator[None]:
        """
        Wait for a turn; *tell* learns how many come before, whenever it changes.

        An empty *visitor* is a person at this machine, who may have all turns.
        """
        if len(self._line) >= LONGEST_LINE:
            raise LineIsFullError
        ticket = _Ticket(visitor)
        self._line.append(ticket)
        try:
            place = None
            while ticket not in self._next():
                moved = self._moved
                if place != (place := self._line.index(ticket)):
                    await tell(place)  # the line may move meanwhile
                else:
                    await moved.wait()
            self._running[visitor] += 1
        finally:
            self._line.remove(ticket)
            self._move()
        try:
            yield
        finally:
            self._running[visitor] -= 1
            self._running += Counter()  # forgets visitors without an answer
            self._move()

    def is_busy(self) -> bool:
        """Tell if half of the turns are taken, beside that of whoever asks."""
        return 2 * (self._running.total() - 1) >= self._most

    def _next(self) -> list[_Ticket]:
        """Those of the line whose turn it is."""
        free = self._most - self._running.total()
        taken = self._running.copy()
        chosen: list[_Ticket] = []
        for ticket in self._line:
            if len(chosen) >= free:
                break
            share = max(self._most // 2, 1) if ticket.visitor else self._most
            if taken[ticket.visitor] < share:
                taken[ticket.visitor] += 1
                chosen.append(ticket)
        return chosen

    def _move(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()
