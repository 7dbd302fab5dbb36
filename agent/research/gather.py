"""Search all lines of a plan at once, and read the best pages."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from itertools import zip_longest
from typing import Final

from agent.events import ms_since
from agent.research.budget import Meter
from agent.research.events import PageStep, ReportEvent, SearchStep
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
        self._has_samples = self._has_results = False
        # By the key of a page: its best rank, and the search that gave it.
        self._places: dict[str, tuple[int, int]] = {}
        self._waiting: dict[str, SearchItem] = {}  # that may be read
        self._asking: dict[int, SearchStep] = {}
        self._reading: dict[int, PageStep] = {}
        self._items: dict[int, SearchItem] = {}  # that are read, or will be
        self._pages: list[asyncio.Task[None]] = []
        self._searches_free = asyncio.Semaphore(SEARCHES_AT_ONCE)
        self._pages_free = asyncio.Semaphore(PAGES_AT_ONCE)
        self._digests: set[str] = set()
        self._known_problems: set[tuple[str | None, str, str | None]] = set()

    async def run(self) -> None:
        """Search and read until everything is done; a cancellation ends all of it."""
        try:
            self._open_given()
            await self._search_all()
            if self._has_samples and not self._has_results:
                if not self._plan.given:
                    self.reason = Ended.SAMPLES
                    return
                self._note_samples()
            self._open_best(self._meter.pages_left)
            is_left = bool(self._waiting) and self._reader.is_enabled
            if is_left and self.reason is Ended.COMPLETE:
                self.reason = Ended.PAGES
            await asyncio.gather(*self._pages)
        finally:
            for task in self._pages:
                task.cancel()
            await asyncio.gather(*self._pages, return_exceptions=True)
            # For lines that no page answers: the snippets of those that were not read.
            for item in (*self._items.values(), *self._waiting.values()):
                self._library.add_snippet(item)
            self._library.arrange(self._places)

    def end(self, reason: Ended) -> None:
        """Name the *reason* that ended the run; pages out of time are told as such."""
        self.reason = reason
        if reason is not Ended.SECONDS:
            return
        for asked in [*self._asking.values()]:
            late = "The search did not come in time."
            self._fail(asked, Timeout(late, provider=self._search.provider))
        for page in [*self._reading.values()]:
            late = "The page did not come in time."
            self._give_up(page, Timeout(late, detail_code="page_slow"))

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
        async with self._searches_free:
            asked = SearchStep(call, line, query, time.monotonic())
            self._asking[call] = asked
            self._tell(asked)
            try:
                response = await self._search.asearch(query)
            except SearchError as error:
                self._fail(asked, error)
                return
            del self._asking[call]
        self._note(query, response)
        new = self._add(response, call)
        self._tell(
            replace(
                asked,
                took_ms=ms_since(asked.started),
                provider=response.provider,
                found=0 if response.is_sample else len(response.items),
                new=new,
                problems=response.errors,
                cached=response.cached,
            )
        )
        self._open_best(share, call)

    def _add(self, response: SearchResponse, call: int) -> int:
        """Add results, but no samples; return the number of those not known before."""
        if response.is_sample:
            self._has_samples = True
            return 0
        before = len(self._places)
        for item in response.items:
            self._has_results = True
            key, place = page_key(item.url), (item.rank, call)
            if key not in self._places:
                self._waiting[key] = item
            self._places[key] = min(place, self._places.get(key, place))
        return len(self._places) - before

    def _fail(self, asked: SearchStep, error: SearchError) -> None:
        del self._asking[asked.call]
        self.failed.append(FailedSearch(asked.query, error))
        self._tell(replace(asked, took_ms=ms_since(asked.started), error=error))

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
                self._places[page_key(url)] = (0, number)
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
        ranked = sorted(self._waiting, key=lambda key: self._places[key])
        own = [key for key in ranked if call in (None, self._places[key][1])]
        for key in own[: max(count, 0)]:
            if not self._open(self._waiting[key]):
                return
            del self._waiting[key]

    def _open(self, item: SearchItem) -> bool:
        """Begin to read a page; False if that is off or the budget is spent."""
        if not self._reader.is_enabled or not self._meter.take_page():
            return False
        call = len(self._pages)
        self._items[call] = item
        self._pages.append(asyncio.create_task(self._read(call, item)))
        return True

    async def _read(self, call: int, item: SearchItem) -> None:
        async with self._pages_free:
            title = one_line(item.title) or domain_of(item.url)
            step = PageStep(call, title, item.url, time.monotonic())
            self._reading[call] = step
            self._tell(step)
            try:
                page = await self._reader.aread(item.url)
            except SearchError as error:
                self._give_up(step, error)
                return
            took = ms_since(step.started)
            del self._reading[call], self._items[call]
        digest = sha256(page.text.encode(errors="replace")).hexdigest()
        is_double = digest in self._digests
        self._digests.add(digest)
        self._tell(
            replace(
                step,
                took_ms=took,
                characters=len(page.text),
                digest=digest,
                is_double=is_double,
            )
        )
        self._library.add_page(item, page)

    def _give_up(self, step: PageStep, error: SearchError) -> None:
        del self._reading[step.call]
        self.unread.append(UnreadPage(step.title, step.url, error))
        self._tell(replace(step, took_ms=ms_since(step.started), error=error))
