"""LangChain's agent, once for all sessions; each run brings what is its own."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from langchain.agents import AgentState, create_agent
from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AIMessage, AnyMessage, ToolCall
from langgraph.graph.state import CompiledStateGraph

from agent.agent_prompts import limit_text
from agent.events import ModelProblem, Notice, NoticeKind
from agent.model_errors import problem_at_end
from agent.tools import NAME, WebSearchTool

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

MOST_STEPS: Final = 10  # of the model, the last without the tool

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
    """What one answer may use, and what it has used."""

    question: str
    tool: WebSearchTool | None  # None: the model can't even see that there is one
    most_searches: int
    searches: int = 0
    steps: int = 0

    @property
    def is_over(self) -> bool:
        """Whether the model has to answer now, with what it has."""
        return self.searches >= self.most_searches or self.steps >= MOST_STEPS - 1


class Guide(AgentMiddleware[AgentState[Any], "Run", Any]):
    """Gives each run its own tool and limits, and looks at how each step ended."""

    async def awrap_model_call(
        self, request: ModelRequest[Run], handler: ModelHandler
    ) -> ModelResponse[Any]:
        """One step of the model; what it asks for beyond the limit is left out."""
        run = request.runtime.context
        if run.is_over:
            request.runtime.stream_writer(Notice(NoticeKind.SEARCH_LIMIT, run.searches))
            request = request.override(messages=_told(request.messages, run.question))
        elif run.tool is not None:
            request = request.override(tools=[run.tool])
        run.steps += 1
        response = await handler(request)
        for message in response.result:
            if isinstance(message, AIMessage):
                _check(message)
                _limit(message, run)
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


def _told(messages: list[AnyMessage], question: str) -> list[AnyMessage]:
    """The last result says that no more will come: every server takes that."""
    *others, last = messages
    text = f"{last.text}\n\n{limit_text(question)}"
    return [*others, last.model_copy(update={"content": text})]


def _check(message: AIMessage) -> None:
    """A stream that just ends raises nothing, and its tool call may be cut short."""
    if problem := problem_at_end(message):
        raise BadEnd(problem)


def _limit(message: AIMessage, run: Run) -> None:
    """Keep the calls that the run can afford; count them."""
    # Arguments that are no JSON are none: the tool's answer says what it needs.
    broken = [
        ToolCall(name=call["name"] or NAME, args={}, id=call["id"], type="tool_call")
        for call in message.invalid_tool_calls
    ]
    message.invalid_tool_calls = []
    calls = [*message.tool_calls, *broken]
    message.tool_calls = calls[: max(run.most_searches - run.searches, 0)]
    run.searches += len(message.tool_calls)
