"""One research report from its plan to its end, which several views can follow."""

import asyncio
import logging
import time
import traceback
from collections.abc import AsyncGenerator, Coroutine, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from agent.models.catalog import Model
from agent.research.budget import Budget, Meter
from agent.research.differences import differences
from agent.research.events import (
    GatheringEnded,
    PlanDecided,
    PlanProposed,
    ReportEvent,
    ReportFinished,
    ReportQuoted,
    ReportStarted,
    RewritingStarted,
    SectionQuoted,
    SectionRewritten,
)
from agent.research.gather import Gathering
from agent.research.model_calls import ModelCalls
from agent.research.plan import MOST_LINES, changed, make_plan, plan_by_rule
from agent.research.quoting import Library
from agent.research.report import Ended, Plan, Report, Section
from agent.research.write import rewrite
from citations import Source
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
    A running report.

    It goes on whether anybody follows it or not. `follow` tells all events from the
    first on, to each view; `stop` ends searching and writing, and keeps what is there.
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
        question = checked_question(question)
        self._model = model
        self._search = search
        self._reader = reader
        self._plan_seconds = plan_seconds
        self._meter = Meter(budget)
        self._events: list[ReportEvent] = []
        self._news = asyncio.Event()  # replaced at each event
        self._stopping = asyncio.Event()
        self._decided: asyncio.Future[Sequence[str]] | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._report = Report(question, budget)

    @property
    def report(self) -> Report:
        """The report as it stands now."""
        return replace(self._report, spent=self._meter.spent)

    @property
    def events(self) -> Sequence[ReportEvent]:
        """The events so far."""
        return tuple(self._events)

    @property
    def elapsed_ms(self) -> int:
        """Milliseconds from the start until now, or until the end."""
        ends = (one for one in self._events[-1:] if isinstance(one, ReportFinished))
        return next((one.took_ms for one in ends), self._meter.elapsed_ms)

    @property
    def is_over(self) -> bool:
        """True if nothing more will change."""
        return bool(self._events) and isinstance(self._events[-1], ReportFinished)

    def start(self) -> None:
        """Begin, in a task of its own."""
        self._task = asyncio.create_task(self._run())

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

    def decide(self, lines: Sequence[str]) -> None:
        """Start with these *lines* instead of the proposed plan."""
        if self._decided is not None and not self._decided.done():
            self._decided.set_result([*lines])

    def hold(self) -> None:
        """Wait for `decide`, as long as it takes: the user is changing the plan."""
        if self._deadline is not None:
            self._deadline.cancel()

    def stop(self) -> None:
        """End searching and writing; the report is finished with what is there."""
        self._stopping.set()

    async def aclose(self) -> None:
        """Cancel everything."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if not self.is_over:  # it was closed before its task had begun
            self._finish()

    async def _run(self) -> None:
        self._tell(ReportStarted(self._report.question, self._meter.budget))
        try:
            await self._write(Library())
        except Exception as error:  # noqa: BLE001  what is there is worth more
            _log(error)
            self._set(ended=self._report.ended or Ended.FAILED)
        finally:  # also where it was closed, else its followers would wait for ever
            self._finish()

    def _finish(self) -> None:
        self._meter.end_gathering()
        self._set(ended=self._report.ended or Ended.STOPPED)
        self._report = _slim(self.report)
        self._reader = PageReader(None)  # the other one keeps the pages it read
        self._tell(ReportFinished(self._report, self._meter.elapsed_ms))

    async def _write(self, library: Library) -> None:
        calls = ModelCalls(self._model, self._meter)
        plan = await self._plan(calls)
        self._set(sections=[Section(line.text) for line in plan.lines])
        gathering = await self._gather(plan, library)
        if gathering.reason is not Ended.SAMPLES:
            await self._quote(plan, library)
            if await self._until_stopped(self._rewrite(calls)) is None:
                self._set(ended=Ended.STOPPED)

    async def _gather(self, plan: Plan, library: Library) -> Gathering:
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
        if self._stopping.is_set():
            gathering.end(Ended.STOPPED)
        self._meter.end_gathering()
        self._set(
            failed=gathering.failed, unread=gathering.unread, ended=gathering.reason
        )
        self._tell(GatheringEnded(gathering.reason, _since(started)))
        return gathering

    async def _plan(self, calls: ModelCalls) -> Plan:
        question = self._report.question
        started = time.monotonic()
        plan = await self._until_stopped(make_plan(question, calls))
        plan = plan or plan_by_rule(question)
        if self._plan_seconds and not self._stopping.is_set():
            plan = await self._until_stopped(self._propose(plan)) or plan
        self._tell(PlanDecided(plan, _since(started)))
        return plan

    async def _propose(self, plan: Plan) -> Plan:
        """Wait for the user's lines, or for the end of the time."""
        loop = asyncio.get_running_loop()
        decided = self._decided = loop.create_future()
        usual = [line.text for line in plan.lines]
        self._deadline = loop.call_later(self._plan_seconds, self.decide, usual)
        self._tell(PlanProposed(plan, self._plan_seconds))
        return changed(plan, (await decided)[:MOST_LINES])

    async def _quote(self, plan: Plan, library: Library) -> None:
        """Write the report of quotations, in a thread."""
        started = time.monotonic()
        questions = [line.text for line in plan.lines]
        sections = await asyncio.to_thread(library.sections, questions)
        self._set(sections=sections, sources=library.sources)
        self._report = _slim(self._report)
        for number, section in enumerate(sections):
            self._tell(SectionQuoted(number, section))
        found = await asyncio.to_thread(differences, questions, library)
        self._set(differences=found, sources=library.sources)
        self._report = _slim(self._report)
        self._tell(ReportQuoted(self.report, _since(started)))

    async def _rewrite(self, calls: ModelCalls) -> bool:
        """Rewrite section by section; True at the end."""
        for number, section in enumerate(self._report.sections):
            if not section.statements or not calls.are_possible:
                continue
            self._tell(RewritingStarted(number))
            started = time.monotonic()
            done = await rewrite(
                self._report.question, section, self._report.sources, calls
            )
            sections = [*self._report.sections]
            sections[number] = done.section
            self._set(sections=sections)
            self._tell(
                SectionRewritten(
                    number,
                    done.section,
                    _since(started),
                    done.passed,
                    done.refused,
                    done.problem,
                )
            )
        return True

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

    def _tell(self, event: ReportEvent) -> None:
        self._events.append(event)
        self._news.set()
        self._news = asyncio.Event()


def _log(error: Exception) -> None:
    """Log a defect without its text, which can contain the user's words."""
    trace = "".join(traceback.format_tb(error.__traceback__))
    logger.error("A report failed: %s\n%s", type(error).__name__, trace)


def _slim(report: Report) -> Report:
    """Keep of the pages' texts only the sentences that the report shows."""
    shown: dict[int, list[str]] = {}
    for statement in report.statements:
        for number, quote in statement.evidence.items():
            shown.setdefault(number, []).append(quote)
    sources: dict[int, Source] = {}
    for source in report.cited:
        kept = "\n".join(dict.fromkeys(shown.get(source.number, [])))
        sources[source.number] = replace(source, text=kept if source.is_read else "")
    return replace(report, sources=sources)


def _since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)
