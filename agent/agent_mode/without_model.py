"""Agent mode without a model: one search with the question's keywords, then quotes."""

import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from uuid import uuid4

from agent.agent_mode.numbered_search import Found, Searches
from agent.events import (
    Event,
    Recalled,
    SearchFailed,
    SearchFinished,
    SearchStarted,
)
from agent.history import Turn
from agent.without_model.answer import (
    MOST_QUERY,
    answer_text,
    keywords,
    stream,
    topic_of,
)
from websearch import SearchError, SearchRequest


async def answer(
    question: str, searches: Searches, history: Sequence[Turn], *, can_search: bool
) -> AsyncGenerator[Event, None]:
    """Yield the events of an answer."""
    earlier = [turn.text for turn in history if turn.role == "user"]
    topic = topic_of(question, earlier[-1] if earlier else "")
    query = keywords(topic)[:MOST_QUERY].strip()
    if known := searches.citations.sources:
        yield Recalled(dict(known))
    found: Found | SearchError | None = None
    if can_search and query:
        call, started = f"call_{uuid4().hex}", time.monotonic()
        yield SearchStarted(query, call)
        try:
            found = await searches.asearch(SearchRequest(query))
        except SearchError as error:
            found, took = error, round((time.monotonic() - started) * 1000)
            yield SearchFailed(query, error, took, call)
        else:
            yield SearchFinished.of(query, found.response, found.round.sources, call)
    async with aclosing(_written(question, topic, found, searches)) as events:
        async for event in events:
            yield event


def _written(
    question: str,
    topic: str,
    found: Found | SearchError | None,
    searches: Searches,
) -> AsyncGenerator[Event, None]:
    sources = dict(searches.citations.sources)
    if not isinstance(found, Found):
        return stream(answer_text(question, found, topic=topic), sources)
    quoted = found.round.sources
    return stream(answer_text(question, found.response, quoted, topic=topic), sources)
