"""Search, read pages and quote without a model: the steps that both modes share."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Final

from agent.causes import ModelProblem
from agent.events import (
    Event,
    Failed,
    Notice,
    NoticeKind,
    ReadingFinished,
    ReadingStarted,
    SearchFailed,
    SearchFinished,
    SearchStarted,
)
from agent.follow_up.addresses import asks_to_read, words_beside
from agent.history import Turn
from agent.models.catalog import Model
from agent.models.stream import Written
from agent.numbered_search import Searches
from agent.prompts import new_fence
from agent.reading import Pages
from agent.settings import AgentSettings
from agent.without_model.answer import answer_text, stream
from citations import CitationManager, Source
from untrusted.urls import addresses_in
from websearch import PageReader, SearchError, SearchResponse, SearchService

MOST_GIVEN: Final = 3  # addresses in one question that are read
READ_SECONDS: Final = 3.0  # for the pages; one that is later stays its snippet
BUSY_PAGES: Final = 2  # for one answer, while the server writes many others


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, what may answer it, and what was said before."""

    question: str
    model: Model
    search: SearchService | None  # None: search is off
    reader: PageReader
    settings: AgentSettings
    history: Sequence[Turn] = ()
    instructions: str = ""
    citations: CitationManager = field(default_factory=CitationManager)
    fence: str = field(default_factory=new_fence, repr=False)
    is_busy: Callable[[], bool] = lambda: False  # fewer pages are read while it is

    @property
    def can_read(self) -> bool:
        """Tell if pages may be read for the answer."""
        return self.search is not None and self.reader.is_enabled

    @property
    def query(self) -> str:
        """The question without its addresses; '' where it asks to read them only."""
        if not addresses_in(self.question, 1):
            return self.question
        if self.can_read and asks_to_read(self.question):
            return ""
        return words_beside(self.question) or self.question

    @property
    def notices(self) -> list[Event]:
        """The reason why the addresses in the question are not read, if any."""
        if self.can_read or not addresses_in(self.question, 1):
            return []
        is_off = NoticeKind.ADDRESS_READING_OFF
        return [Notice(is_off if self.search else NoticeKind.ADDRESS_SEARCH_OFF)]


@dataclass(slots=True)
class Material:
    """
    The sources of an answer, and the outcome of its search; None: no search.

    *topic* is the question as it was searched.
    """

    outcome: SearchResponse | SearchError | None = None
    sources: dict[int, Source] = field(default_factory=dict)
    topic: str = ""

    def add(self, sources: Iterable[Source]) -> None:
        """Add *sources*, or replace those of the same numbers."""
        self.sources |= {source.number: source for source in sources}


async def gather(
    asked: Asked, material: Material, queries: AsyncGenerator[SearchStarted, None]
) -> AsyncGenerator[Event, None]:
    """Search for the last of *queries*, and read the pages given and found."""
    search: SearchStarted | None = None
    if asked.can_read:
        addresses = addresses_in(asked.question, MOST_GIVEN)
        material.add([asked.citations.give(url) for url in addresses])
    given = len(material.sources)
    async with Pages(asked.reader) as pages:
        pages.begin(material.sources.values())
        async with aclosing(queries) as started:
            async for search in started:
                yield search
        if search is not None and asked.search is not None:
            searches = Searches(asked.search, asked.settings, asked.citations)
            try:
                found = await searches.asearch(search.query)
            except SearchError as error:
                material.outcome = error
                yield SearchFailed.of(search, error)
            else:
                material.outcome = found.response
                material.add(found.sources)
                yield SearchFinished.of(search, found.response, found.sources)
        response, wanted = material.outcome, [*material.sources.values()]
        if isinstance(response, SearchResponse) and response.is_sample:
            wanted = [one for one in wanted if not one.snippet]  # samples have no page
        if asked.can_read and wanted:
            call = search.call if search else ""
            most = max(given, BUSY_PAGES) if asked.is_busy() else len(wanted)
            wanted, spared = wanted[:most], wanted[most:]
            yield ReadingStarted(wanted, call)
            async with aclosing(pages.finish(wanted, READ_SECONDS, call)) as ended:
                async for event in ended:
                    if isinstance(event, ReadingFinished):
                        event = replace(event, spared=len(spared))  # noqa: PLW2901
                        material.add(event.sources.values())
                        for source in event.sources.values():
                            if source.is_read:
                                asked.citations.update(source)
                    yield event


async def failed(
    asked: Asked, material: Material, written: Written, begun: str = ""
) -> AsyncGenerator[Event, None]:
    """
    Tell that the model failed, after it had *begun* and *written* some of its answer.

    Before its first word quotations of the *material* stand in for it.
    """
    yield Failed(written.problem or ModelProblem.UNKNOWN, asked.model.address)
    if material.sources and not (begun + written.text).strip():
        async with aclosing(quoted(asked, material, stands_in=True)) as events:
            async for event in events:
                yield event


async def quoted(
    asked: Asked, material: Material, *, stands_in: bool = False
) -> AsyncGenerator[Event, None]:
    """
    Answer without a model, by quotations of the *material*.

    Where that *stands_in* for a model that failed, no fitting quotation is no answer.
    """
    # In a thread: ranking the sentences of long pages would block the event loop.
    text = await asyncio.to_thread(
        answer_text,
        asked.question,
        material.outcome,
        [*material.sources.values()],
        topic=material.topic,
        stands_in=stands_in,
    )
    if not text:
        return
    async with aclosing(stream(text, dict(asked.citations.sources))) as events:
        async for event in events:
            yield event
