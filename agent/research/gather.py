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
    Timeout,
    WebProviderError,
)

SEARCHES_AT_ONCE: Final = 6
PAGES_AT_ONCE: Final = 20
SAMPLES_ONLY: Final = "samples_only"
PAGE_BUDGET: Final = "page_budget"


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A search result that may be read."""

    item: SearchItem
    rank: int
    call: int


@dataclass(frozen=True, slots=True)
class _Asking:
    """A search that is running since *started*."""

    line: int
    query: str
    started: float


@dataclass(slots=True)
class _Reading:
    """A page that is to be read, or is being read since *started*."""

    item: SearchItem
    title: str
    started: float | None = None


@dataclass(slots=True)
class _Found:
    """The results of all searches, each page once."""

    waiting: dict[str, _Candidate] = field(default_factory=dict)
    # The best rank of each page, and the search that gave it.
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    has_samples: bool = False
    has_results: bool = False

    def add(self, response: SearchResponse, call: int) -> int:
        """Add results; return the number of those not known before."""
        before = len(self.places)
        self.has_results = self.has_results or bool(response.items)
        for item in response.items:
            key, place = page_key(item.url), (item.rank, call)
            if key not in self.places:
                self.waiting[key] = _Candidate(item, item.rank, call)
            self.places[key] = min(place, self.places.get(key, place))
        return len(self.places) - before


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
        self._asking: dict[int, _Asking] = {}
        self._reading: dict[int, _Reading] = {}
        self._opened = 0
        self._digests: set[str] = set()
        self._known_problems: set[tuple[str | None, str, str | None]] = set()

    async def run(self) -> None:
        """Search and read until everything is done; a cancellation ends all of it."""
        try:
            self._open_given()
            await self._search_all()
            if self._found.has_samples and not self._found.has_results:
                if not self._plan.given:
                    self.reason = Ended.SAMPLES
                    return
                self._note_samples()
            self._open_best(self._meter.pages_left)
            if self._is_out_of_pages():
                self.reason = Ended.PAGES
            await asyncio.gather(*self._pages)
        finally:
            for task in self._pages:
                task.cancel()
            await asyncio.gather(*self._pages, return_exceptions=True)
            self._library.arrange(self._found.places)
            self._keep_snippets()

    def end(self, reason: Ended) -> None:
        """Name the *reason* that ended the run; pages out of time are told as such."""
        self.reason = reason
        if reason is not Ended.SECONDS:
            return
        for call, asked in [*self._asking.items()]:
            late = "The search did not come in time."
            self._fail(call, asked, Timeout(late, provider=self._search.provider))
        for call, one in [*self._reading.items()]:
            if one.started is not None:
                late = "The page did not come in time."
                self._give_up(call, Timeout(late, detail_code="page_slow"))

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
            self._asking[call] = asked = _Asking(line, query, started)
            try:
                response = await self._search.asearch(query)
            except SearchError as error:
                self._fail(call, asked, error)
                return
            del self._asking[call]
        self._note(query, response)
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

    def _fail(self, call: int, asked: _Asking, error: SearchError) -> None:
        del self._asking[call]
        self.failed.append(FailedSearch(asked.query, error))
        took = _since(asked.started)
        self._tell(QueryEnded(call, asked.line, asked.query, took, error=error))

    def _note_samples(self) -> None:
        """Note that no engine is connected; given pages are read all the same."""
        message = "There are offline samples only."
        error = WebProviderError(message, detail_code=SAMPLES_ONLY, provider="stub")
        query = next(query for line in self._plan.lines for query in line.queries)
        self.failed.append(FailedSearch(query, error))

    def _open_given(self) -> None:
        """Open the pages that the question names, or note why they are not opened."""
        for number, url in enumerate(self._plan.given):
            if self._open(SearchItem("", url, "", "")):
                self._found.places[page_key(url)] = (0, number)
                continue
            code = PAGE_BUDGET if self._reader.is_enabled else "reading_off"
            error = WebProviderError("The page was not opened.", detail_code=code)
            self.unread.append(UnreadPage(domain_of(url), url, error))

    def _note(self, query: str, response: SearchResponse) -> None:
        """Note each engine that failed beside others, once for each cause."""
        for error in response.errors:
            problem = (error.provider, error.code, error.detail_code)
            if problem not in self._known_problems:
                self._known_problems.add(problem)
                self.failed.append(FailedSearch(query, error, is_partial=True))

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
            return False
        call, self._opened = self._opened, self._opened + 1
        title = one_line(item.title) or domain_of(item.url)
        self._reading[call] = _Reading(item, title)
        self._pages.append(asyncio.create_task(self._read(call)))
        return True

    def _is_out_of_pages(self) -> bool:
        is_left = bool(self._found.waiting) and self._reader.is_enabled
        is_first = self.reason is Ended.COMPLETE
        return is_left and is_first and self._meter.pages_left == 0

    async def _read(self, call: int) -> None:
        one = self._reading[call]
        item, title = one.item, one.title
        async with self._opening:
            self._tell(PageStarted(call, title, item.url))
            one.started = started = time.monotonic()
            try:
                page = await self._reader.aread(item.url)
            except SearchError as error:
                self._library.add_snippet(item)
                self._give_up(call, error)
                return
            took = _since(started)
            del self._reading[call]
        digest = sha256(page.text.encode(errors="replace")).hexdigest()
        is_double = digest in self._digests
        self._digests.add(digest)
        title = one_line(page.title) or title
        size = len(page.text)
        self._tell(PageEnded(call, title, item.url, took, size, digest, is_double))
        cut = self._library.add_page(item, page)
        if not is_double:
            await asyncio.to_thread(cut)  # while others are waited for

    def _give_up(self, call: int, error: SearchError) -> None:
        one = self._reading.pop(call)
        took = _since(one.started) if one.started is not None else 0
        self.unread.append(UnreadPage(one.title, one.item.url, error))
        self._tell(PageEnded(call, one.title, one.item.url, took, error=error))

    def _keep_snippets(self) -> None:
        """Keep the snippets of pages that were not read, for lines no page answers."""
        for page in self._reading.values():
            self._library.add_snippet(page.item)
        for one in sorted(self._found.waiting.values(), key=lambda one: one.rank):
            self._library.add_snippet(one.item)


def _since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)
