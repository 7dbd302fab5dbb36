"""Chat mode: search with the user's words, put the results into the prompt, answer."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from agent.events import (
    Answer,
    Event,
    Failed,
    ModelProblem,
    Notice,
    ReadingStarted,
    SearchFailed,
    SearchFinished,
    SearchStarted,
    Thought,
    Token,
)
from agent.follow_up import FollowUps
from agent.history import Turn, recent
from agent.models.errors import problem_at_end, problem_of
from agent.models.loading import Model
from agent.prompts import instructed, question_prompt, system_prompt, today
from agent.reading import MOST_GIVEN, Material, Reading, excerpts, why_unread
from agent.without_model.answer import answer_text, stream
from citations import Source
from untrusted.urls import addresses_in, page_key
from websearch import (
    PageReader,
    SearchError,
    SearchItem,
    SearchResponse,
    SearchService,
)
from websearch.config import Settings

logger = logging.getLogger(__name__)


async def answer(
    question: str,
    *,
    model: Model,
    search: SearchService | None,
    reader: PageReader,
    settings: Settings,
    instructions: str = "",
    history: Sequence[Turn] = (),
    follow_ups: FollowUps | None = None,
) -> AsyncGenerator[Event, None]:
    """
    Yield the events of an answer; *search* is None if search is off.

    Without *follow_ups* the question is searched as typed.
    """
    if kind := why_unread(question, reader, can_search=search is not None):
        yield Notice(kind)
    material = Material(topic=question)
    if search is not None:
        queries = _queries(question, model, follow_ups)
        gathering = _gather(queries, material, search, reader, settings)
        async with aclosing(gathering) as events:
            async for event in events:
                yield event
    if model.is_built_in:
        sources = [*material.sources.values()]
        text = await asyncio.to_thread(
            answer_text, question, material.found, sources, topic=material.topic
        )
        async with aclosing(stream(text, material.sources)) as events:
            async for event in events:
                yield event
        return
    # In a thread: ranking the passages of long pages would block the event loop.
    prompt = await asyncio.to_thread(_prompt, question, material, settings)
    system = instructed(system_prompt(question, today()), question, instructions)
    messages = [
        ("system", system),
        *((turn.role, turn.text) for turn in recent(history)),
        ("user", prompt),
    ]
    async with aclosing(_stream(model, messages, material.sources)) as events:
        async for event in events:
            yield event


async def _queries(
    question: str, model: Model, follow_ups: FollowUps | None
) -> AsyncGenerator[SearchStarted, None]:
    """Yield the start of the search; once more, where a model completes the query."""
    if follow_ups is None:
        yield SearchStarted(question)
        return
    if follow_ups.asks_model(model):
        yield SearchStarted(question)  # shown while the model writes
    completion = await follow_ups.complete(question, model)
    is_changed = completion.is_changed
    yield SearchStarted(completion.query, completion=completion if is_changed else None)


async def _gather(
    queries: AsyncGenerator[SearchStarted, None],
    material: Material,
    search: SearchService,
    reader: PageReader,
    settings: Settings,
) -> AsyncGenerator[Event, None]:
    """Search, and read the given pages and those of the results."""
    async with Reading(reader, settings.read_seconds) as reading:
        if reader.is_enabled:
            given = enumerate(addresses_in(material.topic, MOST_GIVEN), start=1)
            material.add(Source(number, "", url) for number, url in given)
            reading.begin([source.url for source in material.sources.values()])
        async with aclosing(queries) as starts:
            async for start in starts:
                material.topic = start.query
                yield start
        query, started = material.topic, time.monotonic()
        try:
            response = await search.asearch(query)
        except SearchError as error:
            material.found = error
            took = round((time.monotonic() - started) * 1000)
            yield SearchFailed(query, error, took)
        else:
            material.found = response
            sources = _numbered(response.items[: settings.max_results], material)
            material.add(sources)
            yield SearchFinished.of(query, response, sources)
        if reader.is_enabled and (pages := material.pages):
            yield ReadingStarted(pages)
            finished = await reading.finish(pages)
            material.add(finished.sources.values())
            yield finished


def _numbered(items: Iterable[SearchItem], material: Material) -> list[Source]:
    """Number the results; one whose address was given keeps that number."""
    given = {page_key(one.url): one.number for one in material.sources.values()}
    numbered: dict[int, Source] = {}
    for item in items:
        new = len({*material.sources, *numbered}) + 1
        number = given.get(page_key(item.url), new)
        numbered[number] = Source.of(number, item)
    return list(numbered.values())


def _prompt(question: str, material: Material, settings: Settings) -> str:
    """The question, behind its sources; alone if there are none to speak of."""
    sources, width = material.sources.values(), settings.snippet_length
    if not sources and not isinstance(material.found, SearchResponse):
        return question
    snippets = sum(min(len(s.snippet), width) for s in sources if not s.is_read)
    pages = excerpts(material.topic, sources, max(settings.read_chars - snippets, 0))
    return question_prompt(question, sources, width, pages)


async def _stream(
    model: Model,
    messages: Sequence[tuple[str, str]],
    sources: Mapping[int, Source],
) -> AsyncGenerator[Event, None]:
    written: list[str] = []
    whole: Any = None
    try:
        chunks: Any = (await model.load()).astream(messages)
        async with aclosing(chunks):  # else the connection stays open
            async for chunk in chunks:
                whole = chunk if whole is None else whole + chunk
                if thought := chunk.additional_kwargs.get("reasoning_content"):
                    yield Thought(thought)
                if chunk.text:
                    written.append(chunk.text)
                    yield Token(chunk.text)
    except Exception as error:  # noqa: BLE001  servers can cause any exception
        problem = problem_of(error)
        if written and problem is ModelProblem.UNREACHABLE:
            problem = ModelProblem.CUT_OFF
        logger.warning("The model failed: %s (%s)", problem, type(error).__name__)
        yield Failed(problem)
        return
    if bad := problem_at_end(whole):
        logger.warning("The model's answer ended badly: %s", bad)
        yield Failed(bad)
        return
    yield Answer("".join(written), sources, usage=_usage(whole))


def _usage(whole: Any) -> dict[str, int]:
    counted = getattr(whole, "usage_metadata", None) or {}
    return {k: counted[k] for k in ("input_tokens", "output_tokens") if k in counted}
