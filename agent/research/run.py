"""One research report from its plan to its end, which several views can follow."""

import asyncio
import logging
import time
import traceback
from collections.abc import AsyncGenerator, Coroutine, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar
from uuid import uuid4

from agent.events import ms_since
from agent.models.catalog import Model
from agent.research.budget import Budget, Meter, ModelCalls
from agent.research.differences import differences
from agent.research.gather import Gathering
from agent.research.plan import Plan, PlanDraft, changed, make_plan, plan_by_rule
from agent.research.quoting import Library
from agent.research.report import (
    Ended,
    GatheringEnded,
    PlanDecided,
    PlanProposed,
    Progress,
    Report,
    ReportEvent,
    ReportFinished,
    ReportQuoted,
    RewritingStarted,
    Section,
    SectionsQuoted,
)
from agent.research.write import rewrite
from untrusted.text import clean_query
from websearch import InvalidInput, PageReader, SearchService

logger = logging.getLogger(__name__)

T = TypeVar("T")

MOST_QUESTION: Final = 20_000  # characters


def checked_question(question: object) -> str:
    """The question of a report; InvalidInput where it is none."""
    words = clean_query(question) if isinstance(question, str) else ""
    if not words:
        raise InvalidInput("question is empty: say what the report is about")
    if len(words) > MOST_QUESTION:
        raise InvalidInput(f"question is longer than {MOST_QUESTION} characters")
    return words


class ReportRun:
    """
    A report that runs since it was made, whether anybody follows it or not.

    `follow` tells all events from the first on, to each view; `stop` ends searching and
    writing, and keeps what is there.
    """

    def __init__(
        self,
        question: str,
        *,
        model: Model,
        search: SearchService,
        reader: PageReader,
        budget: Budget,
        plan_seconds: float = 0,
    ) -> None:
        self.id = uuid4()
        self.draft: PlanDraft | None = None  # once the plan is proposed
        self.finished_at: float | None = None  # by the monotonic clock
        self._report = Report(checked_question(question), budget)
        self._search = search
        self._reader = reader
        self._plan_seconds = plan_seconds
        self._meter = Meter(budget)
        self._calls = ModelCalls(model, self._meter)
        self._events: list[ReportEvent] = []
        self._news = asyncio.Event()  # replaced at each event
        self._stopping = asyncio.Event()
        self._started = time.monotonic()
        self._task = asyncio.create_task(self._run())

    @property
    def report(self) -> Report:
        """The report as it stands now."""
        return replace(self._report, spent=self._meter.spent)

    @property
    def events(self) -> Sequence[ReportEvent]:
        """The events so far."""
        return tuple(self._events)

    @property
    def progress(self) -> Progress:
        """The state of its steps."""
        return Progress(self._events)

    @property
    def is_over(self) -> bool:
        """True if nothing more will change."""
        return self.finished_at is not None

    @property
    def is_stopped(self) -> bool:
        """True if the user has stopped it."""
        return self._stopping.is_set()

    async def follow(self) -> AsyncGenerator[ReportEvent, None]:
        """Yield all events from the first on, until the report is finished."""
        place = 0
        while True:
            news = self._news
            while place < len(self._events):
                event = self._events[place]
                place += 1
                yield event
                if isinstance(event, ReportFinished):
                    return
            await news.wait()

    async def wait(self) -> Report:
        """Wait for the end."""
        await asyncio.wait([self._task])
        return self.report

    def stop(self) -> None:
        """End searching and writing; the report is finished with what is there."""
        if not self.is_over:
            self._stopping.set()

    async def aclose(self) -> None:
        """Cancel everything."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        if not self.is_over:  # it was closed before its task had begun
            self._finish()

    async def _run(self) -> None:
        """Plan, gather, quote, rewrite; what is there when one fails is kept."""
        library = Library()
        try:
            plan = await self._plan()
            self._set(sections=[Section(line.text) for line in plan.lines])
            await self._gather(plan, library)
            if self._report.ended is not Ended.SAMPLES:
                started = time.monotonic()
                questions = [section.question for section in self._report.sections]
                sections = await asyncio.to_thread(library.sections, questions)
                self._set(sections=sections, sources=library.sources)
                self._tell(SectionsQuoted(sections))
                unequal = await asyncio.to_thread(differences, questions, library)
                self._set(differences=unequal, sources=library.sources)
                self._keep_shown()
                self._tell(ReportQuoted(self.report, ms_since(started)))
                for number, section in enumerate(self._report.sections):
                    if self.is_stopped:
                        break
                    if not section.statements or not self._calls.are_possible:
                        continue
                    self._tell(RewritingStarted(number))
                    rewriting = rewrite(self._report, number, self._calls)
                    if done := await self._until_stopped(rewriting):
                        sections = [*self._report.sections]
                        sections[number] = done.section
                        self._set(sections=sections)
                        self._tell(done)
                if self.is_stopped:
                    self._set(ended=Ended.STOPPED)
        except Exception as error:  # noqa: BLE001  what is there is worth more
            _log(error)
            self._set(ended=self._report.ended or Ended.FAILED)
        finally:  # also where it was closed, else its followers would wait for ever
            self._finish()

    async def _plan(self) -> Plan:
        """Make the plan, and let the user change it while there is time."""
        question, started = self._report.question, time.monotonic()
        plan = await self._until_stopped(make_plan(question, self._calls))
        plan = plan or plan_by_rule(question)
        if self._plan_seconds and not self.is_stopped:
            lines = [line.text for line in plan.lines]
            self.draft = PlanDraft(lines, self._plan_seconds)
            self._tell(PlanProposed(self.draft))
            decided = await self._until_stopped(self.draft.decided())
            if not decided:
                self.stop()
            plan = changed(plan, decided or lines)
        self._tell(PlanDecided(plan, ms_since(started)))
        return plan

    async def _gather(self, plan: Plan, library: Library) -> None:
        """Search and read for the library, as long as the budget lasts."""
        gathering = Gathering(
            plan,
            library,
            search=self._search,
            reader=self._reader,
            meter=self._meter,
            tell=self._tell,
        )
        started = time.monotonic()
        self._meter.begin_gathering()
        try:
            async with asyncio.timeout(self._meter.budget.seconds):
                await self._until_stopped(gathering.run())
        except TimeoutError:
            gathering.end(Ended.SECONDS)
        except Exception as error:  # noqa: BLE001  what was read is quoted
            _log(error)
            gathering.end(Ended.FAILED)
        if self.is_stopped:
            gathering.end(Ended.STOPPED)
        self._meter.end_gathering()
        reason = gathering.reason
        self._set(
            failed=gathering.failed,
            partly=gathering.partly,
            unread=gathering.unread,
            ended=reason,
        )
        self._tell(GatheringEnded(reason, ms_since(started), ms_since(self._started)))

    def _finish(self) -> None:
        self._meter.end_gathering()
        self._set(ended=self._report.ended or Ended.STOPPED)
        self._report = self.report
        self._keep_shown()
        self._reader = PageReader(None)  # the other one keeps the pages it read
        self.finished_at = time.monotonic()
        self._tell(ReportFinished(ms_since(self._started)))

    async def _until_stopped(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Return the result of *work*; None if it was stopped before."""
        if self._stopping.is_set():
            work.close()
            return None
        task = asyncio.create_task(work)
        stop = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait({task, stop}, return_when=asyncio.FIRST_COMPLETED)
            return task.result() if task.done() else None
        finally:
            stop.cancel()
            task.cancel()
            await asyncio.gather(task, stop, return_exceptions=True)

    def _set(self, **changes: Any) -> None:
        self._report = replace(self._report, **changes)

    def _keep_shown(self) -> None:
        """Keep of the pages' texts only the sentences that the report shows."""
        report, shown = self._report, self._report.evidence
        sources = {
            source.number: replace(
                source,
                text="\n".join(shown.get(source.number, ())) if source.is_read else "",
                markdown="",
            )
            for source in report.cited
        }
        self._set(sources=sources)

    def _tell(self, event: ReportEvent) -> None:
        self._events.append(event)
        self._news.set()
        self._news = asyncio.Event()


def _log(error: Exception) -> None:
    """Log a defect without its text, which can contain the user's words."""
    trace = "".join(traceback.format_tb(error.__traceback__))
    logger.error("A report failed: %s\n%s", type(error).__name__, trace)
