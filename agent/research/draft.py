"""The proposed plan of a report while its user changes it."""

import asyncio
from collections.abc import Sequence
from typing import Final

from agent.research.plan import LONGEST_LINE, MOST_LINES
from untrusted.text import one_line

HOLD_SECONDS: Final = 300  # without a change, then the plan starts as it is
MOST_SHOWN: Final = 3 * MOST_LINES  # struck lines stay in the list


class PlanDraft:
    """Lines that can be struck and added; after some seconds they start as they are."""

    def __init__(self, lines: Sequence[str], seconds: float) -> None:
        self.lines = [*lines]
        self.struck: set[int] = set()
        self.is_held = False
        loop = asyncio.get_running_loop()
        self._decided: asyncio.Future[Sequence[str]] = loop.create_future()
        self._limit = loop.call_later(seconds, self._decide)

    @property
    def kept(self) -> Sequence[str]:
        """The lines that will be searched."""
        numbered = enumerate(self.lines)
        return [line for number, line in numbered if number not in self.struck]

    @property
    def is_open(self) -> bool:
        """True while the plan can be changed."""
        return not self._decided.done()

    @property
    def seconds_left(self) -> float:
        """Seconds until the plan starts by itself."""
        return max(self._limit.when() - asyncio.get_running_loop().time(), 0)

    def hold(self) -> None:
        """Stop the countdown, for a time that is enough to change the plan."""
        self.is_held = True
        self._limit.cancel()
        loop = asyncio.get_running_loop()
        self._limit = loop.call_later(HOLD_SECONDS, self._decide)

    def toggle(self, number: int) -> bool:
        """Strike a line, or take it back; False where there would be too many."""
        if not 0 <= number < len(self.lines):
            return True
        if number in self.struck and len(self.kept) >= MOST_LINES:
            return False
        self.struck ^= {number}
        self.hold()
        return True

    def add(self, words: str) -> bool:
        """Add each line of *words*; False where there would be too many."""
        lines = (one_line(line, LONGEST_LINE) for line in words.splitlines())
        new = [line for line in lines if line]
        room = min(MOST_LINES - len(self.kept), MOST_SHOWN - len(self.lines))
        self.lines += new[: max(room, 0)]
        self.hold()
        return len(new) <= room

    def start(self) -> None:
        """Search the lines that are kept, if there are any."""
        if self.kept:
            self._decide()

    async def decided(self) -> Sequence[str]:
        """Wait for the lines that are searched; none if nobody kept one in time."""
        try:
            return await self._decided
        finally:
            self._limit.cancel()

    def _decide(self) -> None:
        if self.is_open:
            self._decided.set_result(self.kept)
