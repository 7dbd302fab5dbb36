"""Agent mode: the model searches and reads as often as it needs, then answers."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from agent.agent_mode.prompts import agent_prompt
from agent.answering import Asked, Material, gather, quoted
from agent.causes import ModelProblem
from agent.events import (
    Answer,
    Event,
    Failed,
    Recalled,
    SearchStarted,
)
from agent.history import recent
from agent.models.catalog import Model
from agent.models.stream import Written
from agent.prompts import system_prompt
from citations import cited
from text.terms import asked_terms

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from agent.agent_mode.graph import Agent

MAX_RECALLED: Final = 30

_MOST_SUPERSTEPS: Final = 60  # never reached: our limits are lower


def answer(asked: Asked) -> AsyncGenerator[Event, None]:
    """Yield the events of an answer; none where the model's server refuses tools."""
    return _quoted(asked) if asked.model.is_built_in else _by_tools(asked)


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
        if asked_terms(asked.question):  # a greeting is not searched for
            yield SearchStarted(asked.question, f"call_{uuid4().hex}")

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
    """Let the model call tools; yield nothing if its server refuses them."""
    history, sources = recent(asked.history), asked.citations.sources
    if asked.search is None:
        prompt = system_prompt(asked.question, asked.instructions)
    else:  # with the latest sources that the question and earlier answers cite
        numbers: dict[int, None] = {}
        for text in (asked.question, *(turn.marked for turn in reversed(history))):
            numbers |= dict.fromkeys(cited(text, sources)) if "[" in text else {}
        recalled = [sources[number] for number in sorted([*numbers][:MAX_RECALLED])]
        prompt = agent_prompt(
            asked.question, asked.instructions, recalled, can_read=asked.can_read
        )
    messages = [
        ("system", prompt),
        *(message for turn in history for message in turn.messages(marked=True)),
        ("user", asked.question),
    ]
    opening = _opening(asked)
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
                opening, has_begun = [], True
    except Exception as error:  # noqa: BLE001  servers can cause any exception
        written.fail(error)
        if written.problem is ModelProblem.NO_TOOLS:
            if not has_begun:
                return
            written.problem = ModelProblem.REFUSED  # it took tools earlier in this run
    if written.problem:
        yield Failed(written.problem)
    else:
        yield Answer(written.text, dict(asked.citations.sources), written.usage)
