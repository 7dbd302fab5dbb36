"""Events of a research report, in their order; the page and the command draw them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from agent.events import ModelProblem
from agent.research.draft import PlanDraft
from agent.research.report import Ended, Plan, Report, Section
from websearch import SearchError


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

    report: Report
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
