"""Agent mode without a model: one search with the question's keywords, then quotes."""

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from uuid import uuid4

from agent.agent_mode.numbered_search import Searches
from agent.events import (
    Event,
    Notice,
    ReadingStarted,
    Recalled,
    SearchFailed,
    SearchFinished,
    SearchStarted,
)
from agent.history import Turn
from agent.reading import MOST_GIVEN, Material, Reading, why_unread
from agent.without_model.answer import (
    MOST_QUERY,
    answer_text,
    keywords,
    stream,
    topic_of,
)
from untrusted.urls import addresses_in
from websearch import PageReader, SearchError, SearchRequest
from websearch.config import Settings


async def answer(
    question: str,
    searches: Searches,
    reader: PageReader,
    settings: Settings,
    history: Sequence[Turn],
    *,
    can_search: bool,
) -> AsyncGenerator[Event, None]:
    """Yield the events of an answer."""
    earlier = [turn.text for turn in history if turn.role == "user"]
    topic = topic_of(question, earlier[-1] if earlier else "")
    if known := searches.citations.sources:
        yield Recalled(dict(known))
    if kind := why_unread(question, reader, can_search=can_search):
        yield Notice(kind)
    material = Material()
    if can_search:
        query = keywords(topic)[:MOST_QUERY].strip()
        if reader.is_enabled:
            given = addresses_in(question, MOST_GIVEN)
            material.add([searches.citations.give(url) for url in given])
        gathering = _gather(query, material, searches, reader, settings.read_seconds)
        async with aclosing(gathering) as events:
            async for event in events:
                yield event
    # In a thread: ranking the sentences of long pages would block the event loop.
    text = await asyncio.to_thread(
        answer_text, question, material.found, material.sources.values(), topic=topic
    )
    written = stream(text, dict(searches.citations.sources))
    async with aclosing(written) as events:
        async for event in events:
            yield event


async def _gather(
    query: str,
    material: Material,
    searches: Searches,
    reader: PageReader,
    seconds: float,
) -> AsyncGenerator[Event, None]:
    """Search, and read the given pages and those of the results, as in Chat mode."""
    async with Reading(reader, seconds) as reading:
        reading.begin([source.url for source in material.sources.values()])
        if query:
            async with aclosing(_search(query, material, searches)) as events:
                async for event in events:
                    yield event
        if reader.is_enabled and (pages := material.pages):
            call = _new_call()
            yield ReadingStarted(pages, call)
            finished = await reading.finish(pages, call)
            material.add(finished.sources.values())
            for source in material.sources.values():
                if source.is_read:
                    searches.citations.update(source)
            yield finished


async def _search(
    query: str, material: Material, searches: Searches
) -> AsyncGenerator[Event, None]:
    call, started = _new_call(), time.monotonic()
    yield SearchStarted(query, call)
    try:
        found = await searches.asearch(SearchRequest(query))
    except SearchError as error:
        material.found = error
        took = round((time.monotonic() - started) * 1000)
        yield SearchFailed(query, error, took, call)
    else:
        material.found = found.response
        material.add(found.round.sources)
        yield SearchFinished.of(query, found.response, found.round.sources, call)


def _new_call() -> str:
    """Make an id, as a model would for its call."""
    return f"call_{uuid4().hex}"
