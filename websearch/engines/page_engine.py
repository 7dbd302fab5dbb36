"""Base class of the engines whose web page is parsed in a worker process."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import ClassVar, Final

from websearch.engines.base import Failures, HttpEngine, unexpected
from websearch.engines.locales import accept_language
from websearch.errors import InvalidInput, SearchError, WebBlocked, WebParseError
from websearch.models import SearchItem, SearchRequest, SearchResponse
from websearch.network.response import Reply
from websearch.parsing.workers import Task

# The error of a page that comes instead of results, by its detail code. One of a page
# that can't be read counts beside results too: they would be only a part.
_BLOCKS: Final[Mapping[str, tuple[type[SearchError], str]]] = {
    "captcha_required": (
        WebBlocked,
        "it asks for a CAPTCHA, which only a person may solve",
    ),
    "consent_required": (
        WebBlocked,
        "it asks for consent, which only a person can give",
    ),
    "js_required": (
        WebBlocked,
        "it asks for scripts; a person has to open it in a browser",
    ),
    "user_agent_refused": (
        WebBlocked,
        "it serves no program that asks under this User-Agent",
    ),
    "no_such_page": (WebParseError, "it says that its page of results does not exist"),
    "unexpected_page": (WebParseError, "its page is laid out for phones"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """The values of a row's fields, in the order of the page."""

    fields: Mapping[str, Sequence[str]]

    def all(self, name: str) -> Sequence[str]:
        """Every value of a field."""
        return self.fields[name]

    def first(self, name: str) -> str:
        """The first value of a field that is not empty; '' without one."""
        return next(filter(None, self.fields[name]), "")


@dataclass(frozen=True, slots=True)
class ResultPage:
    """The parts of a page that the selectors of its engine match."""

    title: str
    rows: Sequence[Row]
    blocks: Sequence[str]
    is_empty: bool
    is_whole: bool


class PageEngine(HttpEngine):
    """
    An engine whose web page is parsed.

    A subclass declares CSS selectors: *rows* matches the results, *fields* the texts
    in each, or with `@name` their attributes, *blocks* the pages that come instead of
    results, by detail code, and *empty* the words of a page without results.

    Where no selector matches whole results, *rows* matches one node in each, and
    *apart* the nodes outside all of them: a result is the largest element around its
    node that holds no other one, nor one apart.
    """

    rows: ClassVar[str]
    apart: ClassVar[str] = ""
    fields: ClassVar[Mapping[str, str]]
    blocks: ClassVar[Mapping[str, str]]
    empty: ClassVar[str]
    failures: ClassVar[Failures] = {
        403: (WebBlocked, None, "it refuses us"),
        414: (InvalidInput, None, "the query is too long for it"),
        422: (WebParseError, None, "it does not understand our form any more"),
        429: (WebBlocked, None, "too many requests"),
    }

    parse_seconds: ClassVar[float] = 2.0  # a page of results takes 10 to 100 ms

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Start a worker while the request is on its way, and search."""
        await self._workers.warm(Task.RESULTS)
        return await super().asearch(request)

    def headers(self, request: SearchRequest) -> Mapping[str, str]:
        """Ask for the language of the query."""
        return {"Accept-Language": accept_language(request.query, None)}

    @abstractmethod
    def parse(self, rows: Sequence[Row]) -> Iterable[SearchItem | None]:
        """The results without advertisements; None for a malformed one."""

    def block(self, _reply: Reply, page: ResultPage) -> str | None:
        """The detail code of a page that comes instead of results; None for others."""
        return next(iter(page.blocks), None)

    async def read(self, reply: Reply) -> Sequence[SearchItem]:
        """Parse the results of a page; an empty list only if the page says so."""
        found = await self._workers.run(
            Task.RESULTS,
            reply.body,
            seconds=self.parse_seconds,
            charset=reply.charset,
            rows=self.rows,
            apart=self.apart,
            fields=dict(self.fields),
            blocks=dict(self.blocks),
            empty=self.empty,
        )
        page = ResultPage(**{**found, "rows": [Row(row) for row in found["rows"]]})
        is_ok = reply.status == HTTPStatus.OK
        items = self.readable(self.parse(page.rows)) if is_ok else ()
        if code := self.block(reply, page):
            kind, words = _BLOCKS[code]
            if not items or kind is WebParseError:
                raise kind(words, detail_code=code)
        self.check(reply)
        if not page.is_whole:
            raise unexpected("its page broke off in the middle", "cut_off")
        if not items and not page.is_empty:
            raise unexpected("its page is not the page of results that we know")
        return items

    async def aclose(self) -> None:
        """Close the connections of the running event loop, and end its workers."""
        await super().aclose()
        await self._workers.aclose()
