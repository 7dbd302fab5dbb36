"""Search all lines of a plan at once, and read the best pages."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import zip_longest
from typing import Final

from agent.research.budget import Meter
from agent.research.events import (
    PageEnded,
    PageStarted,
    QueryEnded,
    QueryStarted,
    ReportEvent,
)
from agent.research.quoting import Library
from agent.research.report import Ended, FailedSearch, Plan, UnreadPage
from untrusted.text import one_line
from untrusted.urls import domain_of, page_key
from websearch import (
    PageReader,
    SearchError,
    SearchItem,
    SearchResponse,
    SearchService,
)

SEARCHES_AT_ONCE: Final = 6
PAGES_AT_ONCE: Final = 10


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A search result that may be read."""

    item: SearchItem
    rank: int
    call: int


@dataclass(slots=True)
class _Found:
    """The results of all searches, each page once."""

    waiting: dict[str, _Candidate] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    has_samples: bool = False

    def add(self, response: SearchResponse, call: int) -> int:
        """Add results; return the number of those not known before."""
        before = len(self.known)
        for item in response.items:
            key = page_key(item.url)
            if key not in self.known:
                self.known.add(key)
                self.waiting[key] = _Candidate(item, item.rank, call)
        return len(self.known) - before


class Gathering:
    """
    The searches and pages of one report.

    A search that has ended gives its best pages to be read at once; when all have
    ended, the pages that are left of the budget go to the best results of all.
    """

    def __init__(
        self,
        plan: Plan,
        library: Library,
        *,
        search: SearchService,
        reader: PageReader,
        meter: Meter,
        tell: Callable[[ReportEvent], None],
    ) -> None:
        self.failed: list[FailedSearch] = []
        self.unread: list[UnreadPage] = []
        self.reason = Ended.COMPLETE
        self._plan = plan
        self._library = library
        self._search = search
        self._reader = reader
        self._meter = meter
        self._tell = tell
        self._found = _Found()
        self._searching = asyncio.Semaphore(SEARCHES_AT_ONCE)
        self._opening = asyncio.Semaphore(PAGES_AT_ONCE)
        self._pages: list[asyncio.Task[None]] = []
        self._opened = 0
        self._digests: set[str] = set()

    async def run(self) -> None:
        """Search and read until everything is done; a cancellation ends all of it."""
        try:
            for url in self._plan.given:
                self._open(SearchItem("", url, "", ""))
            await self._search_all()
            if self._found.has_samples and not self._found.known and not self._pages:
                self.reason = Ended.SAMPLES
                return
            self._open_best(self._meter.pages_left)
            await asyncio.gather(*self._pages)
        finally:
            for task in self._pages:
                task.cancel()
            await asyncio.gather(*self._pages, return_exceptions=True)
            self._keep_snippets()

    async def _search_all(self) -> None:
        # The first queries of all lines come before the second ones.
        turns = zip_longest(*(line.queries for line in self._plan.lines))
        queries = [
            (line, query) for turn in turns for line, query in enumerate(turn) if query
        ]
        share = self._meter.pages_left // max(len(queries), 1)
        async with asyncio.TaskGroup() as group:
            for call, (line, query) in enumerate(queries):
                if not self._meter.take_search():
                    self.reason = Ended.SEARCHES
                    break
                group.create_task(self._ask(call, line, query, share))

    async def _ask(self, call: int, line: int, query: str, share: int) -> None:
        async with self._searching:
            self._tell(QueryStarted(call, line, query))
            started = time.monotonic()
            try:
                response = await self._search.asearch(query)
            except SearchError as error:
                self.failed.append(FailedSearch(query, error))
                self._tell(QueryEnded(call, line, query, _since(started), error=error))
                return
        new = 0
        if response.is_sample:
            self._found.has_samples = True
        else:
            new = self._found.add(response, call)
        self._tell(
            QueryEnded(
                call,
                line,
                query,
                _since(started),
                response.provider,
                0 if response.is_sample else len(response.items),
                new,
                problems=response.errors,
                cached=response.cached,
            )
        )
        self._open_best(share, call)

    def _open_best(self, count: int, call: int | None = None) -> None:
        """Open *count* results, those of one search or of all, the best first."""
        if not self._reader.is_enabled:
            return
        waiting = [
            (one.rank, one.call, key)
            for key, one in self._found.waiting.items()
            if call is None or one.call == call
        ]
        for _, _, key in sorted(waiting)[: max(count, 0)]:
            if not self._open(self._found.waiting[key].item):
                return
            del self._found.waiting[key]

    def _open(self, item: SearchItem) -> bool:
        """Begin to read a page; False if the budget of pages is spent."""
        if not self._reader.is_enabled:
            return False
        if not self._meter.take_page():
            if self.reason is Ended.COMPLETE:
                self.reason = Ended.PAGES
            return False
        call, self._opened = self._opened, self._opened + 1
        self._pages.append(asyncio.create_task(self._read(call, item)))
        return True

    async def _read(self, call: int, item: SearchItem) -> None:
        title = one_line(item.title) or domain_of(item.url)
        async with self._opening:
            self._tell(PageStarted(call, title, item.url))
            started = time.monotonic()
            try:
                page = await self._reader.aread(item.url)
            except SearchError as error:
                self.unread.append(UnreadPage(title, item.url, error))
                took = _since(started)
                self._tell(PageEnded(call, title, item.url, took, error=error))
                return
            took = _since(started)
        digest = sha256(page.text.encode(errors="replace")).hexdigest()
        is_double = digest in self._digests
        self._digests.add(digest)
        if not is_double:
            self._library.add_page(item, page)
        title = one_line(page.title) or title
        size = len(page.text)
        self._tell(PageEnded(call, title, item.url, took, size, digest, is_double))

    def _keep_snippets(self) -> None:
        """Keep the snippets of results, for lines that no page answers."""
        for one in sorted(self._found.waiting.values(), key=lambda one: one.rank):
            self._library.add_snippet(one.item)


def _since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)
