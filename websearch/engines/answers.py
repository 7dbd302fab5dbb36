"""What answers of engines mean that we ask without SearXNG: statuses, JSON, rows."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from pydantic import SecretStr

from websearch.engines.html_page import Page
from websearch.errors import (
    AuthError,
    BadGateway,
    InvalidInput,
    SearchError,
    WebBlocked,
    WebParseError,
    WebProviderError,
)
from websearch.models import MAX_QUERY, SearchItem, SearchRequest
from websearch.network.client import Http
from websearch.network.response import Reply

logger = logging.getLogger(__name__)

_MAX_ROWS: Final = 100  # of a page of ten; what comes beyond is not worth the time

Meaning = tuple[type[SearchError], str | None, str]
# Status, or a code in the body: class, detail code (None: that of the status), words.
Meanings = Mapping[int | str, Meaning]

PAGES: Final[Meanings] = {
    403: (WebBlocked, None, "it refuses us"),
    414: (InvalidInput, None, "the query is too long for it"),
    422: (WebParseError, None, "it does not understand our form any more"),
    429: (WebBlocked, None, "too many requests"),
}


class HttpBackend:
    """What all backends over HTTP have: a door to the network, and closing it."""

    def __init__(self, http: Http) -> None:
        self._http = http

    async def aclose(self) -> None:
        """Close the connections of the running loop."""
        await self._http.aclose()


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine by the name of its backend and by the one that people know."""

    name: str
    title: str
    longest: int = 2 * MAX_QUERY  # a site comes beside the words
    most_words: int = MAX_QUERY

    @contextmanager
    def named(self) -> Iterator[None]:
        """Let every error of a search say whose it is."""
        try:
            yield
        except SearchError as error:
            error.provider = self.name
            error.facts.setdefault("engine", self.title)
            error.args = (f"{self.title}: {error}",)
            raise

    def key(self, secret: SecretStr | None, variable: str) -> str:
        """The key, for a header; without one nothing is sent."""
        if secret is None:
            raise AuthError(
                f"{variable} is not set",
                detail_code="missing_key",
                facts={"variable": variable},
            )
        return secret.get_secret_value()

    def query(self, request: SearchRequest) -> str:
        """The query with its site; InvalidInput where the engine would refuse it."""
        site = f" site:{request.site_filter}" if request.site_filter else ""
        query = request.query + site
        if len(query) > self.longest or len(query.split()) > self.most_words:
            words = (
                f" or {self.most_words} words" if self.most_words < MAX_QUERY else ""
            )
            raise InvalidInput(
                f"the query is too long; {self.longest} characters{words} are the most",
                detail_code="query_too_long",
            )
        return query

    def check(
        self,
        reply: Reply,
        meanings: Meanings,
        *,
        code: str = "",
        status: int = 0,
    ) -> None:
        """
        Raise the error that a status stands for; nothing for 200.

        *code* is the engine's own word for it, *status* the one in the body.
        """
        status = status or reply.status
        if status == HTTPStatus.OK:
            return
        known = meanings.get(code or status) or meanings.get(status)
        kind, detail, words = known or _meaning(status)
        raise kind(
            f"{words} ({status})",
            detail_code=detail or f"http_{status}",
            retry_after=reply.retry_after,
            facts={"status": str(status), "wait": f" {reply.retry_after or 60:g} s"},
        )

    def json(self, reply: Reply) -> Mapping[str, Any]:
        """The JSON object of an answer; WebParseError where it is something else."""
        try:
            data = reply.json()
        except WebParseError as error:
            error.facts.clear()  # titles of strange pages repeat the query
            raise
        if not isinstance(data, dict):
            raise unexpected("its answer is no JSON object")
        return data

    def rows(
        self, rows: Any, read: Callable[[Mapping[str, Any]], SearchItem | None]
    ) -> Sequence[SearchItem]:
        """Items of JSON rows; those that can't be read are skipped, but not all."""
        if not isinstance(rows, list):
            raise unexpected("its answer holds no list of results")
        rows = rows[:_MAX_ROWS]
        found = (read(row) if isinstance(row, dict) else None for row in rows)
        return self.readable(list(found))

    def readable(self, found: Sequence[SearchItem | None]) -> Sequence[SearchItem]:
        """The results that could be read; an error where there were others only."""
        items = [item for item in found if item is not None]
        if skipped := len(found) - len(items):
            logger.warning(
                "%s: skipped %d malformed results of %d",
                self.name,
                skipped,
                len(found),
            )
        if found and not items:
            raise unexpected("none of its results can be read")
        return items

    def listed(
        self,
        reply: Reply,
        since: bytes,
        items: Callable[[Page], Sequence[SearchItem]],
        is_challenge: Callable[[Reply, Page], bool],
        empty: str,
    ) -> Sequence[SearchItem]:
        """
        What a page of results lists, read by *items*.

        At first the page is parsed from its list on, which begins with the words
        *since*: that takes half the time, and no challenge stands beside results.
        """
        if reply.status == HTTPStatus.OK and since in reply.body:
            page = Page.of(reply, since)
            if found := items(page):
                return self.of_page(page, found, empty)
            del page  # a tree takes ten times the memory of its text
        page = Page.of(reply)
        if is_challenge(reply, page):
            raise WebBlocked("it asks for a CAPTCHA", detail_code="captcha_required")
        self.check(reply, PAGES)
        return self.of_page(page, items(page), empty)

    def of_page(
        self, page: Page, items: Sequence[SearchItem], empty: str
    ) -> Sequence[SearchItem]:
        """*items* of a whole page; none only where a node matches *empty*."""
        if not page.is_whole:
            raise unexpected("its page broke off in the middle", "cut_off")
        if not items and not page.has(empty):
            raise unexpected("its page is not the page of results that we know")
        return items


def unexpected(words: str, detail_code: str = "unexpected_page") -> WebParseError:
    """The error for an answer that is not what the engine sends."""
    return WebParseError(words, detail_code=detail_code)


def inside(data: Any, *keys: str) -> Any:
    """What foreign JSON holds under *keys*; WebParseError where the way ends."""
    for key in keys:
        if not isinstance(data, dict) or key not in data:
            raise unexpected(f"its answer holds no {key}")
        data = data[key]
    return data


def texts(row: Mapping[str, Any], *keys: str) -> Sequence[str]:
    """The texts under *keys*; '' where there is none."""
    values = (row.get(key) for key in keys)
    return [value if isinstance(value, str) else "" for value in values]


def _meaning(status: int) -> Meaning:
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return BadGateway, None, "its server failed"
    if status in {301, 302, 303, 307, 308}:
        return WebProviderError, "redirect", "it sends us elsewhere"
    if status < HTTPStatus.BAD_REQUEST:
        return WebParseError, None, "its answer is no page of results"
    return WebProviderError, None, "it answered in a way that is not known"
