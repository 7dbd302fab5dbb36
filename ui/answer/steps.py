"""Steps above an answer: one line for its searches and pages, and the thoughts."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import chainlit as cl
from chainlit.utils import utc_now

from agent import ModelState, events
from citations import PageLinker, Source, source_list
from ui.answer.again import completed_text
from ui.answer.search_errors import Explanation, steps
from ui.answer.streaming import Coalescer
from ui.steps import (
    QUERY_SHOWN,
    DrawnStep,
    StepView,
    counted,
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


@dataclass(slots=True)
class _Search:
    """A search, what came of it in words, and *notes* about it as Markdown."""

    started: events.SearchStarted
    state: str
    is_running: bool = True
    is_failed: bool = False
    is_cached: bool = False
    sources: Iterable[Source] = ()
    notes: str = ""


@dataclass(slots=True)
class _Reading:
    """Pages that are read together; *ended* are the outcomes so far, by number."""

    started: events.ReadingStarted
    is_running: bool = True
    spared: int = 0
    ended: dict[int, events.PageOutcome] = field(default_factory=dict)


class Work:
    """
    One line for all searches and pages of an answer, which counts up.

    Opened by the reader, it lists each search with its query and its results, each page
    with what came of it, and what the model said in between.
    """

    def __init__(self, language: str) -> None:
        self._language = language
        self._line = DrawnStep("search", starts_closed=True)
        self._cut = DrawnStep("scissors")
        self._parts: list[_Search | str] = []  # in their order; a text is an aside
        self._searches: dict[str, _Search] = {}  # the latest of each call
        self._readings: dict[str, _Reading] = {}
        self._has_ended = False
        self._began: float | None = None
        self._ended = 0.0

    @property
    def has_begun(self) -> bool:
        """Tell if the line stands on the page."""
        return self._began is not None

    async def start_search(self, event: events.SearchStarted) -> None:
        """Show a running search with its query, which a second event replaces."""
        known = self._searches.get(event.call)
        if known is not None and known.is_running:
            known.started = event
        else:
            search = _Search(event, text("searching", self._language))
            self._searches[event.call] = search
            self._parts.append(search)
        await self._go_on(event.at)

    async def finish_search(self, event: events.SearchFinished, notes: str) -> None:
        """Show the results, and *notes* about the engines."""
        search = self._searches[event.call]
        search.state = search_line(
            len(event.sources),
            shown(engine_title(event.provider, self._language)),
            event.took_ms,
            self._language,
            is_cached=event.cached,
        )
        search.is_running, search.is_cached = False, event.cached
        search.sources, search.notes = event.sources, notes
        await self._go_on(search.started.at, event.took_ms)

    async def fail_search(
        self, event: events.SearchFailed, explanation: Explanation
    ) -> None:
        """Show the error; the first of equal ones is explained."""
        search, details = self._searches[event.call], explanation.details
        search.state = text(
            "search_failed_because",
            self._language,
            title=explanation.title,
            seconds=seconds(event.took_ms),
        )
        search.is_running, search.is_failed = False, True
        notes = [one.notes for one in self._parts if isinstance(one, _Search)]
        search.notes = "" if details in notes else details
        await self._go_on(search.started.at, event.took_ms)

    async def start_reading(self, event: events.ReadingStarted) -> None:
        """Show that pages are being read; each is a letter that waits to be filled."""
        self._readings[event.call] = _Reading(event)
        await self._go_on(event.at)
        await self._show_letters(event.call)

    async def end_page(self, event: events.PageEnded) -> None:
        """Fill the letter of a page."""
        outcome = event.outcome
        self._readings[event.call].ended[outcome.source.number] = outcome
        await self._show_letters(event.call)

    async def finish_reading(self, event: events.ReadingFinished) -> None:
        """Count the pages that were read, and those that could not be."""
        reading = self._readings[event.call]
        reading.is_running, reading.spared = False, event.spared
        reading.ended = {page.source.number: page for page in event.pages}
        await self._go_on(reading.started.at, event.took_ms)

    async def add_aside(self, words: str) -> None:
        """Keep what the model said before a search; it is no answer."""
        self._parts.append(words)
        if self.has_begun:
            await self._draw()

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

    async def rest(self) -> None:
        """End the line: the answer is being written, or is over."""
        if self.has_begun and not self._has_ended:
            self._has_ended = True
            await self._draw()

    async def stop(self) -> None:
        """Mark what still runs as stopped."""
        for search in self._searches.values():
            if search.is_running:
                search.is_running = False
                search.state = text("search_stopped", self._language)
        for reading in self._readings.values():
            reading.is_running = False
        await self.rest()

    async def _go_on(self, began: float, took_ms: int = 0) -> None:
        self._has_ended = False
        self._began = began if self._began is None else self._began
        self._ended = max(self._ended, began + took_ms / 1000)
        await self._draw()

    async def _draw(self) -> None:
        is_running = not self._has_ended
        view = StepView(self._title(), self._body(), is_running=is_running)
        await self._line.draw(view)

    def _title(self) -> str:
        """What was done so far, and what runs now."""
        searches = [one for one in self._parts if isinstance(one, _Search)]
        running = [one for one in searches if one.is_running]
        ended = [one for one in searches if not one.is_running]
        is_by_model = any(one.started.call for one in searches)
        failed = sum(one.is_failed for one in ended)
        cached = sum(one.is_cached for one in ended)
        found = {source.number for one in ended for source in one.sources}
        parts = [self._completed(searches)]
        if is_by_model:
            parts += [
                counted("searches", len(ended), self._language) if ended else "",
                self._text("searches_failed", count=failed) if failed else "",
                self._text("searches_cached", count=cached) if cached else "",
            ]
        elif failed:
            parts.append(self._text("search_failed"))
        if found:
            parts.append(counted("results", len(found), self._language))
        elif ended and not failed and not running:
            parts.append(self._text("no_results"))
        if cached and not is_by_model:
            parts.append(self._text("from_cache"))
        parts.append(self._pages())
        reading = [one for one in self._readings.values() if one.is_running]
        if running and is_by_model:
            queries = " ".join(f"“{self._query(one.started)}”" for one in running)
            query = one_line(queries, QUERY_SHOWN)
            parts.append(self._text("searching_for", query=query))
        elif running:
            parts.append(self._text("searching"))
        elif reading:
            sources = [source for one in reading for source in one.started.sources]
            name = "reading_one" if len(sources) == 1 else "reading_many"
            facts = {"domain": sources[0].domain, "count": len(sources)}
            parts.append(self._text(name, **facts))
        elif self._has_ended:
            took = self._ended - (self._began or 0.0)
            parts.append(seconds(round(1000 * took)))
        return joined(*parts)

    def _pages(self) -> str:
        """The pages that were read; those that were not, an address by its name."""
        pages = {
            number: page
            for reading in self._readings.values()
            if not reading.is_running
            for number, page in reading.ended.items()
        }
        if not pages:
            return ""
        unread = [page for page in pages.values() if page.page is None]
        given = [page.source.domain for page in unread if not page.source.snippet]
        read, others = len(pages) - len(unread), len(unread) - len(given)
        line = pages_line(read, others, self._language) if read or others else ""
        spared = sum(reading.spared for reading in self._readings.values())
        return joined(
            line,
            *(self._text("unread_page", domain=one) for one in given),
            self._text("read_fewer", count=spared) if spared else "",
        )

    def _body(self) -> str:
        """Each search and its sources, a page once, and the words in between."""
        listed: set[int] = set()
        parts: list[str] = []
        for one in self._parts:
            if isinstance(one, str):
                parts.append("> " + one.replace("\n", "\n> "))
                continue
            if one.is_running and not one.started.call:
                continue  # the line says it
            known = [source.number for source in one.sources if source.number in listed]
            new = [source for source in one.sources if source.number not in listed]
            listed |= {source.number for source in new}
            query = f"**“{shown(self._query(one.started))}”** "
            parts.append((query if one.started.call else "") + one.state)
            parts.append(self._list(new))
            if known:
                numbers = " ".join(f"**[{number}]**" for number in known)
                parts.append(self._text("found_again", numbers=numbers))
            parts.append(one.notes)
        opened = {
            source.number: source
            for reading in self._readings.values()
            for source in reading.started.sources
            if source.number not in listed
        }
        parts.append(self._list(opened.values()))
        return "\n\n".join(filter(None, parts))

    def _list(self, sources: Iterable[Source]) -> str:
        """A line for each source, with what came of reading its page."""
        outcomes = {
            number: self._outcome(page)
            for reading in self._readings.values()
            for number, page in reading.ended.items()
        }
        return source_list(sources, outcomes, hint=self._text("open_source"))

    def _outcome(self, outcome: events.PageOutcome) -> str:
        """What came of reading a page, and the time that it took."""
        facts = page_facts(outcome, self._language)
        is_cached = outcome.page is not None and outcome.page.cached
        took = self._text("from_cache") if is_cached else seconds(outcome.took_ms)
        return joined(facts, took)

    async def _show_letters(self, call: str) -> None:
        """Send the page its letters: a page each, filled as soon as it was read."""
        reading = self._readings[call]
        if len(reading.started.sources) == 1:
            return
        pages = []
        for source in reading.started.sources:
            ended = reading.ended.get(source.number)
            state = "waiting" if ended is None else "read" if ended.page else "unread"
            pages.append({"domain": source.domain, "state": state})
        message = {"type": "websearch:pages", "id": self._line.id, "pages": pages}
        await cl.send_window_message(message)

    def _completed(self, searches: Iterable[_Search]) -> str:
        """The words that are searched in place of the question, if it was completed."""
        for search in searches:
            if search.started.completion:
                query = self._query(search.started)
                return self._text("searched_for", query=query)
        return ""

    def _query(self, started: events.SearchStarted) -> str:
        """The words that are searched, short enough for a line."""
        if (completion := started.completion) is None:
            return one_line(started.query, QUERY_SHOWN)
        # What was added can stand at the end.
        return one_line(completed_text(completion, self._language), 100)

    def _text(self, name: str, **values: object) -> str:
        return text(name, self._language, **values)


def page_facts(outcome: events.PageOutcome, language: str) -> str:
    """What came of reading a page: its length and date, or why it was not read."""
    if (error := outcome.error) is not None:
        rest = error.retry_after
        wait = (
            "" if rest is None else text("retry_after", language, seconds=round(rest))
        )
        return joined(short(error, language), wait)
    if (page := outcome.page) is None:
        return ""
    return joined(
        text("full_text", language),
        text("characters", language, count=f"{len(page.text):,}"),
        (page.published_at or "")[:10],
        text("cut", language) if page.truncated else "",
    )


class Thoughts:
    """The model's thoughts before an answer, in one collapsed step."""

    def __init__(self, language: str, linker: Callable[[], PageLinker]) -> None:
        self._new_linker = linker
        self._step = new_step(text("thinking", language), "lightbulb")
        self._stream = Coalescer(self._step.stream_token)
        self._linker: PageLinker | None = None
        self._written: list[str] = []

    async def add(self, words: str) -> None:
        """Stream more thoughts; after a search they go on in the same step."""
        if self._linker is None:
            self._linker = self._new_linker()
            self._step.end = None
            await (self._step.update() if self._written else self._step.send())
            if self._written:
                await self._show("\n\n")
        await self._show(self._linker.feed(words))

    async def end(self) -> None:
        """Replace the streamed text by the complete thoughts."""
        if self._linker is None:
            return
        await self._show(self._linker.close())
        self._linker = None
        await self._stream.flush()
        self._step.output = "".join(self._written)
        self._step.end = utc_now()
        await self._step.update()

    async def _show(self, piece: str) -> None:
        self._written.append(piece)
        await self._stream.add(piece)
