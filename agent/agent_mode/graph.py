"""LangChain's agent, shared by all sessions; each run brings its tool and limits."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from langchain.agents import AgentState, create_agent
from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AIMessage, AnyMessage, ToolCall
from langgraph.graph.state import CompiledStateGraph

from agent.agent_mode.prompts import limit_text
from agent.agent_mode.tools import NAME, WebSearchTool
from agent.events import ModelProblem, Notice, NoticeKind
from agent.models.errors import problem_at_end

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

MOST_STEPS: Final = 10  # steps of the model; in the last one it has to answer

_MOST_WRONG: Final = 4  # calls of one step that do not search

ModelHandler = Callable[[ModelRequest["Run"]], Awaitable[ModelResponse[Any]]]
ToolHandler = Callable[[ToolCallRequest], Awaitable[Any]]
Agent = CompiledStateGraph[Any, "Run", Any, Any]


class BadEnd(Exception):
    """The model's stream ended badly; its tool calls must not be run."""

    def __init__(self, problem: ModelProblem) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(slots=True)
class Run:
    """The tool and limits of one answer, with its counts of steps and searches."""

    question: str
    tool: WebSearchTool | None  # None: the model is offered no tool
    most_searches: int
    searches: int = 0
    steps: int = 0

    @property
    def is_over(self) -> bool:
        """True where the model has to answer now, without another search."""
        return self.searches >= self.most_searches or self.steps >= MOST_STEPS - 1


class Guide(AgentMiddleware[AgentState[Any], "Run", Any]):
    """Gives each run its own tool and limits, and checks the end of each step."""

    async def awrap_model_call(
        self, request: ModelRequest[Run], handler: ModelHandler
    ) -> ModelResponse[Any]:
        """One step of the model; calls beyond the limit are left out."""
        run = request.runtime.context
        if run.tool is not None:
            request = request.override(tools=[run.tool])
        if run.is_over:
            return await self._last_step(request, handler)
        run.steps += 1
        response = await handler(request)
        message = _message(response)
        if problem := problem_at_end(message):
            raise BadEnd(problem)
        _limit(message, run)
        return response

    async def _last_step(
        self, request: ModelRequest[Run], handler: ModelHandler
    ) -> ModelResponse[Any]:
        """Ask for the answer: in the last step the model can't call a tool."""
        run = request.runtime.context
        request.runtime.stream_writer(Notice(NoticeKind.SEARCH_LIMIT, run.searches))
        limited = _with_limit(request.messages, run.question)
        # The list of tools stays: some servers refuse a conversation that contains
        # calls but lists no tools. If a server ignores `none`, the list is removed.
        request = request.override(messages=limited, tool_choice="none")
        response = await handler(request)
        if not _message(response).text.strip():
            response = await handler(request.override(tools=[], tool_choice=None))
        message = _message(response)
        message.tool_calls, message.invalid_tool_calls = [], []
        if problem := problem_at_end(message):
            raise BadEnd(problem)
        return response

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: ToolHandler
    ) -> Any:
        """Call the tool of this run instead of the placeholder in the shared graph."""
        if request.tool_call["name"] == NAME:
            run: Any = request.runtime.context
            request = request.override(tool=run.tool)
        return await handler(request)


def create_graph(model: "BaseChatModel") -> Agent:
    """Create the agent around *model*; each run supplies its own tool."""
    return create_agent(model, middleware=[Guide()], context_schema=Run)


def _with_limit(messages: list[AnyMessage], question: str) -> list[AnyMessage]:
    """Append the limit to the last result, a form that every server accepts."""
    *others, last = messages
    text = f"{last.text}\n\n{limit_text(question)}"
    return [*others, last.model_copy(update={"content": text})]


def _message(response: ModelResponse[Any]) -> AIMessage:
    """Return the message of the model; a step has exactly one."""
    return next(m for m in response.result if isinstance(m, AIMessage))


def _limit(message: AIMessage, run: Run) -> None:
    """Keep the calls that are within the limits of the run, and count them."""
    # Invalid JSON becomes no arguments: the tool's answer names the missing one.
    broken = [
        ToolCall(name=call["name"] or NAME, args={}, id=call["id"], type="tool_call")
        for call in message.invalid_tool_calls
    ]
    message.invalid_tool_calls = []
    left = run.most_searches - run.searches
    searches = [call for call in message.tool_calls if call["name"] == NAME]
    others = [call for call in message.tool_calls if call["name"] != NAME]
    # A few calls without a search are answered; the number of steps is limited too.
    message.tool_calls = [*searches[:left], *[*others, *broken][:_MOST_WRONG]]
    run.searches += len(searches[:left])
