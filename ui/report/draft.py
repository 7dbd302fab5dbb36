"""The proposed plan of a report while the user changes it."""

import asyncio
from collections.abc import Sequence
from typing import Final

from agent.research import MOST_LINES, ReportRun
from untrusted.text import one_line

HOLD_SECONDS: Final = 300  # without a change, then the plan starts as it is
MOST_SHOWN: Final = 3 * MOST_LINES  # struck lines stay in the list
LONGEST_LINE: Final = 200


class PlanDraft:
    """Lines that the user strikes and adds; all tabs of a browser share them."""

    def __init__(self, lines: Sequence[str], run: ReportRun) -> None:
        self.lines = [*lines]
        self.struck: set[int] = set()
        self.is_held = False
        self._run = run
        self._limit: asyncio.TimerHandle | None = None

    @property
    def kept(self) -> Sequence[str]:
        """The lines that will be searched."""
        numbered = enumerate(self.lines)
        return [line for number, line in numbered if number not in self.struck]

    def hold(self) -> None:
        """Stop the countdown, for a time that is enough to change the plan."""
        self.is_held = True
        self._run.hold()
        self.close()
        loop = asyncio.get_running_loop()
        self._limit = loop.call_later(HOLD_SECONDS, self._end_hold)

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
        room = MOST_LINES - len(self.kept)
        space = MOST_SHOWN - len(self.lines)
        self.lines += new[: max(min(room, space), 0)]
        self.hold()
        return len(new) <= min(room, space)

    def start(self) -> bool:
        """Search the lines that are kept; False where there are none."""
        if not self.kept:
            return False
        self.close()
        self._run.decide(self.kept)
        return True

    def _end_hold(self) -> None:
        """Start with the lines that are kept; a plan without any ends the report."""
        if not self.start():
            self._run.stop()

    def close(self) -> None:
        """Forget the time limit."""
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
