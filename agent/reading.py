"""Read the pages behind an answer: each begun as early as possible, one time limit."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Final, Self, TypeAlias

from agent.events import PageOutcome, ReadingFinished, ms_since
from citations import Source
from text.passages import Excerpt, pick
from text.rank import Passage
from untrusted.urls import page_key
from websearch import Page, PageReader, SearchError, SearchResponse, Timeout

MOST_GIVEN: Final = 3  # addresses in one question that are read
SECONDS: Final = 3.0  # for the pages of the results; a later one stays its snippet

_Result: TypeAlias = tuple[Page | SearchError, int]  # with its milliseconds


class Reading:
    """
    The pages of one answer.

    `begin` starts to download a page, `finish` waits for those that are wanted. At the
    end of the `async with` block every download still running is cancelled.
    """

    def __init__(self, reader: PageReader) -> None:
        self._reader = reader
        self._tasks: dict[str, asyncio.Task[_Result]] = {}

    @classmethod
    @asynccontextmanager
    async def of(cls, reader: PageReader) -> AsyncIterator[Self]:
        """Read with *reader*; a worker process is started for the first page."""
        reading, warming = cls(reader), asyncio.create_task(reader.warm())
        try:
            yield reading
        finally:
            tasks = [warming, *reading._tasks.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def begin(self, urls: Sequence[str]) -> None:
        """Start to read the pages of *urls*."""
        for url in urls:
            key = page_key(url)
            if key not in self._tasks:
                self._tasks[key] = asyncio.create_task(_read(self._reader, url))

    async def finish(
        self, sources: Sequence[Source], call: str = ""
    ) -> ReadingFinished:
        """Wait for the pages of *sources*; one that is late is told as a timeout."""
        started = time.monotonic()
        self.begin([source.url for source in sources])
        tasks = {source.number: self._tasks[page_key(source.url)] for source in sources}
        if tasks:
            await asyncio.wait(tasks.values(), timeout=SECONDS)
        took_ms = ms_since(started)
        pages = [_outcome(one, tasks[one.number], took_ms) for one in sources]
        return ReadingFinished(pages, took_ms, call)


@dataclass(frozen=True, slots=True)
class Found:
    """The response to a search, and those of its results that are shown, numbered."""

    response: SearchResponse
    sources: Sequence[Source]


@dataclass(slots=True)
class Material:
    """
    The sources of an answer, and the outcome of its search; None: no search.

    *topic* is the question as it was searched.
    """

    found: SearchResponse | SearchError | None = None
    sources: dict[int, Source] = field(default_factory=dict)
    topic: str = ""

    @property
    def pages(self) -> list[Source]:
        """The sources whose pages are worth reading: all but offline samples."""
        is_sample = isinstance(self.found, SearchResponse) and self.found.is_sample
        return [s for s in self.sources.values() if not (is_sample and s.snippet)]

    def add(self, sources: Iterable[Source]) -> None:
        """Add *sources*, or replace those of the same numbers."""
        self.sources |= {source.number: source for source in sources}


def excerpts(
    question: str, sources: Iterable[Source], budget: int
) -> dict[int, Excerpt]:
    """Take the passages that fit *question* from the pages that were read."""
    read = [source for source in sources if source.is_read]
    pages = [Passage(one.number, one.title, one.text, one.url) for one in read]
    cut = {source.number for source in read if source.truncated}
    return {
        one.number: replace(one, is_whole=one.is_whole and one.number not in cut)
        for one in pick(question, pages, budget)
        if one.text
    }


async def _read(reader: PageReader, url: str) -> _Result:
    started = time.monotonic()
    try:
        page = await reader.aread(url)
    except SearchError as error:
        return error, ms_since(started)
    return page, ms_since(started)


def _outcome(
    source: Source, task: asyncio.Task[_Result], waited_ms: int
) -> PageOutcome:
    if not task.done():
        late = Timeout("The page did not come in time.", detail_code="page_slow")
        return PageOutcome(source, error=late, took_ms=waited_ms)
    result, took_ms = task.result()
    if isinstance(result, SearchError):
        return PageOutcome(source, error=result, took_ms=took_ms)
    return PageOutcome(with_page(source, result), result, took_ms=took_ms)


def with_page(source: Source, page: Page) -> Source:
    """Add the text of *page* to its *source*, and its title where there was none."""
    return replace(
        source,
        title=source.title or page.title,
        published_at=page.published_at or source.published_at,
        text=page.text,
        truncated=page.truncated,
    )
