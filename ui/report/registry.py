"""The newest report of each browser; a reload or a second tab finds it here."""

import asyncio
import time
from typing import Final

from agent.research import ReportRun

KEPT_SECONDS: Final = 30 * 60
MOST_KEPT: Final = 100  # finished reports
MOST_RUNNING: Final = 4  # each searches and reads as much as ten answers


class Reports:
    """The reports of all browsers, each by an id that only this browser knows."""

    def __init__(self) -> None:
        self._newest: dict[str, ReportRun] = {}
        self._replaced: set[ReportRun] = set()  # until they have ended

    def add(self, owner: str, run: ReportRun) -> None:
        """Keep *run* as the newest report of *owner*; the one before is stopped."""
        self.forget(owner)
        self.sweep()
        self._newest[owner] = run

    def of(self, owner: str) -> ReportRun | None:
        """The report of *owner* that is running, or has ended a short time ago."""
        self.sweep()
        return self._newest.get(owner)

    def finished(self, owner: str | None) -> str:
        """The question of the report of *owner* that ended a short time ago, or ''."""
        run = self.of(owner) if owner else None
        return run.report.question if run is not None and run.is_over else ""

    def is_full(self, owner: str) -> bool:
        """Tell if so many reports of others are being written that none may begin."""
        others = [run for other, run in self._newest.items() if other != owner]
        running = [run for run in (*others, *self._replaced) if not run.is_over]
        return len(running) >= MOST_RUNNING

    def forget(self, owner: str) -> None:
        """Stop the report of *owner*; new pages don't show it any more."""
        run = self._newest.pop(owner, None)
        if run is not None:
            run.stop()
            self._replaced.add(run)

    def sweep(self) -> None:
        """Let go of reports that ended long ago, and of the oldest if they are many."""
        self._replaced = {one for one in self._replaced if not one.is_over}
        ended = {
            owner: one.finished_at
            for owner, one in self._newest.items()
            if one.finished_at is not None
        }
        newest = sorted(ended, key=lambda owner: ended[owner])[-MOST_KEPT:]
        long_ago = time.monotonic() - KEPT_SECONDS
        for owner, at in ended.items():
            if owner not in newest or at < long_ago:
                del self._newest[owner]

    async def aclose(self) -> None:
        """Cancel all of them."""
        runs = {*self._newest.values(), *self._replaced}
        self._newest.clear()
        self._replaced.clear()
        await asyncio.gather(*(one.aclose() for one in runs))
