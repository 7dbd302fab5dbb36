"""The newest report of each browser; a reload or a second tab finds it here."""

import asyncio
import time
from contextlib import aclosing
from typing import Final
from uuid import uuid4

from agent.research import PlanProposed, ReportRun
from ui.report.draft import PlanDraft
from ui.report.progress import Progress

KEPT_SECONDS: Final = 30 * 60
MOST_KEPT: Final = 100  # finished reports


class BrowserReport:
    """A run with its progress and its plan; it needs no page to go on."""

    def __init__(self, run: ReportRun) -> None:
        self.key = uuid4()
        self.run = run
        self.progress = Progress()
        self.draft: PlanDraft | None = None
        self.finished_at: float | None = None
        self.is_stopped = False
        self._following = asyncio.create_task(self._follow())

    def stop(self) -> None:
        """End searching and writing; the report is finished with what is there."""
        self.is_stopped = self.is_stopped or not self.run.is_over
        self.run.stop()

    async def aclose(self) -> None:
        """Cancel everything."""
        if self.draft is not None:
            self.draft.close()
        self._following.cancel()
        await asyncio.gather(self._following, return_exceptions=True)
        await self.run.aclose()

    async def _follow(self) -> None:
        async with aclosing(self.run.follow()) as events:
            async for event in events:
                if isinstance(event, PlanProposed):
                    lines = [line.text for line in event.plan.lines]
                    self.draft = PlanDraft(lines, self.run)
                self.progress.add(event, time.monotonic())
        if self.draft is not None:
            self.draft.close()
        self.finished_at = time.monotonic()


class Reports:
    """The reports of all browsers, each by an id that only this browser knows."""

    def __init__(self) -> None:
        self._newest: dict[str, BrowserReport] = {}
        self._replaced: set[BrowserReport] = set()  # until they have ended

    def add(self, owner: str, run: ReportRun) -> BrowserReport:
        """Keep *run* as the newest report of *owner*; the one before is stopped."""
        self.forget(owner)
        self.sweep()
        report = self._newest[owner] = BrowserReport(run)
        return report

    def of(self, owner: str) -> BrowserReport | None:
        """The report of *owner* that is running, or has ended a short time ago."""
        self.sweep()
        return self._newest.get(owner)

    def forget(self, owner: str) -> None:
        """Stop the report of *owner*; new pages don't show it any more."""
        report = self._newest.pop(owner, None)
        if report is not None:
            report.stop()
            self._replaced.add(report)

    def sweep(self) -> None:
        """Let go of reports that ended long ago, and of the oldest if they are many."""
        self._replaced = {one for one in self._replaced if one.finished_at is None}
        ended = {
            owner: one.finished_at
            for owner, one in self._newest.items()
            if one.finished_at is not None
        }
        oldest = sorted(ended, key=lambda owner: ended[owner])
        surplus = {*oldest[: max(len(oldest) - MOST_KEPT, 0)]}
        long_ago = time.monotonic() - KEPT_SECONDS
        for owner in oldest:
            if owner in surplus or ended[owner] < long_ago:
                del self._newest[owner]

    async def aclose(self) -> None:
        """Cancel all of them."""
        reports = {*self._newest.values(), *self._replaced}
        self._newest.clear()
        self._replaced.clear()
        await asyncio.gather(*(one.aclose() for one in reports))
