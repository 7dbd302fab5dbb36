"""Steps above an answer: its searches, its pages and the model's thoughts."""

import asyncio
from dataclasses import dataclass, replace
from typing import Final

from chainlit.utils import utc_now

from agent import Completion, ModelState, events
from citations import PageLinker, source_list
from ui.answer.again import completed_text
from ui.answer.search_errors import Explanation, steps
from ui.answer.streaming import Coalescer
from ui.steps import (
    QUERY_SHOWN,
    DrawnStep,
    StepView,
    joined,
    new_step,
    pages_line,
    search_line,
    seconds,
)
from ui.texts import text
from untrusted.text import one_line, shown
from websearch import engine_title
from websearch.causes import short
from websearch.doctor import Finding

COMPLETED_SHOWN: Final = 100  # what was added can stand at the end
DRAWN_SECONDS: Final = 0.1  # until the browser has drawn the last update


@dataclass(frozen=True, slots=True)
class _Running:
    """A step that has not ended, and its title if the answer is stopped."""

    step: DrawnStep
    stopped: str
    completion: Completion | None = None


class ToolSteps:
    """One step for each search and each reading, in the order of their start."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._running: dict[tuple[str, str], _Running] = {}
        self._explained: set[str] = set()
        self._filling: set[asyncio.Task[None]] = set()
        self._cut = DrawnStep("scissors")

    async def start_search(self, event: events.SearchStarted) -> None:
        """Show a running search with its query, which a second event replaces."""
        key, completion = ("search", event.call), event.completion
        query = self._query(event.query, completion)
        title, stopped = (
            self._completed(text(name, self._language, query=query), completion)
            for name in ("searching", "search_stopped")
        )
        known = self._running.get(key)
        step = known.step if known else DrawnStep("search")
        self._running[key] = _Running(step, stopped, completion)
        await step.draw(StepView(title, is_running=True))

    async def finish_search(self, event: events.SearchFinished, results: str) -> None:
        """Show the number of results; *results* appear when the step is opened."""
        running = self._running.pop(("search", event.call))
        line = search_line(
            self._query(event.query, running.completion),
            len(event.sources),
            engine_title(event.provider, self._language),
            event.took_ms,
            self._language,
            is_cached=event.cached,
        )
        title = self._completed(line, running.completion)
        await self._finish(running.step, StepView(title, results))

    async def fail_search(
        self, event: events.SearchFailed, explanation: Explanation
    ) -> None:
        """Show the error; the step stays open the first time that it explains it."""
        running = self._running.pop(("search", event.call))
        line = text(
            "search_failed",
            self._language,
            query=self._query(event.query, running.completion),
            title=explanation.title,
            seconds=seconds(event.took_ms),
        )
        title, details = self._completed(line, running.completion), explanation.details
        is_news = details not in self._explained
        self._explained.add(details)
        view = StepView(title, details, is_open=is_news, is_error=True)
        await self._finish(running.step, view)

    async def start_reading(self, event: events.ReadingStarted) -> None:
        """Show how many pages are being read, or which one."""
        domain = event.sources[0].domain if len(event.sources) == 1 else ""
        name, count = "reading_one" if domain else "reading_many", len(event.sources)
        title = text(name, self._language, domain=domain, count=count)
        step, stopped = DrawnStep("book-open"), text("reading_stopped", self._language)
        self._running["reading", event.call] = _Running(step, stopped)
        await step.draw(StepView(title, is_running=True))

    async def finish_reading(self, event: events.ReadingFinished) -> None:
        """Show how many pages were read, with a line for each of them inside."""
        pages, step = event.pages, self._running.pop(("reading", event.call)).step
        read = sum(page.page is not None for page in pages)
        unread = [page for page in pages if page.error]
        if len(pages) > 1:
            title = pages_line(read, len(pages) - read, event.took_ms, self._language)
        else:
            name, only = "read_one" if read else "read_none_one", pages[0]
            line = text(name, self._language, domain=only.source.domain)
            title = joined(line, self._outcome(only))
        if event.spared:
            title = joined(
                title, text("read_fewer", self._language, count=event.spared)
            )
        lines = source_list(
            (page.source for page in pages),
            {page.source.number: self._outcome(page) for page in pages},
            hint=text("open_source", self._language),
        )
        # A page without a snippet is one that the user named.
        is_open = len(pages) > 1 and any(not page.source.snippet for page in unread)
        is_error = len(unread) == len(pages)
        view = StepView(title, lines, is_open=is_open, is_error=is_error)
        await self._finish(step, view)

    async def show_cut(self, event: events.PromptCut) -> None:
        """Show what of pages and history the model has no room for, and the remedy."""
        facts = {"given": f"{event.given:,}", "whole": f"{event.whole:,}"}
        line = joined(
            text("prompt_cut", self._language, tokens=f"{event.context:,}"),
            text("pages_cut", self._language, **facts) if event.whole else "",
            text("turns_cut", self._language, count=event.turns) if event.turns else "",
        )
        advice = Finding(ModelState.SMALL_CONTEXT).advice(self._language, shown)
        await self._cut.draw(StepView(line, steps(advice)))

    async def end(self) -> None:
        """Mark running steps as stopped."""
        stopped = [*self._running.values()]
        self._running.clear()
        for running in stopped:
            await running.step.draw(StepView(running.stopped))

    async def wait_until_filled(self) -> None:
        """Wait until each step has its body."""
        await asyncio.gather(*self._filling)

    async def _finish(self, step: DrawnStep, view: StepView) -> None:
        """Collapse the step before it gets its body, which would flash up."""
        if view.is_open or not view.body:
            await step.draw(view)
            return

        async def fill() -> None:
            await asyncio.sleep(DRAWN_SECONDS)
            await step.draw(view)

        await step.draw(replace(view, body=""))
        filling = asyncio.create_task(fill())
        self._filling.add(filling)
        filling.add_done_callback(self._filling.discard)

    def _query(self, query: str, completion: Completion | None) -> str:
        """The words that are searched, short enough for a title."""
        if completion is None:
            return one_line(query, QUERY_SHOWN)
        return one_line(completed_text(completion, self._language), COMPLETED_SHOWN)

    def _completed(self, line: str, completion: Completion | None) -> str:
        return text("completed", self._language, line=line) if completion else line

    def _outcome(self, outcome: events.PageOutcome) -> str:
        """Facts of a page that was read, or the reason why it was not."""
        took, page, error = seconds(outcome.took_ms), outcome.page, outcome.error
        if error is not None:
            reason = short(error, self._language)
            if (rest := error.retry_after) is not None:
                wait = text("retry_after", self._language, seconds=round(rest))
                reason = joined(reason, wait)
            return joined(reason, took)
        if page is None:
            return took
        return joined(
            text("full_text", self._language),
            text("characters", self._language, count=f"{len(page.text):,}"),
            (page.published_at or "")[:10],
            text("cut", self._language) if page.truncated else "",
            text("from_cache", self._language) if page.cached else took,
        )


class Thoughts:
    """The model's thoughts before an answer, in a collapsed step."""

    def __init__(self, language: str, linker: PageLinker) -> None:
        self._step = new_step(text("thinking", language), "lightbulb")
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
