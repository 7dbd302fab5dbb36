"""Search all lines of a plan at once, and read the best pages."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from itertools import zip_longest
from typing import Final

from agent.events import (
    PageOutcome,
    ReadingFinished,
    ReadingStarted,
    SearchFailed,
    SearchFinished,
    SearchStarted,
    ms_since,
)
from agent.reading import Pages, late
from agent.research.budget import Meter
from agent.research.plan import Plan
from agent.research.quoting import Library
from agent.research.report import Ended, ReportEvent
from citations import Source
from untrusted.urls import page_key
from websearch import (
    PageReader,
    SearchError,
    SearchItem,
    SearchService,
    Timeout,
    WebProviderError,
)
from websearch.causes import Cause

SEARCHES_AT_ONCE: Final = 6


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
        self.failed: list[SearchFailed] = []
        self.partly: list[SearchFailed] = []  # engines that failed beside others
        self.unread: list[PageOutcome] = []
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
        self._opened: dict[str, SearchItem] = {}  # that are read, or will be
        self._asking: dict[str, SearchStarted] = {}
        self._reading: dict[str, ReadingStarted] = {}
        self._digests: set[str] = set()
        self._reads: list[asyncio.Task[None]] = []
        self._searches_free = asyncio.Semaphore(SEARCHES_AT_ONCE)

    async def run(self) -> None:
        """Search and read until everything is done; a cancellation ends all of it."""
        given = self._plan.given
        try:
            async with Pages(self._reader) as pages:
                for number, url in enumerate(given):
                    item = SearchItem("", url, "", "")
                    if self._open(pages, item):
                        self._places[page_key(url)] = (0, number)
                        continue
                    is_spent = self._reader.is_enabled
                    code = Cause.PAGE_BUDGET if is_spent else Cause.READING_OFF
                    message = "The page was not opened."
                    error = WebProviderError(message, detail_code=code)
                    self.unread.append(PageOutcome(Source.of(0, item), error=error))
                await self._search_all(pages)
                if self._has_samples and not self._has_results:
                    if not given:
                        self.reason = Ended.SAMPLES
                        return
                    message = "There are offline samples only."
                    error = WebProviderError(
                        message, detail_code=Cause.SAMPLES_ONLY, provider="stub"
                    )
                    lines = self._plan.lines
                    query = next(query for line in lines for query in line.queries)
                    self.failed.append(SearchFailed(query, error, 0))
                self._open_best(pages, self._meter.pages_left)
                is_left = bool(self._waiting) and self._reader.is_enabled
                if is_left and self.reason is Ended.COMPLETE:
                    self.reason = Ended.PAGES
                await asyncio.gather(*self._reads)
        finally:
            for task in self._reads:
                task.cancel()
            await asyncio.gather(*self._reads, return_exceptions=True)
            # For lines that no page answers: the snippets of those that were not read.
            for item in (*self._opened.values(), *self._waiting.values()):
                self._library.add_snippet(item)
            self._library.arrange(self._places)

    def end(self, reason: Ended) -> None:
        """Name the *reason* that ended the run; what ran out of time has failed."""
        self.reason = reason
        if reason is not Ended.SECONDS:
            return
        message, provider = "The search did not come in time.", self._search.provider
        for search in [*self._asking.values()]:
            self._fail(search, Timeout(message, provider=provider))
        for reading in [*self._reading.values()]:
            (source,) = reading.sources
            self._give_up(reading, late(source, ms_since(reading.at)))

    async def _search_all(self, pages: Pages) -> None:
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
                group.create_task(self._ask(pages, call, line, query, share))

    async def _ask(
        self, pages: Pages, call: int, line: int, query: str, share: int
    ) -> None:
        async with self._searches_free:
            started = SearchStarted(query, str(call), line=line)
            self._asking[started.call] = started
            self._tell(started)
            try:
                response = await self._search.asearch(query)
            except SearchError as error:
                self._fail(started, error)
                return
            del self._asking[started.call]
        before = len(self._places)
        sources: list[Source] = []
        if response.is_sample:
            self._has_samples = True
        else:
            sources = [Source.of(0, item) for item in response.items]
            for item in response.items:
                self._has_results = True
                key, place = page_key(item.url), (item.rank, call)
                if key not in self._places:
                    self._waiting[key] = item
                self._places[key] = min(place, self._places.get(key, place))
        finished = SearchFinished.of(started, response, sources)
        new = len(self._places) - before
        self._tell(replace(finished, took_ms=ms_since(started.at), new=new))
        # Engines that failed beside others are named once for each cause.
        known = {(one.error.provider, one.error.full_code) for one in self.partly}
        for failure in response.errors:
            if (failure.provider, failure.full_code) not in known:
                self.partly.append(SearchFailed.of(started, failure))
        self._open_best(pages, share, call)

    def _fail(self, started: SearchStarted, error: SearchError) -> None:
        del self._asking[started.call]
        self.failed.append(SearchFailed.of(started, error))
        self._tell(self.failed[-1])

    def _open_best(self, pages: Pages, count: int, call: int | None = None) -> None:
        """Open *count* results, those of one search or of all, the best first."""
        ranked = sorted(self._waiting, key=lambda key: self._places[key])
        own = [key for key in ranked if call in (None, self._places[key][1])]
        for key in own[: max(count, 0)]:
            if not self._open(pages, self._waiting[key]):
                return
            del self._waiting[key]

    def _open(self, pages: Pages, item: SearchItem) -> bool:
        """Begin to read a page; False if that is off or the budget is spent."""
        if not self._reader.is_enabled or not self._meter.take_page():
            return False
        call = str(len(self._reads))
        self._opened[call] = item
        self._reads.append(asyncio.create_task(self._read(pages, call, item)))
        return True

    async def _read(self, pages: Pages, call: str, item: SearchItem) -> None:
        started = ReadingStarted((Source.of(0, item),), call)
        self._reading[call] = started
        self._tell(started)
        outcome = await pages.read(started.sources[0])
        outcome = replace(outcome, took_ms=ms_since(started.at))
        if outcome.page is None:
            self._give_up(started, outcome)
            return
        await self._library.add_page(outcome.source)
        del self._reading[call], self._opened[call]
        text = outcome.page.text
        digest = sha256(text.encode(errors="replace")).hexdigest()
        is_double = digest in self._digests
        self._digests.add(digest)
        slim = replace(
            outcome,
            source=replace(outcome.source, text="", markdown=""),
            page=None,
            characters=len(text),
            digest=digest,
            is_double=is_double,
        )
        self._tell(ReadingFinished((slim,), outcome.took_ms, call))

    def _give_up(self, started: ReadingStarted, outcome: PageOutcome) -> None:
        del self._reading[started.call]
        self.unread.append(outcome)
        self._tell(ReadingFinished((outcome,), outcome.took_ms, started.call))
