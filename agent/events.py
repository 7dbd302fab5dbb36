"""
Events of an answer, in the order in which they happen.

Both modes and reports use them. *line* is the line of a report's plan that a search
belongs to, from 0; *at* is the time of a start, by the monotonic clock.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self, TypeAlias

from agent.causes import ModelProblem
from citations import Source
from websearch import Page, SearchError, SearchResponse


class NoticeKind(StrEnum):
    """Kinds of notices about an answer."""

    NO_TOOLS = "no_tools"  # the model can't call tools: searched as in Chat mode
    # The same, because the model made up results, or wrote half a call or nothing.
    NO_CALL = "no_call"
    NO_SEARCH = "no_search"  # the answer comes from the model's own knowledge
    NO_CITATION = "no_citation"  # the answer cites nothing of what was found
    SEARCH_LIMIT = "search_limit"  # no more searches for this answer
    PAGE_LIMIT = "page_limit"  # no more pages are opened for this answer
    BUSY_PAGE_LIMIT = "busy_page_limit"  # the same, sooner: the server is busy
    ADDRESS_SEARCH_OFF = "address_search_off"  # not read: the search switch is off
    ADDRESS_READING_OFF = "address_reading_off"  # not read: reading is switched off

    @property
    def gives_up(self) -> bool:
        """True where the answer goes on as in Chat mode, with numbers from 1."""
        return self in {NoticeKind.NO_TOOLS, NoticeKind.NO_CALL}

    @property
    def is_unsourced(self) -> bool:
        """True where a search for the user's own words could give sources."""
        return self in {NoticeKind.NO_SEARCH, NoticeKind.NO_CITATION}


@dataclass(frozen=True, slots=True)
class Recalled:
    """Sources of earlier answers, and the only ones that this one may cite so far."""

    sources: Mapping[int, Source]


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice for the head of the answer."""

    kind: NoticeKind
    count: int = 0  # number of searches or of pages, for a limit


@dataclass(frozen=True, slots=True)
class Completion:
    """A question as it is searched; *added* are the places of words it did not have."""

    query: str = field(repr=False)
    asked: str = field(repr=False)
    added: tuple[tuple[int, int], ...] = ()

    @classmethod
    def typed(cls, question: str) -> Self:
        """Return the question as it was typed."""
        return cls(question, question)

    def marked(self, before: str, behind: str) -> str:
        """Return the query with signs around each part that was added."""
        parts, at = [], 0
        for start, end in self.added:
            parts += [self.query[at:start], before, self.query[start:end], behind]
            at = end
        return "".join([*parts, self.query[at:]])


@dataclass(frozen=True, slots=True)
class SearchStarted:
    """
    A search starts; *call* is the id of the model's call, '' in Chat mode.

    *completion* is there where words of the conversation were added to the query. A
    second event of the same call replaces the query.
    """

    query: str = field(repr=False)
    call: str = ""
    completion: Completion | None = None
    line: int | None = None
    at: float = field(default_factory=time.monotonic, compare=False)


@dataclass(frozen=True, slots=True)
class SearchFinished:
    """
    A search has ended, with its results if there are any.

    *new* counts those that no earlier search of a report had found.
    """

    query: str = field(repr=False)
    sources: Sequence[Source]
    provider: str
    took_ms: int
    cached: bool = False
    problems: Sequence[SearchError] = ()
    call: str = ""
    line: int | None = None
    new: int | None = None

    @classmethod
    def of(
        cls, started: SearchStarted, response: SearchResponse, sources: Iterable[Source]
    ) -> Self:
        """Make the end of *started* by *response*, whose results are *sources*."""
        return cls(
            started.query,
            tuple(sources),
            response.provider,
            response.took_ms,
            response.cached,
            response.errors,
            started.call,
            started.line,
        )


@dataclass(frozen=True, slots=True)
class SearchFailed:
    """A search has failed; the answer goes on."""

    query: str = field(repr=False)
    error: SearchError
    took_ms: int
    call: str = ""
    line: int | None = None

    @classmethod
    def of(cls, started: SearchStarted, error: SearchError) -> Self:
        """Make the end of *started* by *error*, now."""
        took_ms = ms_since(started.at)
        return cls(started.query, error, took_ms, started.call, started.line)


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """
    The result of reading one page: its source, and the page or the error.

    A report, which keeps its events, leaves out page and text; it tells the size and
    the SHA-256 of the text, and whether another page *is_double* of it.
    """

    source: Source  # holds the page's text if it was read
    page: Page | None = None
    error: SearchError | None = None
    took_ms: int = 0
    characters: int = 0
    digest: str = ""
    is_double: bool = False


@dataclass(frozen=True, slots=True)
class ReadingStarted:
    """Pages are being read; *call* is the id of the model's call, '' in Chat mode."""

    sources: Sequence[Source]
    call: str = ""
    at: float = field(default_factory=time.monotonic, compare=False)


@dataclass(frozen=True, slots=True)
class PageEnded:
    """One of several pages has come, or could not be read; the others go on."""

    outcome: PageOutcome
    call: str = ""


@dataclass(frozen=True, slots=True)
class ReadingFinished:
    """
    The pages that came in time, and why the others did not.

    So many more were *spared*, because the server is busy.
    """

    pages: Sequence[PageOutcome]
    took_ms: int
    call: str = ""
    spared: int = 0

    @property
    def sources(self) -> Mapping[int, Source]:
        """The sources by number, with the texts of the pages that were read."""
        return {one.source.number: one.source for one in self.pages}


@dataclass(frozen=True, slots=True)
class PromptCut:
    """
    The prompt did not fit the model's *context* (in tokens), and was cut.

    The model gets *given* of *whole* characters of pages and snippets; so many earlier
    *turns* were left out. A second event replaces the first.
    """

    context: int
    given: int
    whole: int
    turns: int = 0


@dataclass(frozen=True, slots=True)
class Thought:
    """A piece of the model's thoughts before its answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the model's text, either of the answer or of an aside."""

    text: str


@dataclass(frozen=True, slots=True)
class Aside:
    """The text since the last call is no answer, because the model calls a tool."""

    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer is complete: the model's raw text, and the sources it may cite."""

    text: str
    sources: Mapping[int, Source] = field(default_factory=dict)
    usage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Failed:
    """
    The model at *address* failed; the tokens and results so far stay.

    Where it had written nothing, quotations of what was found may follow as an answer.
    """

    problem: ModelProblem
    address: str = field(default="", compare=False)


Event: TypeAlias = (
    Recalled
    | Notice
    | SearchStarted
    | SearchFinished
    | SearchFailed
    | ReadingStarted
    | PageEnded
    | ReadingFinished
    | PromptCut
    | Thought
    | Token
    | Aside
    | Answer
    | Failed
)


def ms_since(started: float) -> int:
    """Milliseconds since *started*, by the monotonic clock."""
    return round((time.monotonic() - started) * 1000)
