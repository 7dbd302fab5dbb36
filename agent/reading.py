"""Read the pages behind an answer or a report: the one reader of all of them."""

import asyncio
import logging
import time
import traceback
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, Self

from agent.events import PageEnded, PageOutcome, ReadingFinished, ms_since
from citations import Source
from untrusted.urls import page_key
from websearch import PageReader, SearchError, Timeout, WebProviderError

logger = logging.getLogger(__name__)

PAGES_AT_ONCE: Final = 20


class Pages:
    """
    The pages of one answer, of which some are read at once.

    `read` reads a page and waits for it. `begin` starts to read pages in the background
    and `finish` waits for them; both belong into an `async with` block, whose end
    cancels what still runs.
    """

    def __init__(self, reader: PageReader) -> None:
        self._reader = reader
        self._free = asyncio.Semaphore(PAGES_AT_ONCE)
        self._running: dict[str, asyncio.Task[PageOutcome]] = {}  # by the page's key
        self._warming: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Start a worker process for the first page."""
        self._warming = asyncio.create_task(self._reader.warm())
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks = [task for task in (self._warming, *self._running.values()) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def read(self, source: Source) -> PageOutcome:
        """Read the page of *source*; a failure is an outcome, too."""
        async with self._free:
            started = time.monotonic()
            try:
                with foreign_errors():
                    page = await self._reader.aread(source.url)
            except SearchError as error:
                return PageOutcome(source, error=error, took_ms=ms_since(started))
        return PageOutcome(source.merged(page), page, took_ms=ms_since(started))

    def begin(self, sources: Iterable[Source]) -> None:
        """Start to read the pages of *sources*."""
        for source in sources:
            key = page_key(source.url)
            if key not in self._running:
                self._running[key] = asyncio.create_task(self.read(source))

    async def finish(
        self, sources: Sequence[Source], seconds: float, call: str = ""
    ) -> AsyncGenerator[PageEnded | ReadingFinished, None]:
        """
        Wait for the pages of *sources*, and yield each as it comes, then all of them.

        One that is late is told as a timeout.
        """
        started = time.monotonic()
        self.begin(sources)
        tasks = {self._running[page_key(one.url)]: one for one in sources}
        waiting = set(tasks)
        while waiting and (left := seconds - (time.monotonic() - started)) > 0:
            done, waiting = await asyncio.wait(
                waiting, timeout=left, return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                yield PageEnded(replace(task.result(), source=tasks[task]), call)
        took_ms = ms_since(started)
        pages: list[PageOutcome] = []
        for source in sources:
            task = self._running[page_key(source.url)]
            outcome = task.result() if task.done() else late(source, took_ms)
            # With what the search has told of the page meanwhile.
            known = source.merged(outcome.page) if outcome.page else source
            pages.append(replace(outcome, source=known))
        yield ReadingFinished(pages, took_ms, call)


def late(source: Source, waited_ms: int) -> PageOutcome:
    """The outcome of a page that did not come in time."""
    error = Timeout("The page did not come in time.", detail_code="page_slow")
    return PageOutcome(source, error=error, took_ms=waited_ms)


@contextmanager
def foreign_errors() -> Iterator[None]:
    """Make a defect a failed call: it would end the run and the parallel calls."""
    try:
        yield
    except SearchError:
        raise
    except Exception as error:
        # Without its text, which can hold the query.
        trace = "".join(traceback.format_tb(error.__traceback__))
        logger.error("A call failed: %s\n%s", type(error).__name__, trace)  # noqa: TRY400
        raise WebProviderError(f"unforeseen: {type(error).__name__}") from error
