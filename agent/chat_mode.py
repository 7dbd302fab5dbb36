"""Chat mode: search with the user's words, put the results into the prompt, answer."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from agent.answering import Asked, Material, gather, quoted
from agent.events import Answer, Event, Failed, SearchStarted
from agent.follow_up import FollowUps
from agent.history import recent
from agent.models.stream import Written, stream
from agent.prompts import question_prompt, system_prompt
from text.passages import pick
from text.rank import Passage
from websearch import SearchResponse


async def answer(
    asked: Asked, follow_ups: FollowUps | None = None
) -> AsyncGenerator[Event, None]:
    """
    Yield the events of an answer.

    *follow_ups* complete the question from the turns before; without them it is
    searched as typed.
    """
    for notice in asked.notices:
        yield notice
    material = Material(topic=asked.question)
    if asked.search is not None:
        queries = _queries(asked, material, follow_ups)
        async with aclosing(gather(asked, material, queries)) as events:
            async for event in events:
                yield event
    writing = quoted if asked.model.is_built_in else _written
    async with aclosing(writing(asked, material)) as events:
        async for event in events:
            yield event


async def _queries(
    asked: Asked,
    material: Material,
    follow_ups: FollowUps | None,
) -> AsyncGenerator[SearchStarted, None]:
    """Yield the start of the search; once more, where a model completes the query."""
    question = asked.question
    if follow_ups is None:
        yield SearchStarted(question)
        return
    asking = question, asked.history, asked.model
    if follow_ups.asks_model(*asking):
        yield SearchStarted(question)  # shown while the model writes
    completion = await follow_ups.complete(*asking)
    material.topic = completion.query
    is_changed = completion.is_changed
    yield SearchStarted(completion.query, completion=completion if is_changed else None)


async def _written(asked: Asked, material: Material) -> AsyncGenerator[Event, None]:
    """Yield what the model writes about the question and its material."""
    # In a thread: ranking the passages of long pages would block the event loop.
    prompt = await asyncio.to_thread(_prompt, asked, material)
    messages = [
        ("system", system_prompt(asked.question, asked.instructions)),
        *(one for turn in recent(asked.history) for one in turn.messages()),
        ("user", prompt),
    ]
    written = Written()
    async with aclosing(stream(asked.model, messages, written)) as events:
        async for event in events:
            yield event
    if written.problem:
        yield Failed(written.problem)
    else:
        yield Answer(written.text, dict(asked.citations.sources), written.usage)


def _prompt(asked: Asked, material: Material) -> str:
    """The question, behind its sources; alone if there are none to speak of."""
    sources, width = material.sources.values(), asked.settings.snippet_length
    if not sources and not isinstance(material.outcome, SearchResponse):
        return asked.question
    read = {source.number: source for source in sources if source.is_read}
    pages = [Passage(one.number, one.title, one.text, one.url) for one in read.values()]
    snippets = sum(min(len(s.snippet), width) for s in sources if not s.is_read)
    budget = max(asked.settings.read_chars - snippets, 0)
    excerpts = {
        excerpt.number: replace(
            excerpt,
            is_whole=excerpt.is_whole and not read[excerpt.number].truncated,
        )
        for excerpt in pick(material.topic, pages, budget)
        if excerpt.text
    }
    return question_prompt(asked.question, sources, width, excerpts)
