"""The shapes of a search: request, item, and response with its views."""

import re
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from copy import copy
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, NamedTuple, Self, get_args
from urllib.parse import urlsplit

from untrusted.text import clean_query
from websearch.errors import InvalidInput, SearchError

MAX_RESULTS: Final = 10
MAX_QUERY: Final = 4_000

# Whom a program that serves several people searches for; empty where it is one person.
VISITOR: Final[ContextVar[str]] = ContextVar("visitor", default="")

TimeRange = Literal["day", "week", "month", "year"]


class Form(NamedTuple):
    """The form of an option: its pattern, and its description for an error."""

    pattern: re.Pattern[str]
    expected: str

    def fits(self, value: object) -> bool:
        """True for a text of this form."""
        return isinstance(value, str) and bool(self.pattern.fullmatch(value))


FORMS: Final[Mapping[str, Form]] = {
    "locale": Form(
        re.compile("auto|all|[A-Za-z]{2,3}([-_]([A-Za-z]{2}|[A-Za-z]{4}|[0-9]{3}))*"),
        "a language tag such as zh-CN",
    ),
    "country": Form(
        re.compile("[A-Za-z]{2}"), "a country code of two letters such as CN"
    ),
    "site_filter": Form(
        re.compile(r"[^\s/?#@:]{1,253}"), "a host name such as example.org"
    ),
    "trace_id": Form(
        re.compile(r"[\x21-\x7e]{1,128}"), "1 to 128 visible ASCII characters"
    ),
}


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """
    A query with its options, validated when it is made.

    The query never shows in a repr, so that it can't reach a log that way.
    """

    query: str = field(repr=False)
    max_results: int = MAX_RESULTS
    locale: str | None = None
    country: str | None = None
    time_range: TimeRange | None = None
    site_filter: str | None = field(default=None, repr=False)
    need_summary: bool = False
    trace_id: str | None = None
    budget_ms: int | None = None
    # Searches of one conversation, which share the cookies of an engine's browser.
    session: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Clean the query, and refuse invalid options."""
        if not isinstance(self.query, str):
            raise InvalidInput("query must be text")
        query = clean_query(self.query)
        if not query:
            raise InvalidInput("query is empty: say what to look for")
        if len(query) > MAX_QUERY:
            raise InvalidInput(
                f"query has {len(query)} characters; {MAX_QUERY} is the most",
                detail_code="query_too_long",
            )
        object.__setattr__(self, "query", query)
        if not _is_count(self.max_results) or not 1 <= self.max_results <= MAX_RESULTS:
            raise InvalidInput(
                f"max_results must be a whole number from 1 to {MAX_RESULTS}"
            )
        for name, form in FORMS.items():
            if (value := getattr(self, name)) is not None and not form.fits(value):
                raise InvalidInput(f"{name} must be {form.expected}")
        if self.country:
            object.__setattr__(self, "country", self.country.upper())
        if self.time_range not in (None, *get_args(TimeRange)):
            raise InvalidInput("time_range must be day, week, month or year")
        if self.budget_ms is not None and not (
            _is_count(self.budget_ms) and self.budget_ms > 0
        ):
            raise InvalidInput("budget_ms must be a whole number above 0")

    def changed(self, **fields: Any) -> Self:
        """A copy with other *fields* of our own, which need no check."""
        other = copy(self)
        for name, value in fields.items():
            object.__setattr__(other, name, value)
        return other


@dataclass(frozen=True, slots=True)
class SearchItem:
    """
    One page that a search found; `rank` is written by the normaliser only.

    `link` is the engine's own redirect to the page, where `url` is better. A page
    that *is_private* is of a network that the operator did not allow: no link.
    """

    title: str
    url: str
    snippet: str
    provider: str
    rank: int = 0
    engine: str | None = None
    published_at: str | None = None
    score: float | None = None
    link: str | None = None
    is_private: bool = False

    @property
    def source(self) -> str:
        """Domain of the page, without www."""
        return (urlsplit(self.url).hostname or "").removeprefix("www.")


@dataclass(frozen=True, slots=True)
class SearchResponse:
    """Ranked items of one search, its provider and time, and the errors of others."""

    query: str = field(repr=False)
    provider: str
    items: Sequence[SearchItem] = ()
    took_ms: int = 0
    cached: bool = False
    request_id: str | None = None
    errors: Sequence[SearchError] = ()
    normalized: bool = field(default=False, repr=False, compare=False)

    @property
    def is_answer(self) -> bool:
        """True if an engine answered, even without results or if others failed."""
        failed = {error.provider or self.provider for error in self.errors}
        answered = set(self.provider.split("+")) - failed
        return bool(self.items) or (self.provider not in failed and bool(answered))

    @property
    def is_sample(self) -> bool:
        """True if the results are the offline samples, which are no real pages."""
        return bool(self.items) and all(i.provider == "stub" for i in self.items)

    def as_items(self) -> dict[str, Any]:
        """Result of the `web.search` tool contract."""
        links = {item.url: item.link for item in self.items if item.link}
        return {
            "items": [_picked(item, _CONTRACT_KEYS) for item in self.items],
            "provider_meta": {
                "provider_name": self.provider,
                "latency_ms": self.took_ms,
                "request_id": self.request_id,
                **({"links": links} if links else {}),
            },
            "errors": [
                {key: shape[key] for key in _ERROR_KEYS}
                for shape in map(SearchError.as_dict, self.errors)
            ],
        }

    def as_results(self) -> dict[str, Any]:
        """Structured output: title, url, snippet and source of each page."""
        keys = ("title", "url", "snippet", "source")
        results = [_picked(item, keys) for item in self.items]
        return {"query": self.query, "results": results}

    def as_provider_result(self) -> dict[str, Any]:
        """Provider result: adds count, time taken and the cache flag."""
        return {
            "query": self.query,
            "provider": self.provider,
            "count": len(self.items),
            "tookMs": self.took_ms,
            "cached": self.cached,
            "results": [
                {
                    "title": item.title,
                    "url": item.url,
                    "description": item.snippet,
                    "published": item.published_at,
                    "siteName": item.source,
                }
                for item in self.items
            ],
        }


_CONTRACT_KEYS = (
    *("title", "url", "snippet", "provider", "rank"),
    *("source", "published_at"),
)
_ERROR_KEYS = ("type", "message", "retryable", "detail_code")


def _picked(item: SearchItem, keys: Sequence[str]) -> dict[str, Any]:
    return {key: getattr(item, key) for key in keys}


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Page:
    """
    A page that was read; `truncated` tells that there was more of it.

    *text* is what the page shows, to be quoted; *markdown* has headings and marks too.
    """

    url: str
    final_url: str
    title: str
    text: str = field(repr=False)
    content_type: str
    published_at: str | None
    truncated: bool
    took_ms: int
    cached: bool = False
    markdown: str = field(default="", repr=False)

    def as_dict(self) -> dict[str, Any]:
        """The result of the tool contract and of the command line."""
        return asdict(self)
