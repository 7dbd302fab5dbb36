"""LangChain's agent, shared by all sessions; each run brings its tools and limits."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from langchain.agents import AgentState, create_agent
from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    AnyMessage,
    HumanMessage,
    ToolCall,
    ToolMessage,
)
from langgraph.graph.state import CompiledStateGraph

from agent.agent_mode.prompts import wording
from agent.agent_mode.tools import SEARCH, OpenPages, WebFetchTool, WebSearchTool
from agent.answering import BUSY_PAGES, Asked
from agent.causes import ModelProblem
from agent.events import Aside, Event, Notice, NoticeKind, PromptCut
from agent.models.context import Context, count_tokens, fitting
from agent.models.errors import BadEnd, problem_at_end, problem_of
from agent.models.stream import Written
from agent.numbered_search import Searches
from agent.reading import Pages

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

MOST_STEPS: Final = 10  # steps of the model; in the last one it has to answer
MOST_PAGES: Final = 6  # pages, or parts of pages, that one answer opens
_PAGES_IN_CONTEXT: Final = 4  # with the prompt; what is too long is cut later
_LEAST_RESULT: Final = 80  # tokens
_LEAST_CUT: Final = 10  # characters
_MOST_WRONG: Final = 4  # calls of one step that are refused in words

ModelHandler = Callable[[ModelRequest["Run"]], Awaitable[ModelResponse[Any]]]
ToolHandler = Callable[[ToolCallRequest], Awaitable[Any]]
Agent = CompiledStateGraph[Any, "Run", Any, Any]


@dataclass(slots=True)
class LimitedTool:
    """A tool, and how often one answer may call it."""

    tool: WebSearchTool | WebFetchTool
    most: int
    limit: NoticeKind  # tells the user that no calls are left
    used: int = 0
    is_told: bool = False

    @property
    def left(self) -> int:
        """The number of calls that are left."""
        return self.most - self.used


@dataclass(slots=True)
class Run:
    """The tools of one answer by their names, and the count of its steps."""

    question: str
    context: Context
    fence: str
    tools: Mapping[str, LimitedTool] = field(default_factory=dict)
    steps: int = 0
    # By the id of each call of a step, in the order in which the model made them.
    begun: dict[str | None, asyncio.Event] = field(default_factory=dict)

    async def begin(self, call: str | None) -> None:
        """Wait until the earlier calls of the step have begun: LangGraph mixes them."""
        for earlier, has_begun in self.begun.items():
            if earlier == call:
                has_begun.set()
                return
            await has_begun.wait()

    @property
    def is_over(self) -> bool:
        """True where the model has to answer now, without another call."""
        is_used_up = self.tools and not any(one.left for one in self.tools.values())
        return bool(is_used_up) or self.steps >= MOST_STEPS - 1


class Guide(AgentMiddleware[AgentState[Any], "Run", Any]):
    """Gives each run its own tools and limits, and checks the end of each step."""

    async def awrap_model_call(
        self, request: ModelRequest[Run], handler: ModelHandler
    ) -> ModelResponse[Any]:
        """One step of the model; calls beyond the limit are left out."""
        run = request.runtime.context
        if run.tools:
            tools: list[Any] = [one.tool for one in run.tools.values()]
            request = request.override(tools=tools)
        if run.is_over:
            return await self._last_step(request, handler)
        run.steps += 1
        response = await _fitted(request, handler)
        message = _message(response)
        if problem := problem_at_end(message):
            raise BadEnd(problem)
        # Invalid JSON becomes no arguments: the tool's answer names the missing one.
        broken = [
            ToolCall(name=c["name"] or SEARCH, args={}, id=c["id"], type="tool_call")
            for c in message.invalid_tool_calls
        ]
        message.invalid_tool_calls = []
        within: list[ToolCall] = []
        others: list[ToolCall] = []
        left = Counter({name: one.left for name, one in run.tools.items()})
        for call in message.tool_calls:
            (within if left[call["name"]] > 0 else others).append(call)
            left[call["name"]] -= 1
        # A few wrong calls are answered in words; the number of steps is limited too.
        message.tool_calls = [*within, *[*others, *broken][:_MOST_WRONG]]
        run.begun = {call["id"]: asyncio.Event() for call in message.tool_calls}
        return response

    async def _last_step(
        self, request: ModelRequest[Run], handler: ModelHandler
    ) -> ModelResponse[Any]:
        """Ask for the answer: in the last step the model can't call a tool."""
        run = request.runtime.context
        tools = [*run.tools.values()]
        for one in [one for one in tools if not one.left] or tools[:1]:
            _tell_limit(one, request.runtime.stream_writer)
        # Behind the last result, a form that every server accepts.
        *others, last = request.messages
        text = f"{last.text}\n\n{wording(run.question, 'limit')}"
        limited = [*others, last.model_copy(update={"content": text})]
        # The list of tools stays: some servers refuse a conversation that contains
        # calls but lists no tools. If a server ignores `none`, the list is removed.
        request = request.override(messages=limited, tool_choice="none")
        response = await _fitted(request, handler)
        if not _message(response).text.strip():
            again = request.override(tools=[], tool_choice=None)
            response = await _fitted(again, handler)
        message = _message(response)
        message.tool_calls, message.invalid_tool_calls = [], []
        if problem := problem_at_end(message):
            raise BadEnd(problem)
        return response

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: ToolHandler
    ) -> Any:
        """Call the tool of this run, and report when the call begins and ends."""
        run: Any = request.runtime.context
        call, write = request.tool_call, request.runtime.stream_writer
        await run.begin(call["id"])
        limited = run.tools.get(call["name"])
        if limited is None:
            return await handler(request)  # answers that there is no such tool
        if not limited.left:
            _tell_limit(limited, write)
            text = wording(run.question, "used_up", tool=call["name"])
            return ToolMessage(text, tool_call_id=call["id"], name=call["name"])
        tool = limited.tool
        if event := tool.started(call["args"], call["id"] or ""):
            limited.used += 1
            write(event)
        message = await handler(request.override(tool=tool))
        if event:
            write(tool.ended(event, message.artifact))
        return message


async def _fitted(
    request: ModelRequest[Run], handler: ModelHandler
) -> ModelResponse[Any]:
    """Call the model with what fits its context; a refusal tells how much that is."""
    run, asked = request.runtime.context, request.messages
    schemas = [one.tool.tool_call_schema for one in run.tools.values()]
    tools = count_tokens(str(schemas))
    for is_last in (False, False, True):
        room = run.context.room - tools
        messages, cut = fit(asked, run.context, room, run.fence)
        if cut:
            request.runtime.stream_writer(cut)
        sent = tools + sum(map(_tokens, messages))
        try:
            response = await handler(request.override(messages=messages))
        except Exception as error:
            if is_last or problem_of(error) is not ModelProblem.CONTEXT_TOO_LONG:
                raise
            run.context.refuse(sent, error)
        else:
            counted = _message(response).usage_metadata
            run.context.learn(sent, counted["input_tokens"] if counted else 0)
            return response
    raise AssertionError


def fit(
    messages: Sequence[AnyMessage], context: Context, room: int, fence: str
) -> tuple[list[AnyMessage], PromptCut | None]:
    """
    Cut *messages* to *room* tokens, and tell what was cut.

    Earlier questions go first, the oldest at once with its answer. Then the longest
    results and pages lose their ends; the line behind a text, which is *fence*, stays.
    """
    kept, turns = [*messages], 0
    if sum(len(one.text) for one in kept) * 2 < room:
        return kept, None  # also without a known context
    while (excess := sum(map(_tokens, kept)) - room) > 0:
        asked = [n for n, one in enumerate(kept) if isinstance(one, HumanMessage)]
        if len(asked) > 1:
            del kept[asked[0] : asked[1]]
            turns += 1
            continue
        tools = [one for one in kept if isinstance(one, ToolMessage)]
        longest = max(tools, key=_tokens, default=None)
        if longest is None or _tokens(longest) <= _LEAST_RESULT:
            break
        text, tokens = longest.text, _tokens(longest)
        end = text[at:] if (at := text.rfind(fence)) > 0 else ""
        left = max(tokens - excess, tokens // 2, _LEAST_RESULT) - count_tokens(end) - 2
        # Each round leaves out some of it, also where its end is the shorter in tokens.
        most = max(len(text) - len(end) - _LEAST_CUT, 0)
        short = f"{text[: min(fitting(text, left), most)]}\n\u2026\n{end}"
        if len(short) >= len(text):
            break
        kept[kept.index(longest)] = longest.model_copy(update={"content": short})
    whole, given = (
        sum(len(one.text) for one in some if isinstance(one, ToolMessage))
        for some in (messages, kept)
    )
    is_cut = turns or given < whole
    return kept, PromptCut(context.tokens or 0, given, whole, turns) if is_cut else None


def _tokens(message: AnyMessage) -> int:
    calls = str(message.tool_calls) if isinstance(message, AIMessage) else ""
    return count_tokens(message.text + calls)


def create_graph(model: "BaseChatModel") -> Agent:
    """Create the agent around *model*; each run supplies its own tools."""
    return create_agent(model, middleware=[Guide()], context_schema=Run)


def run_of(asked: Asked, written: Sequence[str]) -> Run:
    """
    Give the model the tools that the settings and the user allow.

    It may open the addresses in what the user has *written* before.
    """
    tools: list[LimitedTool] = []
    if asked.search is not None:
        searches = Searches(asked.search, asked.settings, asked.citations)
        search = WebSearchTool(searches=searches, fence=asked.fence)
        kind = NoticeKind.SEARCH_LIMIT
        tools.append(LimitedTool(search, asked.settings.max_searches, kind))
    if asked.can_read:
        texts = [*written, asked.question]
        fetch = WebFetchTool(
            known=OpenPages(asked.citations, texts),
            pages=Pages(asked.reader),
            most_chars=asked.settings.read_chars,
            most_tokens=asked.model.context.room // _PAGES_IN_CONTEXT,
            question=asked.question,
            fence=asked.fence,
        )
        most, kind = MOST_PAGES, NoticeKind.PAGE_LIMIT
        if asked.is_busy():
            most, kind = BUSY_PAGES, NoticeKind.BUSY_PAGE_LIMIT
        tools.append(LimitedTool(fetch, most, kind))
    by_name = {one.tool.name: one for one in tools}
    return Run(asked.question, asked.model.context, asked.fence, by_name)


def events_of(part: Mapping[str, Any], written: Written) -> Iterator[Event]:
    """Translate one part of LangGraph's stream; *written* takes in the text."""
    match part["type"]:
        case "custom":  # an event of a tool or of a limit
            yield part["data"]
        case "messages":
            message, _ = part["data"]
            if isinstance(message, AIMessageChunk):  # not the results of tools
                yield from written.add(message)
        case "updates":
            for update in part["data"].values():
                for message in (update or {}).get("messages", ()):
                    # The text before calls is not the answer.
                    if isinstance(message, AIMessage) and message.tool_calls:
                        if written.text.strip():
                            yield Aside(written.text)
                        written.pieces.clear()


def _message(response: ModelResponse[Any]) -> AIMessage:
    """Return the message of the model; a step has exactly one."""
    return next(m for m in response.result if isinstance(m, AIMessage))


def _tell_limit(limited: LimitedTool, write: Callable[[Any], None]) -> None:
    """Tell the user, once, that no calls of a tool are left."""
    if not limited.is_told:
        limited.is_told = True
        write(Notice(limited.limit, limited.used))
