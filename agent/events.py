"""What happens while an answer is made: the one language of both modes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from citations import Round, Source
from websearch import SearchError


class ModelProblem(StrEnum):
    """What can go wrong with a language model; each has its own words for the user."""

    WRONG_KEY = "wrong_key"
    NO_QUOTA = "no_quota"
    RATE_LIMIT = "rate_limit"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    CONTEXT_TOO_LONG = "context_too_long"
    UNKNOWN_MODEL = "unknown_model"
    NO_TOOLS = "no_tools"
    CUT_OFF = "cut_off"
    TOO_LONG_ANSWER = "too_long_answer"
    FILTERED = "filtered"
    SILENT = "silent"
    REFUSED = "refused"
    SERVER = "server"
    UNKNOWN = "unknown"


class NoticeKind(StrEnum):
    """What a user should know of how an answer came about."""

    NO_TOOLS = "no_tools"  # the model takes no tools: searched as in Chat mode
    SEARCH_LIMIT = "search_limit"  # no more searches for this answer


@dataclass(frozen=True, slots=True)
class Recalled:
    """Sources of earlier answers, whose numbers this answer may cite; comes first."""

    sources: Mapping[int, Source]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about the answer that its reader should know."""

    kind: NoticeKind
    count: int = 0  # of searches, for the limit


@dataclass(frozen=True, slots=True)
class SearchStarted:
    """A search begins; *call* is the model's call, '' where the user's words are."""

    query: str = field(repr=False)
    call: str = ""


@dataclass(frozen=True, slots=True)
class SearchFinished:
    """A search is answered, perhaps with nothing."""

    query: str = field(repr=False)
    sources: Sequence[Source]
    provider: str
    took_ms: int
    cached: bool = False
    problems: Sequence[SearchError] = ()
    call: str = ""


@dataclass(frozen=True, slots=True)
class SearchFailed:
    """A search brought nothing because something went wrong; the answer goes on."""

    query: str = field(repr=False)
    error: SearchError
    took_ms: int
    call: str = ""


@dataclass(frozen=True, slots=True)
class Thought:
    """A piece of what the model thinks before it answers."""

    text: str


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of what the model writes: of the answer, or of an aside."""

    text: str


@dataclass(frozen=True, slots=True)
class Aside:
    """What was written since the last search was no answer: the model searches on."""

    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer is complete; *text* is the model's own, unlinked."""

    text: str
    sources: Mapping[int, Source] = field(default_factory=dict)
    rounds: Sequence[Round] = ()
    usage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Failed:
    """The model failed; what it wrote before stays."""

    problem: ModelProblem
    text: str = ""
    sources: Mapping[int, Source] = field(default_factory=dict)
    rounds: Sequence[Round] = ()


Event: TypeAlias = (
    Recalled
    | Notice
    | SearchStarted
    | SearchFinished
    | SearchFailed
    | Thought
    | Token
    | Aside
    | Answer
    | Failed
)
