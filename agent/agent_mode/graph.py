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

MOST_STEPS: Final = 10  # of the model; at the last it has to answer

_MOST_WRONG: Final = 4  # calls of one step that are no searches

ModelHandler = Callable[[ModelRequest["Run"]], Awaitable[ModelResponse[Any]]]
ToolHandler = Callable[[ToolCallRequest], Awaitable[Any]]
Agent = CompiledStateGraph[Any, "Run", Any, Any]


class BadEnd(Exception):
    """The model's stream ended in a way from which nothing must follow."""

    def __init__(self, problem: ModelProblem) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(slots=True)
class Run:
    """The tool and limits of one answer, and what it has used of them."""

    question: str
    tool: WebSearchTool | None  # None: the model can't even see that there is one
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
        """An answer, whatever the model would still like to search for."""
        run = request.runtime.context
        request.runtime.stream_writer(Notice(NoticeKind.SEARCH_LIMIT, run.searches))
        limited = _with_limit(request.messages, run.question)
        # The list of tools stays: some servers refuse a conversation with calls in it
        # that has none. Where `none` is not heeded, the list goes after all.
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
        """Call the tool of this run, not the one that stands for all."""
        if request.tool_call["name"] == NAME:
            run: Any = request.runtime.context
            request = request.override(tool=run.tool)
        return await handler(request)


def create_graph(model: "BaseChatModel") -> Agent:
    """The agent around *model*; its tools come with each run."""
    return create_agent(model, middleware=[Guide()], context_schema=Run)


def _with_limit(messages: list[AnyMessage], question: str) -> list[AnyMessage]:
    """Add to the last result that no more will come: every server accepts that."""
    *others, last = messages
    text = f"{last.text}\n\n{limit_text(question)}"
    return [*others, last.model_copy(update={"content": text})]


def _message(response: ModelResponse[Any]) -> AIMessage:
    """The model's message: a run of ours has exactly one."""
    return next(m for m in response.result if isinstance(m, AIMessage))


def _limit(message: AIMessage, run: Run) -> None:
    """Keep the calls that the run can afford; count them."""
    # Arguments that are no JSON are none: the tool's answer says what it needs.
    broken = [
        ToolCall(name=call["name"] or NAME, args={}, id=call["id"], type="tool_call")
        for call in message.invalid_tool_calls
    ]
    message.invalid_tool_calls = []
    left = run.most_searches - run.searches
    searches = [call for call in message.tool_calls if call["name"] == NAME]
    others = [call for call in message.tool_calls if call["name"] != NAME]
    # Of those that search nothing a few are answered; the steps are limited too.
    message.tool_calls = [*searches[:left], *[*others, *broken][:_MOST_WRONG]]
    run.searches += len(searches[:left])
