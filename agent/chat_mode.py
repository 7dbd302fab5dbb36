"""Chat mode: search with the user's words, put the results into the prompt, answer."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
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
from agent.history import Turn, recent
from agent.models.errors import problem_at_end, problem_of
from agent.models.loading import Model
from agent.prompts import instructed, question_prompt, system_prompt, today
from agent.reading import MOST_GIVEN, Reading, excerpts, why_unread
from agent.without_model.answer import answer_text, stream
from citations import Source
from untrusted.urls import addresses_in, page_key
from websearch import PageReader, SearchError, SearchResponse, SearchService
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
) -> AsyncGenerator[Event, None]:
    """Yield the events of an answer; *search* is None if search is off."""
    if kind := why_unread(question, reader, can_search=search is not None):
        yield Notice(kind)
    material = Material()
    if search is not None:
        gathering = _gather(question, material, search, reader, settings)
        async with aclosing(gathering) as events:
            async for event in events:
                yield event
    if model.is_built_in:
        sources = [*material.sources.values()]
        text = await asyncio.to_thread(answer_text, question, material.found, sources)
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


@dataclass(slots=True)
class Material:
    """The sources of an answer, and the outcome of its search; None: no search."""

    found: SearchResponse | SearchError | None = None
    sources: dict[int, Source] = field(default_factory=dict)

    @property
    def pages(self) -> list[Source]:
        """The sources whose pages are worth reading: all but offline samples."""
        is_sample = isinstance(self.found, SearchResponse) and self.found.is_sample
        return [s for s in self.sources.values() if not (is_sample and s.snippet)]

    def give(self, urls: Iterable[str]) -> None:
        """Number the addresses that the user wrote, before all results."""
        self.sources = {n: Source(n, "", url) for n, url in enumerate(urls, start=1)}

    def add(self, response: SearchResponse, count: int) -> list[Source]:
        """Number the results; one whose address was given keeps that number."""
        self.found = response
        given = {page_key(one.url): one.number for one in self.sources.values()}
        added: dict[int, Source] = {}
        for item in response.items[:count]:
            number = given.get(page_key(item.url), len({*self.sources, *added}) + 1)
            added[number] = Source.of(number, item)
        self.sources |= added
        return list(added.values())


async def _gather(
    question: str,
    material: Material,
    search: SearchService,
    reader: PageReader,
    settings: Settings,
) -> AsyncGenerator[Event, None]:
    """Search, and read the given pages and those of the results."""
    async with Reading(reader, settings.read_seconds) as reading:
        if reader.is_enabled:
            material.give(addresses_in(question, MOST_GIVEN))
            reading.begin([source.url for source in material.sources.values()])
        yield SearchStarted(question)
        started = time.monotonic()
        try:
            response = await search.asearch(question)
        except SearchError as error:
            material.found = error
            took = round((time.monotonic() - started) * 1000)
            yield SearchFailed(question, error, took)
        else:
            sources = material.add(response, settings.max_results)
            yield SearchFinished.of(question, response, sources)
        if reader.is_enabled and (pages := material.pages):
            yield ReadingStarted(pages)
            finished = await reading.finish(pages)
            material.sources |= finished.sources
            yield finished


def _prompt(question: str, material: Material, settings: Settings) -> str:
    """The question, behind its sources; alone if there are none to speak of."""
    sources, width = material.sources.values(), settings.snippet_length
    if not sources and not isinstance(material.found, SearchResponse):
        return question
    snippets = sum(min(len(s.snippet), width) for s in sources if not s.is_read)
    pages = excerpts(question, sources, max(settings.read_chars - snippets, 0))
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
