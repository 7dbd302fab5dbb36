"""A research report: sections of statements, each with its sources and evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from agent.causes import ModelProblem
from agent.events import PageOutcome, SearchFailed
from agent.research.budget import Budget, Spent
from citations import Source


class Origin(StrEnum):
    """The author of a plan."""

    MODEL = "model"
    PARTS = "parts"  # the parts of the question
    WORDINGS = "wordings"  # the question in several wordings
    USER = "user"


class Ended(StrEnum):
    """The reason why searching and reading ended."""

    COMPLETE = "complete"
    PAGES = "pages"  # the budget of pages was spent
    SEARCHES = "searches"
    SECONDS = "seconds"
    STOPPED = "stopped"  # by the user
    SAMPLES = "samples"  # nothing but offline samples: no report is made of them
    FAILED = "failed"  # by a defect of the program


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """A line of the plan, and the queries that are searched for it."""

    text: str
    queries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The sub-questions of a report; *given* are the addresses in the question."""

    lines: tuple[SubQuestion, ...]
    origin: Origin
    given: tuple[str, ...] = ()
    problem: ModelProblem | None = None  # why the model wrote no plan


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
