"""Steps above an answer: its searches, its pages and the model's thoughts."""

import asyncio
from dataclasses import dataclass
from typing import Final

import chainlit as cl
from chainlit.utils import utc_now

from agent import Completion, events
from citations import PageLinker, source_list
from ui.answer.completed import completed_text
from ui.answer.search_errors import Explanation
from ui.answer.streaming import Coalescer
from ui.texts import text
from untrusted.text import one_line
from websearch import SearchError, engine_title
from websearch.causes import short

QUERY_SHOWN: Final = 60
COMPLETED_SHOWN: Final = 100  # what was added can stand at the end
TOO_SHORT_TO_COUNT: Final = 100  # milliseconds
DRAWN_SECONDS: Final = 0.1  # until the browser has drawn the last update


@dataclass(frozen=True, slots=True)
class _Open:
    """A running step, and its line if the answer is stopped."""

    step: cl.Step
    stopped: str
    completion: Completion | None = None


class ToolSteps:
    """One step for each search and each reading, in the order of their start."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._open: dict[tuple[str, str], _Open] = {}
        self._explained: set[str] = set()
        self._filling: set[asyncio.Task[None]] = set()

    async def start_search(self, event: events.SearchStarted) -> None:
        """Show a running search with its query, which a second event replaces."""
        key, completion = ("search", event.call), event.completion
        line, stopped = (
            self._query_line(name, event.query, completion)
            for name in ("searching", "search_stopped")
        )
        if running := self._open.get(key):
            running.step.name = line
            await running.step.update()
        else:
            await self._start(key, line, stopped)
        step = self._open[key].step
        self._open[key] = _Open(step, stopped, completion)

    async def finish_search(self, event: events.SearchFinished, results: str) -> None:
        """Show the number of results; *results* appear when the step is opened."""
        completion = self._open[("search", event.call)].completion
        found = self._query_line(
            "found" if event.sources else "found_nothing",
            event.query,
            completion,
            count=len(event.sources),
            provider=engine_title(event.provider, self._language),
            seconds=_seconds(event.took_ms),
        )
        cached = text("from_cache", self._language) if event.cached else ""
        step = self._close(("search", event.call))
        step.name = _joined(found, cached)
        await self._collapse(step, results)

    async def fail_search(
        self, event: events.SearchFailed, explanation: Explanation
    ) -> None:
        """Show the error; the step stays open the first time that it explains it."""
        completion = self._open[("search", event.call)].completion
        step = self._close(("search", event.call))
        step.name = self._query_line(
            "search_failed",
            event.query,
            completion,
            title=explanation.title,
            seconds=_seconds(event.took_ms),
        )
        step.is_error = True
        if explanation.details in self._explained:
            await self._collapse(step, explanation.details)
            return
        self._explained.add(explanation.details)
        await self._leave_open(step, explanation.details)

    async def start_reading(self, event: events.ReadingStarted) -> None:
        """Show how many pages are being read, or which one."""
        domain = event.sources[0].domain if len(event.sources) == 1 else ""
        line = text(
            "reading_one" if domain else "reading_many",
            self._language,
            domain=domain,
            count=len(event.sources),
        )
        stopped = text("reading_stopped", self._language)
        await self._start(("reading", event.call), line, stopped)

    async def finish_reading(self, event: events.ReadingFinished) -> None:
        """Show how many pages were read, with a line for each of them inside."""
        step = self._close(("reading", event.call))
        step.name = self._reading_line(event)
        unread = [one for one in event.pages if one.error]
        step.is_error = len(unread) == len(event.pages)
        marks = {one.source.number: self._outcome(one) for one in event.pages}
        hint = text("open_source", self._language)
        lines = source_list((one.source for one in event.pages), marks, hint=hint)
        # A page without a snippet is one that the user named.
        if any(not one.source.snippet for one in unread) and len(event.pages) > 1:
            await self._leave_open(step, lines)
        else:
            await self._collapse(step, lines)

    async def end(self) -> None:
        """Mark running steps as stopped."""
        for key, running in list(self._open.items()):
            step = self._close(key)
            step.name = running.stopped
            await step.update()

    async def wait_until_filled(self) -> None:
        """Wait until each step has its content."""
        await asyncio.gather(*self._filling)

    async def _start(self, key: tuple[str, str], line: str, stopped: str) -> None:
        step = _step(line, "search" if key[0] == "search" else "book-open")
        # Chainlit can collapse a drawn step, but not open it: each starts open and
        # empty, and only a failed one stays open.
        step.default_open, step.auto_collapse = True, True
        self._open[key] = _Open(step, stopped)
        await step.send()

    def _close(self, key: tuple[str, str]) -> cl.Step:
        step = self._open.pop(key).step
        step.end = utc_now()
        return step

    async def _collapse(self, step: cl.Step, inside: str) -> None:
        await step.update()
        if inside:
            filling = asyncio.create_task(_fill(step, inside))
            self._filling.add(filling)
            filling.add_done_callback(self._filling.discard)

    async def _leave_open(self, step: cl.Step, inside: str) -> None:
        step.auto_collapse, step.output = False, inside
        await step.update()

    def _query_line(
        self,
        name: str,
        query: str,
        completion: Completion | None = None,
        **values: object,
    ) -> str:
        words = one_line(query, QUERY_SHOWN)
        if completion is not None:
            completed = completed_text(completion, self._language)
            words = one_line(completed, COMPLETED_SHOWN)
        line = text(name, self._language, query=words, **values)
        return text("completed", self._language, line=line) if completion else line

    def _reading_line(self, event: events.ReadingFinished) -> str:
        """Counts of pages, or the outcome of the only one."""
        read = sum(one.page is not None for one in event.pages)
        name = "read" if read == len(event.pages) else "read_some"
        if not read:
            name = "read_none"
        if len(event.pages) > 1:
            unread = len(event.pages) - read
            line = text(name, self._language, count=read, unread=unread)
            return _joined(line, _seconds(event.took_ms))
        only = event.pages[0]
        name = "read_one" if read else "read_none_one"
        line = text(name, self._language, domain=only.source.domain)
        return _joined(line, self._outcome(only))

    def _outcome(self, one: events.PageOutcome) -> str:
        """Facts of a page that was read, or the reason why it was not."""
        seconds, page = _seconds(one.took_ms), one.page
        if one.error is not None:
            return _joined(self._reason(one.error), seconds)
        if page is None:
            return seconds
        return _joined(
            text("full_text", self._language),
            text("characters", self._language, count=f"{len(page.text):,}"),
            (page.published_at or "")[:10],
            text("cut", self._language) if page.truncated else "",
            text("from_cache", self._language) if page.cached else seconds,
        )

    def _reason(self, error: SearchError) -> str:
        """The reason why a page was not read, and how long the site wants to rest."""
        reason = short(error, self._language)
        if error.retry_after is None:
            return reason
        wait = text("retry_after", self._language, seconds=round(error.retry_after))
        return _joined(reason, wait)


class Thoughts:
    """The model's thoughts before an answer, in a collapsed step."""

    def __init__(self, language: str, linker: PageLinker) -> None:
        self._step = _step(text("thinking", language), "lightbulb")
        self._linker = linker
        self._stream = Coalescer(self._step.stream_token)
        self._written: list[str] = []

    async def begin(self) -> None:
        """Show the step."""
        await self._step.send()

    async def add(self, words: str) -> None:
        """Stream more thoughts."""
        await self._show(self._linker.feed(words))

    async def end(self) -> None:
        """Replace the streamed text by the complete thoughts."""
        await self._show(self._linker.close())
        await self._stream.flush()
        self._step.output = "".join(self._written)
        self._step.end = utc_now()
        await self._step.update()

    async def _show(self, piece: str) -> None:
        self._written.append(piece)
        await self._stream.add(piece)


def _step(name: str, icon: str) -> cl.Step:
    """A step of the current run; without a parent it is drawn after the answer."""
    step = cl.Step(name=name, type="tool", icon=icon, show_input=False)
    step.parent_id = cl.context.current_run.id if cl.context.current_run else None
    step.start = utc_now()  # until its end the page shows that it is running
    return step


async def _fill(step: cl.Step, inside: str) -> None:
    """Add the content once the step has collapsed; before, it would flash up."""
    await asyncio.sleep(DRAWN_SECONDS)
    step.output = inside
    await step.update()


def _joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def _seconds(took_ms: int) -> str:
    return f"{took_ms / 1000:.1f} s" if took_ms >= TOO_SHORT_TO_COUNT else "<0.1 s"
