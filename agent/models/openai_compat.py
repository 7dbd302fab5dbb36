"""
ChatOpenAI for all OpenAI-compatible servers, whose streams are repaired.

The last chunk of a repaired stream has the server's `finish_reason`, but None where the
answer was cut: where the server sent none (unless all its tool calls are complete), and
where the arguments of a call are JSON that does not end, whatever the server sent.
Otherwise LangChain would complete them, and half a query would be searched for. Only
`length` and `content_filter` stay with such a call, because they name the cause.
Complete arguments that are no object are passed on; LangChain marks them as invalid.
"""

import asyncio
import json
import logging
import re
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any, Final, Self, TypeAlias

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk
from langchain_openai import ChatOpenAI
from openai import (
    APIError,
    AsyncOpenAI,
    AsyncStream,
    BadRequestError,
    DefaultAsyncHttpxClient,
    Timeout,
    UnprocessableEntityError,
)
from openai.resources.chat import AsyncCompletions
from pydantic import SecretStr

from agent.causes import ModelProblem
from agent.models.context import count_tokens
from agent.models.errors import HALF_CALL, BadEnd, problem_of
from agent.models.settings import ModelSettings
from agent.models.text_parts import TAKES_BACK, Parts, TextParts
from agent.models.tool_calls import SPECIFIED, ToolCallRepair

Chunk: TypeAlias = dict[str, Any]

logger = logging.getLogger(__name__)

# Words of errors about fields that Mistral and Groq refuse.
_REFUSED: Final = ("stream_options", "include_usage", "reasoning")
_CONNECT_SECONDS: Final = 10.0
# What a server near by may take longer to begin: to load its model, and to read the
# prompt on a processor.
LOADING_SECONDS: Final = 300.0
SECONDS_PER_TOKEN: Final = 0.2
_EXTRA: Final = "call_extra"  # additional fields of tool calls, by call id
_COUNTS: Final = ("prompt_tokens", "completion_tokens", "total_tokens")
_CUT_REASONS: Final = ("length", "content_filter")
# From where JSON goes wrong: the start of a word, number or escape, or nothing.
_CUT: Final = re.compile(r"[\w.+\\-]*")
_NO_KEY: Final = SecretStr("no-key")  # servers without keys still require the header


class CompatChatOpenAI(ChatOpenAI):
    """
    Chat model that repairs streams, and keeps the reasoning that ChatOpenAI drops.

    The overridden methods are private, so contract tests check that they exist.
    """

    @classmethod
    def of(cls, settings: ModelSettings) -> Self:
        """Make a chat model with its own connections."""
        address = settings.base_url
        chat = cls(
            model=settings.model,
            base_url=address.url,
            api_key=settings.api_key or _NO_KEY,
            # Our own times are below: a time-out of the client's would be tried again,
            # and a slow server would read the same prompt twice.
            timeout=Timeout(None, connect=min(settings.timeout_s, _CONNECT_SECONDS)),
            # It uses asyncio.wait_for, which before Python 3.12 swallows a cancellation
            # if a chunk arrives with it.
            stream_chunk_timeout=0,
            max_retries=1,
            stream_usage=True,
            use_responses_api=False,
            http_socket_options=(),  # else it warns of our client, whose own they are
            # By default one client is shared by the whole process, across event loops.
            # Credentials are passed as `auth`: headers would show them in a repr.
            http_async_client=DefaultAsyncHttpxClient(
                auth=(address.user or "", address.password or "")
                if address.has_credentials
                else None,
                trust_env=settings.trusts_proxies,
            ),
        )
        chat.async_client = RepairedCompletions(chat.root_async_client, settings)
        return chat

    def _convert_chunk_to_generation_chunk(
        self,
        chunk: Chunk,
        default_chunk_class: type,
        base_generation_info: dict[str, Any] | None,
    ) -> ChatGenerationChunk | None:
        generation = super()._convert_chunk_to_generation_chunk(
            chunk, default_chunk_class, base_generation_info
        )
        if generation and isinstance(generation.message, AIMessageChunk):
            kept = generation.message.additional_kwargs
            if thought := chunk["choices"][0]["delta"].get("reasoning_content"):
                kept["reasoning_content"] = thought
            if chunk["choices"][0]["delta"].get(TAKES_BACK):
                kept[TAKES_BACK] = True
            if extra := chunk.get(_EXTRA):
                kept[_EXTRA] = extra
        return generation

    def _get_request_payload(
        self,
        input_: LanguageModelInput,
        *,
        stop: list[str] | None = None,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """Add the fields that servers expect back: thoughts, Gemini's signature."""
        payload: dict[str, Any] = super()._get_request_payload(
            input_, stop=stop, **kwargs
        )
        messages = self._convert_input(input_).to_messages()
        for sent, message in zip(payload.get("messages", ()), messages, strict=False):
            if "tool_calls" not in sent or not isinstance(message, AIMessage):
                continue
            if thought := message.additional_kwargs.get("reasoning_content"):
                sent["reasoning_content"] = thought
            extra = message.additional_kwargs.get(_EXTRA, {})
            for call in sent["tool_calls"]:
                call.update(extra.get(call["id"], {}))
        if "tools" in payload:
            payload["tools"] = _without_null_defaults(payload["tools"])
        return payload


class RepairedCompletions(AsyncCompletions):
    """Chat completions whose streams are repaired."""

    def __init__(self, client: AsyncOpenAI, settings: ModelSettings) -> None:
        super().__init__(client)
        self._silence = settings.timeout_s  # between two words
        is_set = "timeout_s" in settings.model_fields_set
        self._is_patient = settings.is_near and not is_set
        self._is_strict = False  # True once the server has refused an optional field

    async def create(self, **payload: Any) -> Any:
        """Return a repaired stream, or without `stream=True` the client's response."""
        if not payload.get("stream"):
            return await super().create(**payload)
        first = self._silence
        if self._is_patient:
            first += LOADING_SECONDS
            first += SECONDS_PER_TOKEN * count_tokens(str(payload["messages"]))
        begins = asyncio.get_running_loop().time() + first
        required = _required(payload)
        sent = required if self._is_strict else payload
        stream: AsyncStream[object] | None = None
        async with asyncio.timeout_at(begins):
            try:
                stream = await self._send(sent)
            except (BadRequestError, UnprocessableEntityError) as error:
                calls = [c for m in sent["messages"] for c in m.get("tool_calls") or ()]
                extra = {name for call in calls for name in call} - SPECIFIED
                named = any(name in str(error) for name in (*_REFUSED, *extra))
                if sent == required or not named:
                    raise
            if stream is None:  # again, without optional fields
                stream = await self._send(required)
                if not self._is_strict:
                    logger.info(
                        "The model's server refuses optional fields: leaving them out"
                    )
                self._is_strict = True
        return self._repaired(stream, begins, payload)

    @asynccontextmanager
    async def _repaired(
        self, stream: AsyncStream[object], begins: float, payload: dict[str, Any]
    ) -> AsyncIterator[AsyncIterator[Chunk]]:
        """Repaired chunks of *stream*, which is closed at the end, early or not."""
        chunks = self._chunks(stream, begins, payload)
        async with stream, aclosing(chunks):
            yield chunks

    async def _chunks(
        self, stream: AsyncStream[object], begins: float, payload: dict[str, Any]
    ) -> AsyncGenerator[Chunk, None]:
        called = [c for m in payload["messages"] for c in m.get("tool_calls") or ()]
        offered = payload.get("tools") or ()
        tools = {one["function"]["name"] for one in (*offered, *called)}
        answer, loop = RepairedAnswer(tools), asyncio.get_running_loop()
        chunks, is_empty, until = aiter(stream), True, begins
        has_begun = False
        try:
            # A time for each chunk, as none may span a `yield`. That of the client
            # would begin anew with the comments and empty chunks that busy servers
            # send for ever.
            while not answer.is_over:
                async with asyncio.timeout_at(until):
                    async for chunk in chunks:
                        is_empty = False
                        if (added := answer.add(chunk)) or answer.is_over:
                            break
                    else:
                        break
                if added:
                    has_begun = True
                    yield added
                until = loop.time() + self._silence
            if is_empty:  # so llama-cpp-python refuses a prompt that is too long
                async with asyncio.timeout_at(until):
                    whole = await self._send(_required(payload), is_stream=False)
                if (added := answer.add(whole)) is not None:
                    yield added
        except (ValueError, RecursionError) as error:
            request = stream.response.request
            raise APIError("The stream is no JSON", request, body=None) from error
        except APIError as error:
            # The prompt did fit: what the user has seen must not be written again.
            if has_begun and problem_of(error) is ModelProblem.CONTEXT_TOO_LONG:
                raise BadEnd(ModelProblem.TOO_LONG_ANSWER) from error
            raise
        yield answer.end()

    async def _send(self, payload: dict[str, Any], *, is_stream: bool = True) -> Any:
        # A model can put half a surrogate pair into the arguments of a call.
        text = json.dumps(payload, ensure_ascii=False).encode(errors="replace")
        return await self._post(
            "/chat/completions",
            body={**json.loads(text), "stream": is_stream},
            cast_to=object,  # plain dictionaries: typed chunks are slow
            options={"security": {"bearer_auth": True}},
            stream=is_stream,
            stream_cls=AsyncStream[object],
        )


def _required(payload: dict[str, Any]) -> dict[str, Any]:
    """Return *payload* without the fields that some servers refuse."""
    kept = {k: v for k, v in payload.items() if k != "stream_options"}
    kept["messages"] = [
        {k: v for k, v in message.items() if k != "reasoning_content"}
        for message in payload["messages"]
    ]
    for message in kept["messages"]:
        if calls := message.get("tool_calls"):
            message["tool_calls"] = [
                {k: v for k, v in call.items() if k in SPECIFIED} for call in calls
            ]
    return kept


def _without_null_defaults(schema: Any) -> Any:
    """*schema* without `"default": null`, which some servers reject."""
    if isinstance(schema, list):
        return [_without_null_defaults(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {k: v for k, v in schema.items() if k != "default" or v is not None}
    return {k: _without_null_defaults(v) for k, v in kept.items()}


class RepairedAnswer:
    """
    Collector of one stream, which makes its last chunk, also if it was empty.

    Thoughts, and calls of *tools*, that a server leaves in the text are taken out.
    """

    def __init__(self, tools: Collection[str] = ()) -> None:
        self._text = TextParts(tools)
        self._calls = ToolCallRepair()
        self._model = ""
        self._end = ""
        self._usage: dict[str, int] = {}

    @property
    def is_over(self) -> bool:
        """True where the model goes on behind a call that it wrote as text."""
        return self._text.is_over

    def add(self, chunk: object) -> Chunk | None:
        """The content of *chunk*, repaired; None without content."""
        given = _mapping(chunk)
        choices = given.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        choice = _mapping(first)
        delta = _mapping(choice.get("delta") or choice.get("message"))
        # Some servers send these in every chunk; the last chunk is right.
        self._model = _text(given.get("model")) or self._model
        self._usage = _usage(given.get("usage")) or self._usage
        if (end := _text(choice.get("finish_reason"))) not in {"", "null"}:
            self._end = end
        parts = self._text.feed(_text(delta.get("content")))
        # DeepSeek's name, and OpenRouter's.
        thought = _text(delta.get("reasoning_content")) or _text(delta.get("reasoning"))
        parts.thought = thought + parts.thought
        fixed = self._delta(parts, delta.get("tool_calls"))
        return {"choices": [{"delta": fixed}]} if any(fixed.values()) else None

    def end(self) -> Chunk:
        """The last chunk; its `finish_reason` is None if the answer was cut."""
        rest = self._delta(self._text.close())
        reason = self._end or ("tool_calls" if self._calls.is_complete else None)
        if reason not in _CUT_REASONS and any(map(_is_open, self._calls.incomplete)):
            reason = None
        elif reason is not None and self._text.has_half_call:
            reason = HALF_CALL
        return {
            "model": self._model,
            "choices": [{"delta": rest, "finish_reason": reason}],
            "usage": self._usage,
            _EXTRA: self._calls.extra,
        }

    def _delta(self, parts: Parts, calls: object = None) -> Chunk:
        return {
            "content": parts.words,
            "reasoning_content": parts.thought,
            TAKES_BACK: parts.takes_back,
            "tool_calls": self._calls.repair(calls) + self._calls.repair(parts.calls),
        }


def _is_open(text: str) -> bool:
    """Tell if *text* is JSON that ends too early, and not JSON that is wrong."""
    text = text.strip()
    try:
        json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        if error.msg.startswith("Unterminated string"):
            return True
        is_cut = _CUT.fullmatch(text, error.pos) is not None
        return is_cut and error.pos > 0
    except (ValueError, RecursionError):
        return True  # too deep to tell
    return False


def _text(value: object) -> str:
    """Text, also from a list of parts (Mistral), without half surrogate pairs."""
    if isinstance(value, list):
        return "".join(_text(_mapping(part).get("text")) for part in value)
    text = value if isinstance(value, str) else ""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _usage(value: object) -> dict[str, int]:
    counts = _mapping(value)
    return {k: counts[k] for k in _COUNTS if isinstance(counts.get(k), int)}


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
