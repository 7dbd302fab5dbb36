"""A research report: its sections of statements, and the events that make it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import zip_longest
from typing import Final, TypeAlias, TypeVar

from agent.causes import ModelProblem
from agent.events import (
    PageOutcome,
    ReadingFinished,
    ReadingStarted,
    SearchFailed,
    SearchFinished,
    SearchStarted,
)
from agent.research.budget import Budget, Spent
from agent.research.plan import Plan, PlanDraft
from citations import Source
from websearch import SearchError
from websearch.causes import Cause

E = TypeVar("E")

USUAL_POINTS: Final = 3  # sentences that sum up a report
MOST_POINTS: Final = 5


class Ended(StrEnum):
    """The reason why searching and reading ended."""

    COMPLETE = "complete"
    PAGES = "pages"  # the budget of pages was spent
    SEARCHES = "searches"
    SECONDS = "seconds"
    STOPPED = "stopped"  # by the user
    SAMPLES = "samples"  # nothing but offline samples: no report is made of them
    FAILED = "failed"  # by a defect of the program


class NoReport(SearchError):
    """There are offline samples only, which have nothing to do with the question."""

    def __init__(self) -> None:
        super().__init__(
            "There are offline samples only (WEB_SEARCH_BACKEND), and no report is "
            "made of them: run `python -m agent doctor`",
            detail_code=Cause.SAMPLES_ONLY,
        )


@dataclass(frozen=True, slots=True)
class Statement:
    """
    A sentence of the report: a quotation, or a rewriting that passed the check.

    *evidence* has the sentence of the source behind each of *numbers*.
    """

    text: str
    numbers: tuple[int, ...]
    evidence: Mapping[int, str]
    is_quoted: bool = True


@dataclass(frozen=True, slots=True)
class Section:
    """A sub-question with its statements; none where nothing fits."""

    question: str
    statements: tuple[Statement, ...] = ()
    answers: tuple[str, ...] = ()  # quotations that have what is asked for, best first

    @property
    def points(self) -> Sequence[Statement]:
        """The statements that rest on an answer, quoted or rewritten, best first."""
        return [
            statement
            for answer in self.answers
            for statement in self.statements
            if answer in statement.evidence.values()
        ]

    @property
    def is_rewritten(self) -> bool:
        """Tell if a model has written any of its sentences."""
        return not all(statement.is_quoted for statement in self.statements)


@dataclass(frozen=True, slots=True)
class Difference:
    """Two statements of different pages about the same thing, with unequal values."""

    values: tuple[str, str]
    statements: tuple[Statement, Statement]


@dataclass(frozen=True, slots=True)
class Report:
    """A report at one moment; complete and readable at each of them."""

    question: str
    budget: Budget
    spent: Spent = field(default_factory=Spent)
    sections: Sequence[Section] = ()
    differences: Sequence[Difference] = ()
    failed: Sequence[SearchFailed] = ()
    partly: Sequence[SearchFailed] = ()  # engines that failed beside others
    unread: Sequence[PageOutcome] = ()
    sources: Mapping[int, Source] = field(default_factory=dict)
    ended: Ended | None = None  # None while it is searching or reading

    @property
    def answered(self) -> Sequence[Section]:
        """The sections that hold statements."""
        return [section for section in self.sections if section.statements]

    @property
    def unanswered(self) -> Sequence[Section]:
        """The sub-questions for which no fitting passage was found."""
        return [section for section in self.sections if not section.statements]

    @property
    def cited(self) -> Sequence[Source]:
        """The sources that a statement cites, by their numbers."""
        numbers = {n for statement in self.statements for n in statement.numbers}
        return [self.sources[n] for n in sorted(numbers & self.sources.keys())]

    @property
    def key_points(self) -> Sequence[Statement]:
        """
        The best answers to the first sub-questions, and more where these are few.

        They are statements of the sections; none where these say no more.
        """
        answering = [section.points for section in self.sections if section.points]
        turns = zip_longest(*answering)
        points = {one.text: one for turn in turns for one in turn if one}
        most = min(max(len(answering), USUAL_POINTS), MOST_POINTS)
        best = [*points.values()][:most]
        said = sum(len(section.statements) for section in self.sections)
        return best if len(answering) > 1 and 1 < len(best) < said else []

    @property
    def evidence(self) -> Mapping[int, Sequence[str]]:
        """The sentences of each source behind the report's, each once."""
        by_number: dict[int, dict[str, None]] = {}
        for statement in self.statements:
            for number, quote in statement.evidence.items():
                by_number.setdefault(number, {})[quote] = None
        return {number: [*quotes] for number, quotes in by_number.items()}

    @property
    def spending(self) -> Mapping[str, str]:
        """Spent and allowed of each part of the budget, such as 3/12."""
        spent, most = self.spent, self.budget
        return {
            "searches": f"{spent.searches}/{most.searches}",
            "pages": f"{spent.pages}/{most.pages}",
            "seconds": f"{spent.seconds:.0f}/{most.seconds:.0f}",
            "tokens": f"{spent.tokens:,}/{most.tokens:,}",
        }

    def is_read(self, number: int) -> bool:
        """False if only the snippet of a source is known."""
        return number not in self.sources or self.sources[number].is_read

    @property
    def statements(self) -> Sequence[Statement]:
        """All statements, those of the differences too."""
        groups: list[Section | Difference] = [*self.sections, *self.differences]
        return [statement for group in groups for statement in group.statements]


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
