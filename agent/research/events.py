"""Events of a research report, in their order, and the progress that they make."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from agent.causes import ModelProblem
from agent.events import (
    PageOutcome,
    ReadingFinished,
    ReadingStarted,
    SearchFailed,
    SearchFinished,
    SearchStarted,
)
from agent.research.draft import PlanDraft
from agent.research.report import Ended, Plan, Report, Section

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class PlanProposed:
    """The plan can be changed, until it starts."""

    draft: PlanDraft


@dataclass(frozen=True, slots=True)
class PlanDecided:
    """The plan that is searched."""

    plan: Plan
    took_ms: int


@dataclass(frozen=True, slots=True)
class GatheringEnded:
    """Searching and reading are over; the report is written next."""

    reason: Ended
    took_ms: int
    elapsed_ms: int  # since the start of the report


@dataclass(frozen=True, slots=True)
class SectionsQuoted:
    """All sections stand, made of quotations; differences are looked for next."""

    sections: Sequence[Section]


@dataclass(frozen=True, slots=True)
class ReportQuoted:
    """The complete report stands, made of quotations."""

    report: Report
    took_ms: int


@dataclass(frozen=True, slots=True)
class RewritingStarted:
    """The model begins to rewrite a section; sections count from 0."""

    number: int


@dataclass(frozen=True, slots=True)
class SectionRewritten:
    """
    The model's turn at a section has ended.

    *passed* sentences are the model's; *refused* ones gave way to their quotations.
    """

    number: int
    section: Section
    took_ms: int
    passed: int = 0
    refused: int = 0
    problem: ModelProblem | None = None


@dataclass(frozen=True, slots=True)
class ReportFinished:
    """The report is complete; nothing more will change."""

    took_ms: int


SearchEnd: TypeAlias = SearchFinished | SearchFailed
ReportEvent: TypeAlias = (
    PlanProposed
    | PlanDecided
    | SearchStarted
    | SearchFinished
    | SearchFailed
    | ReadingStarted
    | ReadingFinished
    | GatheringEnded
    | SectionsQuoted
    | ReportQuoted
    | RewritingStarted
    | SectionRewritten
    | ReportFinished
)


class Progress:
    """The state that the steps show; a search or page that still runs has no end."""

    def __init__(self, events: Sequence[ReportEvent]) -> None:
        self.searches: dict[str, tuple[SearchStarted, SearchEnd | None]] = {}
        self.pages: dict[str, tuple[ReadingStarted, PageOutcome | None]] = {}
        for event in events:
            match event:
                case SearchStarted(call=call):
                    self.searches[call] = (event, None)
                case SearchFinished(call=call) | SearchFailed(call=call):
                    self.searches[call] = (self.searches[call][0], event)
                case ReadingStarted(call=call):
                    self.pages[call] = (event, None)
                case ReadingFinished((outcome,), call=call):
                    self.pages[call] = (self.pages[call][0], outcome)
        self.plan = _newest(events, PlanDecided)
        self.gathered = _newest(events, GatheringEnded)
        self.rewriting = _newest(events, RewritingStarted)
        self.rewritten = {one.number: one for one in _all(events, SectionRewritten)}
        self.finished = _newest(events, ReportFinished)
        # The number of times that the text has changed.
        kinds = (SectionsQuoted, ReportQuoted, SectionRewritten, ReportFinished)
        self.edition = sum(isinstance(event, kinds) for event in events)

    @property
    def ended(self) -> Ended | None:
        """The reason why searching and reading ended; None before."""
        return self.gathered.reason if self.gathered else None

    @property
    def writing_ms(self) -> int:
        """Milliseconds from the end of searching and reading to that of the report."""
        if self.gathered is None or self.finished is None:
            return 0
        return self.finished.took_ms - self.gathered.elapsed_ms


def span_ms(
    steps: Iterable[
        tuple[SearchStarted | ReadingStarted, SearchEnd | PageOutcome | None]
    ],
) -> int:
    """Milliseconds from the start of the first step to the end of the last."""
    ended = [(start.at, end.took_ms) for start, end in steps if end is not None]
    first = min((at for at, _ in ended), default=0.0)
    last = max((at + took_ms / 1000 for at, took_ms in ended), default=0.0)
    return round(1000 * (last - first))


def _all(events: Sequence[ReportEvent], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def _newest(events: Sequence[ReportEvent], kind: type[E]) -> E | None:
    return next(iter(_all(events[::-1], kind)), None)
