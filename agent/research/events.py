"""Events of a research report, in their order; the page and the command draw them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from agent.events import ModelProblem
from agent.research.budget import Budget
from agent.research.report import Ended, Plan, Report, Section
from websearch import SearchError


@dataclass(frozen=True, slots=True)
class ReportStarted:
    """A report begins, within its budget."""

    question: str = field(repr=False)
    budget: Budget


@dataclass(frozen=True, slots=True)
class PlanProposed:
    """The plan can be changed for *seconds*; then it starts by itself."""

    plan: Plan
    seconds: float


@dataclass(frozen=True, slots=True)
class PlanDecided:
    """The plan that is searched."""

    plan: Plan
    took_ms: int


@dataclass(frozen=True, slots=True)
class QueryStarted:
    """A search for one line of the plan begins; lines count from 0."""

    call: int
    line: int
    query: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class QueryEnded:
    """A search has ended: *found* results, *new* of them not found before."""

    call: int
    line: int
    query: str = field(repr=False)
    took_ms: int
    provider: str = ""
    found: int = 0
    new: int = 0
    error: SearchError | None = None
    problems: Sequence[SearchError] = ()  # of engines that failed beside others
    cached: bool = False


@dataclass(frozen=True, slots=True)
class PageStarted:
    """A page is opened."""

    call: int
    title: str
    url: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class PageEnded:
    """A page was read, or could not be; *is_double*: its text is known already."""

    call: int
    title: str
    url: str = field(repr=False)
    took_ms: int
    characters: int = 0
    digest: str = ""  # SHA-256 of its text
    is_double: bool = False
    error: SearchError | None = None


@dataclass(frozen=True, slots=True)
class GatheringEnded:
    """Searching and reading are over; the report is written next."""

    reason: Ended
    took_ms: int


@dataclass(frozen=True, slots=True)
class SectionQuoted:
    """A section stands, made of quotations; sections count from 0."""

    number: int
    section: Section


@dataclass(frozen=True, slots=True)
class ReportQuoted:
    """The complete report stands, made of quotations."""

    report: Report
    took_ms: int


@dataclass(frozen=True, slots=True)
class RewritingStarted:
    """The model begins to rewrite a section."""

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
    ReportStarted
    | PlanProposed
    | PlanDecided
    | QueryStarted
    | QueryEnded
    | PageStarted
    | PageEnded
    | GatheringEnded
    | SectionQuoted
    | ReportQuoted
    | RewritingStarted
    | SectionRewritten
    | ReportFinished
)
