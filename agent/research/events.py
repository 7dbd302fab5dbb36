"""Events of a research report, in their order, and the progress that they make."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from agent.causes import ModelProblem
from agent.research.draft import PlanDraft
from agent.research.report import Ended, Plan, Report, Section
from websearch import SearchError

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
class SearchStep:
    """
    A search begins, or has ended: *found* results, *new* of them not found before.

    Lines of the plan count from 0.
    """

    call: int
    line: int
    query: str = field(repr=False)
    started: float  # by the monotonic clock
    took_ms: int | None = None  # None: it has begun
    provider: str = ""
    found: int = 0
    new: int = 0
    error: SearchError | None = None
    problems: Sequence[SearchError] = ()  # of engines that failed beside others
    cached: bool = False


@dataclass(frozen=True, slots=True)
class PageStep:
    """A page is opened, was read, or could not be; *is_double*: its text is known."""

    call: int
    title: str
    url: str = field(repr=False)
    started: float
    took_ms: int | None = None
    characters: int = 0
    digest: str = ""  # SHA-256 of its text
    is_double: bool = False
    error: SearchError | None = None


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


ReportEvent: TypeAlias = (
    PlanProposed
    | PlanDecided
    | SearchStep
    | PageStep
    | GatheringEnded
    | SectionsQuoted
    | ReportQuoted
    | RewritingStarted
    | SectionRewritten
    | ReportFinished
)


class Progress:
    """The state that the steps on the page show."""

    def __init__(self, events: Sequence[ReportEvent]) -> None:
        self.plan = _newest(events, PlanDecided)
        self.searches = {one.call: one for one in _all(events, SearchStep)}
        self.pages = {one.call: one for one in _all(events, PageStep)}
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


def span_ms(steps: Iterable[SearchStep | PageStep]) -> int:
    """Milliseconds from the start of the first step to the end of the last."""
    ended = [(one.started, one.took_ms) for one in steps if one.took_ms is not None]
    first = min((started for started, _ in ended), default=0.0)
    return max((round((at - first) * 1000) + took for at, took in ended), default=0)


def _all(events: Sequence[ReportEvent], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def _newest(events: Sequence[ReportEvent], kind: type[E]) -> E | None:
    return next(iter(_all(events[::-1], kind)), None)
