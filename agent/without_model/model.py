"""A chat model without a model: it quotes search results, and invents nothing."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, Final
from uuid import uuid4

from langchain_core.callbacks import (
    AsyncCallbackManagerForLLMRun,
    CallbackManagerForLLMRun,
)
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field

from agent.without_model.answer import answer_to
from agent.without_model.reading import Asked, Outcome, read

NAME: Final = "builtin"
SEARCH: Final = "web_search"  # the only tool it knows how to call

# A word, or a few characters of a language that puts no space between words.
_PIECE = re.compile(r"\s*[A-Za-z0-9]+\s?|.{1,4}", re.DOTALL)


class BuiltinChatModel(BaseChatModel):
    """
    Answers with the best sentences of the results, each with its number.

    With `web_search` bound, it searches once with the keywords of the question.
    """

    model_name: str = Field(default=NAME, alias="model")

    @property
    def _llm_type(self) -> str:
        return NAME

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model_name": self.model_name}

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[Any, AIMessage]:
        """Tools for the calls that follow; only `web_search` is ever called."""
        described = [convert_to_openai_tool(tool) for tool in tools]
        if tool_choice is not None:
            kwargs["tool_choice"] = tool_choice
        return self.bind(tools=described, **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        del run_manager
        whole: Any = None
        for chunk in self._chunks(messages, stop, kwargs):
            whole = chunk.message if whole is None else whole + chunk.message
        message = AIMessage(
            content=whole.content,
            tool_calls=whole.tool_calls,
            response_metadata=whole.response_metadata,
        )
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        del run_manager
        yield from self._chunks(messages, stop, kwargs)

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        del run_manager
        for chunk in self._chunks(messages, stop, kwargs):
            await asyncio.sleep(0)  # here a stop can reach it
            yield chunk

    def _chunks(
        self,
        messages: Sequence[BaseMessage],
        stop: Sequence[str] | None,
        options: dict[str, Any],
    ) -> Iterator[ChatGenerationChunk]:
        """A call of the search, or the answer piece by piece."""
        asked = read(messages)
        model = options.get("model", self.model_name)
        if asked.outcome is Outcome.NOT_SEARCHED and _may_search(asked, options):
            yield _call(asked, model)
            return
        for piece in _PIECE.findall(_until(answer_to(asked), stop)):
            yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
        yield _last("stop", model)


def _may_search(asked: Asked, options: dict[str, Any]) -> bool:
    tools = options.get("tools") or ()
    names = {tool.get("function", {}).get("name") for tool in tools}
    return (
        SEARCH in names and options.get("tool_choice") != "none" and bool(asked.query)
    )


def _call(asked: Asked, model: str) -> ChatGenerationChunk:
    arguments = json.dumps({"query": asked.query}, ensure_ascii=False)
    call = tool_call_chunk(
        name=SEARCH, args=arguments, id=f"call_{uuid4().hex}", index=0
    )
    return _last("tool_calls", model, tool_call_chunks=[call])


def _last(reason: str, model: str, **more: Any) -> ChatGenerationChunk:
    """The chunk that tells how the answer ended."""
    metadata = {"finish_reason": reason, "model_name": model, "model_provider": NAME}
    message = AIMessageChunk(
        content="", response_metadata=metadata, chunk_position="last", **more
    )
    return ChatGenerationChunk(message=message)


def _until(text: str, stop: Sequence[str] | None) -> str:
    """*text* up to the first of the words at which the caller wants it to end."""
    ends = [at for word in stop or () if word and (at := text.find(word)) >= 0]
    return text[: min(ends, default=len(text))]
