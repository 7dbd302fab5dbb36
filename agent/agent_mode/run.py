"""Agent mode: the model searches and reads as often as it needs, then answers."""

import logging
import re
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from agent import chat_mode
from agent.agent_mode.prompts import agent_prompt
from agent.answering import Asked, Material, failed, gather, quoted
from agent.causes import ModelProblem
from agent.events import (
    Answer,
    Aside,
    Event,
    Notice,
    NoticeKind,
    PromptCut,
    ReadingFinished,
    Recalled,
    SearchFailed,
    SearchFinished,
    SearchStarted,
)
from agent.history import recent
from agent.models.catalog import Model
from agent.models.stream import Written
from agent.prompts import system_prompt
from citations import CitationManager, cited
from text.terms import asked_terms

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from agent.agent_mode.graph import Agent

logger = logging.getLogger(__name__)

MAX_RECALLED: Final = 30

_MOST_SUPERSTEPS: Final = 60  # never reached: our limits are lower
_RESULT: Final = re.compile(r"^\[\d+\].*\|\s?(https?://\S+)", re.MULTILINE)
_LOOKUPS: Final = SearchFinished | SearchFailed | ReadingFinished


async def answer(asked: Asked) -> AsyncGenerator[Event, None]:
    """Yield the events of an answer; as in Chat mode where the model can't search."""
    answering = _quoted(asked) if asked.model.is_built_in else _by_tools(asked)
    gives_up = False
    async with aclosing(answering) as events:
        async for event in events:
            yield event
            gives_up = isinstance(event, Notice) and event.kind.gives_up
    if gives_up:
        # With numbers from 1: small models write [1] whatever the results say.
        as_chat = replace(asked, citations=CitationManager())
        async with aclosing(chat_mode.answer(as_chat)) as events:
            async for event in events:
                yield event


async def load(model: Model) -> "Agent":
    """Make the agent around *model*, once; it takes more than a second."""
    return await model.made_of_chat(_create)


def _create(chat: "BaseChatModel") -> "Agent":
    from agent.agent_mode.graph import create_graph  # noqa: PLC0415  heavy

    return create_graph(chat)


async def _quoted(asked: Asked) -> AsyncGenerator[Event, None]:
    """Answer without a model: search once for the question as typed, then quote."""
    for event in _opening(asked):
        yield event
    material = Material(topic=asked.question)

    async def queries() -> AsyncGenerator[SearchStarted, None]:
        if asked_terms(asked.query):  # a greeting is not searched for
            yield SearchStarted(asked.query, f"call_{uuid4().hex}")

    if asked.search is not None:
        async with aclosing(gather(asked, material, queries())) as events:
            async for event in events:
                yield event
    async with aclosing(quoted(asked, material)) as events:
        async for event in events:
            yield event


def _opening(asked: Asked) -> list[Event]:
    """Return the events before those of the model."""
    known = asked.citations.sources
    return [*([Recalled(dict(known))] if known else []), *asked.notices]


async def _by_tools(asked: Asked) -> AsyncGenerator[Event, None]:
    """Let the model call tools; the last event is a notice where that fails."""
    if asked.search is not None and not asked.model.takes_tools:
        yield Notice(NoticeKind.NO_TOOLS)
        return
    messages = _messages(asked)
    opening, lookups = _opening(asked), list[Event]()
    earlier = {*asked.citations.sources}
    written, has_begun = Written(), False
    try:
        graph: Any = await load(asked.model)
        from agent.agent_mode.graph import events_of, run_of  # noqa: PLC0415  heavy

        parts = graph.astream(
            {"messages": messages},
            {"recursion_limit": _MOST_SUPERSTEPS},
            context=run_of(asked, [turn.question for turn in asked.history]),
            stream_mode=["messages", "updates", "custom"],
            version="v2",
        )
        async with aclosing(parts):  # closing this stops the model and the searches too
            async for part in parts:
                for event in (*opening, *events_of(part, written)):
                    yield event
                    lookups += [event] if isinstance(event, _LOOKUPS) else []
                opening = []
                has_begun = has_begun or not isinstance(part["data"], PromptCut)
                if written.is_cut:
                    break
    except Exception as error:  # noqa: BLE001  servers can cause any exception
        written.fail(error)
        if written.problem is ModelProblem.NO_TOOLS:
            if not has_begun:
                logger.info("The model takes no tools: searching as in Chat mode")
                asked.model.takes_tools = False
                yield Notice(NoticeKind.NO_TOOLS)
                return
            written.problem = ModelProblem.REFUSED  # it took tools earlier in this run
    written.end()
    kind = _unsourced(asked, written, lookups)
    if kind is NoticeKind.NO_CALL:
        yield Aside("")  # takes the text back
        yield Recalled({})
    if kind is not None:
        yield Notice(kind)
    if kind is not NoticeKind.NO_CALL:
        async with aclosing(_ending(asked, written, earlier)) as ending:
            async for event in ending:
                yield event


async def _ending(
    asked: Asked, written: Written, earlier: Collection[int]
) -> AsyncGenerator[Event, None]:
    """Complete the answer, or tell why it failed; *earlier* are sources of others."""
    sources = asked.citations.sources
    if written.problem is None:
        yield Answer(written.text, dict(sources), written.usage)
        return
    found = {n: one for n, one in sources.items() if n not in earlier}
    material = Material(sources=found, topic=asked.question)
    async with aclosing(failed(asked, material, written)) as events:
        async for event in events:
            yield event


def _messages(asked: Asked) -> list[tuple[str, str]]:
    """The conversation for the model, behind its instructions."""
    history, sources = recent(asked.history), asked.citations.sources
    if asked.search is None:
        prompt = system_prompt(asked.question, asked.instructions)
    else:  # with the latest sources that the question and earlier answers cite
        numbers = dict.fromkeys(cited(asked.question, sources))
        for turn in reversed(history):
            numbers |= dict.fromkeys(n for n in turn.numbers if n in sources)
        recalled = [sources[number] for number in sorted([*numbers][:MAX_RECALLED])]
        prompt = agent_prompt(
            asked.question,
            asked.instructions,
            recalled,
            can_read=asked.can_read,
            fence=asked.fence,
        )
    return [
        ("system", prompt),
        *(message for turn in history for message in turn.messages(marked=True)),
        ("user", asked.question),
    ]


def _unsourced(
    asked: Asked, written: Written, lookups: Sequence[Event]
) -> NoticeKind | None:
    """Tell why an answer cites no source; None where it does, or is a greeting."""
    is_silent = written.problem is ModelProblem.SILENT and not lookups
    if asked.search is None or (written.problem and not is_silent):
        return None
    if cited(written.text, asked.citations.sources):
        return None
    if lookups:
        found = any(getattr(one, "sources", ()) for one in lookups)
        return NoticeKind.NO_CITATION if found else None
    if not asked_terms(asked.question):
        return None
    # Numbers alone may be a list: made up are lines of results that nobody gave.
    given = "\n".join([asked.question, *(turn.question for turn in asked.history)])
    is_made_up = any(url not in given for url in _RESULT.findall(written.text))
    return NoticeKind.NO_CALL if is_silent or is_made_up else NoticeKind.NO_SEARCH
