"""Agent mode: the model searches and reads as often as it needs, then answers."""

import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Final
from uuid import uuid4

from agent import chat_mode
from agent.agent_mode.numbered_search import Searches
from agent.agent_mode.prompts import agent_prompt
from agent.chat_mode import Asked, Written
from agent.events import (
    Answer,
    Event,
    Failed,
    ModelProblem,
    Notice,
    NoticeKind,
    ReadingFinished,
    Recalled,
    SearchStarted,
)
from agent.history import Turn, recent
from agent.models.errors import problem_of
from agent.prompts import system_prompt
from agent.reading import Found, Material
from agent.without_model.answer import MOST_QUERY, keywords, topic_of
from citations import Source, cited
from websearch import SearchRequest

logger = logging.getLogger(__name__)

MAX_RECALLED: Final = 30

_MOST_SUPERSTEPS: Final = 60  # never reached: our limits are lower


async def answer(asked: Asked, searches: Searches) -> AsyncGenerator[Event, None]:
    """Yield the events of an answer; without tool calls the search is Chat mode's."""
    model = asked.model
    if model.is_built_in:
        writing = _quoted(asked, searches)
    elif model.takes_tools or asked.search is None:
        writing = _by_tools(asked, searches)
    else:
        writing = _as_chat(asked)
    has_begun = False
    async with aclosing(writing) as events:
        async for event in events:
            has_begun = True
            yield event
    if has_begun:
        return
    logger.info("The model takes no tools: searching as in Chat mode")
    model.takes_tools = False
    async with aclosing(_as_chat(asked)) as events:
        async for event in events:
            yield event


async def _as_chat(asked: Asked) -> AsyncGenerator[Event, None]:
    yield Notice(NoticeKind.NO_TOOLS)
    async with aclosing(chat_mode.answer(asked)) as events:
        async for event in events:
            yield event


async def _quoted(asked: Asked, searches: Searches) -> AsyncGenerator[Event, None]:
    """Answer without a model: search once with the question's keywords, then quote."""
    citations = searches.citations
    for event in _opening(asked, searches):
        yield event
    earlier = _questions(asked.history)
    topic = topic_of(asked.question, earlier[-1] if earlier else "")
    material = Material(topic=topic)
    if asked.search is not None:

        async def find(query: str) -> Found:
            return await searches.asearch(SearchRequest(query))

        material.add([citations.give(url) for url in asked.addresses])
        gathering = chat_mode.gather(asked, material, _keywords(topic), find)
        async with aclosing(gathering) as events:
            async for event in events:
                if isinstance(event, ReadingFinished):
                    _keep(event, searches)
                yield event
    writing = chat_mode.quoted(asked.question, material, dict(citations.sources))
    async with aclosing(writing) as events:
        async for event in events:
            yield event


async def _keywords(topic: str) -> AsyncGenerator[SearchStarted, None]:
    """Yield the start of a search for *topic*, if there is anything to look for."""
    if query := keywords(topic)[:MOST_QUERY].strip():
        yield SearchStarted(query, f"call_{uuid4().hex}")


def _keep(event: ReadingFinished, searches: Searches) -> None:
    """Keep the texts of pages that were read for later answers."""
    for source in event.sources.values():
        if source.is_read:
            searches.citations.update(source)


def _opening(asked: Asked, searches: Searches) -> list[Event]:
    """Return the events before those of the model."""
    known = searches.citations.sources
    return [*([Recalled(dict(known))] if known else []), *asked.notices]


def _questions(history: Sequence[Turn]) -> list[str]:
    return [turn.text for turn in history if turn.role == "user"]


async def _by_tools(asked: Asked, searches: Searches) -> AsyncGenerator[Event, None]:
    """Let the model call tools; yield nothing if its server refuses them."""
    from agent.agent_mode.graph import events_of, run_of  # noqa: PLC0415  heavy

    opening = _opening(asked, searches)
    written, problem, has_begun = Written(), None, False
    try:
        graph: Any = await asked.model.load_agent()
        parts = graph.astream(
            {"messages": _messages(asked, searches)},
            {"recursion_limit": _MOST_SUPERSTEPS},
            context=run_of(asked, searches, _questions(asked.history)),
            stream_mode=["messages", "updates", "custom"],
            version="v2",
        )
        async with aclosing(parts):  # closing this stops the model and the searches too
            async for part in parts:
                for event in (*opening, *events_of(part, written)):
                    yield event
                opening, has_begun = [], True
    except Exception as error:  # noqa: BLE001  servers can cause any exception
        problem = problem_of(error, has_begun=bool(written.pieces))
        if problem is ModelProblem.NO_TOOLS:
            if not has_begun:
                return
            problem = ModelProblem.REFUSED  # it accepted tools earlier in this run
        logger.warning("The model failed: %s (%s)", problem, type(error).__name__)
    if problem is None:
        yield Answer(written.text, dict(searches.citations.sources), written.usage)
    else:
        yield Failed(problem)


def _messages(asked: Asked, searches: Searches) -> list[tuple[str, str]]:
    history = recent(asked.history)
    if asked.search is None:
        prompt = system_prompt(asked.question, asked.instructions)
    else:
        recalled = _recalled(asked.question, history, searches.citations.sources)
        prompt = agent_prompt(
            asked.question, asked.instructions, recalled, can_read=asked.can_read
        )
    return [
        ("system", prompt),
        *((turn.role, turn.marked or turn.text) for turn in history),
        ("user", asked.question),
    ]


def _recalled(
    question: str, history: Sequence[Turn], sources: Mapping[int, Source]
) -> list[Source]:
    """Return the latest sources that the question and earlier answers cite."""
    numbers: dict[int, None] = {}
    for text in (question, *(turn.marked for turn in reversed(history))):
        numbers |= dict.fromkeys(cited(text, sources)) if "[" in text else {}
    return [sources[number] for number in sorted([*numbers][:MAX_RECALLED])]
