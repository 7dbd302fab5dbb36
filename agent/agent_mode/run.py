"""Agent mode: the model searches and reads as often as it needs, then answers."""

import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from agent import chat_mode
from agent.agent_mode import without_model
from agent.agent_mode.numbered_search import Searches
from agent.agent_mode.prompts import agent_prompt
from agent.events import (
    Answer,
    Event,
    Failed,
    ModelProblem,
    Notice,
    NoticeKind,
    Recalled,
)
from agent.history import Turn, recent
from agent.models.errors import problem_of
from agent.models.loading import Model
from agent.profiles import DEFAULT, AgentProfile
from agent.prompts import instructed, system_prompt, today
from agent.reading import why_unread
from agent.resources import Resources
from citations import Source, cited
from websearch import PageReader

if TYPE_CHECKING:
    from agent.agent_mode.graph import Run

logger = logging.getLogger(__name__)

MAX_RECALLED: Final = 30

_MOST_SUPERSTEPS: Final = 60  # never reached: our limits are lower


async def answer(
    question: str,
    *,
    resources: Resources,
    searches: Searches,
    reader: PageReader,
    model: Model,
    agent: AgentProfile = DEFAULT,
    history: Sequence[Turn] = (),
) -> AsyncGenerator[Event, None]:
    """Yield the events of an answer; without tool calls the search is Chat mode's."""
    if model.is_built_in:
        quoting = without_model.answer(
            question,
            searches,
            reader,
            resources.settings,
            history,
            can_search=resources.search_of(agent) is not None,
        )
        async with aclosing(quoting) as events:
            async for event in events:
                yield event
        return
    if model.takes_tools or resources.search_of(agent) is None:
        case = _Case(question, resources, agent, searches, reader, history)
        try:
            async with aclosing(_answer_by_tools(case, model)) as events:
                async for event in events:
                    yield event
        except NoToolsError:
            logger.info("The model takes no tools: searching as in Chat mode")
            model.takes_tools = False
        else:
            return
    yield Notice(NoticeKind.NO_TOOLS)
    chat = chat_mode.answer(
        question,
        model=model,
        search=resources.search_of(agent),
        reader=reader,
        settings=resources.settings,
        instructions=agent.instructions,
        history=history,
    )
    async with aclosing(chat) as events:
        async for event in events:
            yield event


class NoToolsError(Exception):
    """The server refuses tools, before any part of an answer."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A question with its agent, its means to search and read, and its history."""

    question: str
    resources: Resources
    agent: AgentProfile
    searches: Searches
    reader: PageReader
    history: Sequence[Turn]

    @property
    def can_search(self) -> bool:
        """True if the model gets the tool that searches."""
        return self.resources.search_of(self.agent) is not None

    @property
    def can_read(self) -> bool:
        """True if the model gets the tool that opens pages."""
        return self.can_search and self.reader.is_enabled

    @property
    def written(self) -> list[str]:
        """All that the user wrote in this conversation."""
        earlier = [turn.text for turn in self.history if turn.role == "user"]
        return [*earlier, self.question]

    @property
    def known(self) -> Mapping[int, Source]:
        """The sources found so far."""
        return self.searches.citations.sources


async def _answer_by_tools(case: _Case, model: Model) -> AsyncGenerator[Event, None]:
    """Run the agent, and yield its events."""
    from agent.agent_mode.stream import Reader  # noqa: PLC0415  LangChain is heavy

    opening = _opening(case)
    reader, problem, has_begun = Reader(), None, False
    try:
        parts = await _parts(case, model)
        async with aclosing(parts):  # closing this stops the model and the searches too
            async for part in parts:
                for event in (*opening, *reader.read(part)):
                    yield event
                opening, has_begun = [], True
    except Exception as error:  # servers can cause any exception
        problem = _problem(error, reader.text)
        if problem is ModelProblem.NO_TOOLS:
            if not has_begun:
                raise NoToolsError from error
            problem = ModelProblem.REFUSED  # it accepted tools earlier in this run
        logger.warning("The model failed: %s (%s)", problem, type(error).__name__)
    if problem is None:
        yield Answer(reader.text, dict(case.known), reader.usage)
    else:
        yield Failed(problem)


def _opening(case: _Case) -> list[Event]:
    """Return the events before those of the model."""
    events: list[Event] = [Recalled(dict(case.known))] if case.known else []
    unread = why_unread(case.question, case.reader, can_search=case.can_search)
    return [*events, Notice(unread)] if unread else events


async def _parts(case: _Case, model: Model) -> AsyncGenerator[Any, None]:
    """Yield the parts of LangGraph's stream."""
    graph = await model.load_agent()
    history = recent(case.history)
    messages = [
        ("system", _system_prompt(case, history)),
        *((turn.role, turn.marked or turn.text) for turn in history),
        ("user", case.question),
    ]
    stream: Any = graph.astream(
        {"messages": messages},
        {"recursion_limit": _MOST_SUPERSTEPS},
        context=_run(case),
        stream_mode=["messages", "updates", "custom"],
        version="v2",
    )
    parts: AsyncGenerator[Any, None] = stream
    return parts


def _system_prompt(case: _Case, history: Sequence[Turn]) -> str:
    if case.can_search:
        recalled = _recalled(case.question, history, case.known)
        prompt = agent_prompt(case.question, today(), recalled, can_read=case.can_read)
    else:
        prompt = system_prompt(case.question, today())
    return instructed(prompt, case.question, case.agent.instructions)


def _run(case: _Case) -> "Run":
    """Give the model the tools that the settings and the user allow."""
    from agent.agent_mode.fetch_tool import (  # noqa: PLC0415  LangChain is heavy
        OpenPages,
        WebFetchTool,
    )
    from agent.agent_mode.graph import LimitedTool, Run  # noqa: PLC0415
    from agent.agent_mode.search_tool import WebSearchTool  # noqa: PLC0415

    limits, tools = case.resources.models.settings, []
    if case.can_search:
        search = WebSearchTool(searches=case.searches)
        kind = NoticeKind.SEARCH_LIMIT
        tools.append(LimitedTool(search, limits.max_searches, kind))
    if case.can_read:
        fetch = WebFetchTool(
            pages=OpenPages(case.reader, case.searches.citations, case.written),
            most_chars=case.resources.settings.read_chars,
            question=case.question,
        )
        tools.append(LimitedTool(fetch, limits.max_pages, NoticeKind.PAGE_LIMIT))
    return Run(case.question, {one.tool.name: one for one in tools})


def _recalled(
    question: str, history: Sequence[Turn], sources: Mapping[int, Source]
) -> list[Source]:
    """Return the latest sources that the question and earlier answers cite."""
    numbers: dict[int, None] = {}
    for text in (question, *(turn.marked for turn in reversed(history))):
        numbers |= dict.fromkeys(cited(text, sources)) if "[" in text else {}
    return [sources[number] for number in sorted([*numbers][:MAX_RECALLED])]


def _problem(error: Exception, text: str) -> ModelProblem:
    from agent.agent_mode.graph import BadEnd  # noqa: PLC0415  LangChain is heavy

    if isinstance(error, BadEnd):
        return error.problem
    problem = problem_of(error)
    is_lost = problem is ModelProblem.UNREACHABLE
    return ModelProblem.CUT_OFF if text and is_lost else problem
