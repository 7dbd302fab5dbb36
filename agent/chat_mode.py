"""Chat mode: search with the user's words, put the results into the prompt, answer."""

import logging
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from agent.events import (
    Answer,
    Event,
    Failed,
    ModelProblem,
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
from agent.without_model.answer import answer_text, stream
from citations import Source
from websearch import SearchError, SearchResponse, SearchService
from websearch.config import Settings

logger = logging.getLogger(__name__)


async def answer(
    question: str,
    *,
    model: Model,
    search: SearchService | None,
    settings: Settings,
    instructions: str = "",
    history: Sequence[Turn] = (),
) -> AsyncGenerator[Event, None]:
    """Yield the events of an answer; *search* is None if search is off."""
    found: SearchResponse | SearchError | None = None
    sources: dict[int, Source] = {}
    if search is not None:
        yield SearchStarted(question)
        started = time.monotonic()
        try:
            found = await search.asearch(question)
        except SearchError as error:
            found, took = error, round((time.monotonic() - started) * 1000)
            yield SearchFailed(question, error, took)
        else:
            sources = _sources(found, settings.max_results)
            yield SearchFinished.of(question, found, sources.values())
    if model.is_built_in:
        text = answer_text(question, found, [*sources])
        async with aclosing(stream(text, sources)) as events:
            async for event in events:
                yield event
        return
    response = found if isinstance(found, SearchResponse) else None
    prompt = question_prompt(
        question, response, settings.max_results, settings.snippet_length
    )
    system = instructed(system_prompt(question, today()), question, instructions)
    messages = [
        ("system", system),
        *((turn.role, turn.text) for turn in recent(history)),
        ("user", prompt),
    ]
    async with aclosing(_stream(model, messages, sources)) as events:
        async for event in events:
            yield event


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


def _sources(response: SearchResponse, count: int) -> dict[int, Source]:
    """Number the results as the prompt and the page list them."""
    return {
        number: Source(number, item.title or item.source, item.url, item.snippet)
        for number, item in enumerate(response.items[:count], start=1)
    }


def _usage(whole: Any) -> dict[str, int]:
    counted = getattr(whole, "usage_metadata", None) or {}
    return {k: counted[k] for k in ("input_tokens", "output_tokens") if k in counted}
