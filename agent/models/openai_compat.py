"""ChatOpenAI for every OpenAI-compatible server, at the speed of its bare stream."""

import json
import logging
import re
from typing import Any, Final, Self

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk
from langchain_openai import ChatOpenAI
from openai import AsyncOpenAI, AsyncStream, BadRequestError, UnprocessableEntityError
from pydantic import model_validator

from agent.models.chunks import Chunk, extra_of, mended, thought_of

logger = logging.getLogger(__name__)

# What only some servers know, and what the others say of it when they refuse it:
# Mistral the first, Groq the second.
_REFUSABLE: Final = {
    "stream_options": re.compile("stream_options|include_usage"),
    "reasoning_content": re.compile("reasoning"),
}
_EXTRA: Final = "call_extra"  # of a message: fields of its calls, by their ids
_SPECIFIED: Final = {"id", "type", "function"}
_OPTIONS: Final = {  # of a request, not in its body; with the client's names for them
    "extra_headers": "headers",
    "extra_query": "params",
    "extra_body": "extra_json",
    "timeout": "timeout",
}


class CompatChatOpenAI(ChatOpenAI):
    """
    Takes servers as they are, and carries the reasoning, which ChatOpenAI drops.

    Only streams that are read asynchronously are mended. What is overridden here is
    private, so contract tests stand beside it.
    """

    @model_validator(mode="after")
    def _read_plain_streams(self) -> Self:
        self.async_client = PlainCompletions(self.root_async_client, self.async_client)
        return self

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
            more = {"reasoning_content": thought_of(chunk), _EXTRA: extra_of(chunk)}
            generation.message.additional_kwargs |= {k: v for k, v in more.items() if v}
        return generation

    def _get_request_payload(
        self,
        input_: LanguageModelInput,
        *,
        stop: list[str] | None = None,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """With what a call needs when it goes back: thoughts, Gemini's signature."""
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
                more = extra.get(call["id"], {})
                call |= {name: json.loads(text) for name, text in more.items()}
        if "tools" in payload:
            payload["tools"] = _without_null_defaults(payload["tools"])
        return payload


class PlainCompletions:
    """Chat completions whose streams are plain objects: typed ones cost the most."""

    def __init__(self, client: AsyncOpenAI, typed: Any) -> None:
        self._client = client
        self._typed = typed
        self._refused: frozenset[str] = frozenset()

    @property
    def with_raw_response(self) -> Any:
        """The client's own, for answers that are not streamed."""
        return self._typed.with_raw_response

    async def create(self, **payload: Any) -> Any:
        """A stream to be entered; anything else is the client's own."""
        if not payload.get("stream"):
            return await self._typed.create(**payload)
        most: Any = payload.get("timeout", self._client.timeout)
        seconds = most if isinstance(most, int | float) else getattr(most, "read", None)
        return mended(await self._open(payload), seconds)

    async def _open(self, payload: dict[str, Any]) -> AsyncStream[object]:
        """Ask; without what the server refuses, once it has said so."""
        asked = _without(payload, self._refused)
        try:
            return await self._post(asked)
        except (BadRequestError, UnprocessableEntityError) as error:
            words = str(error)
            named = {name for name, sign in _REFUSABLE.items() if sign.search(words)}
            if any(name in words for name in _extra_names(asked)):
                named.add(_EXTRA)
            refused = self._refused | named
            again = _without(payload, refused)
            if again == asked:
                raise
        stream = await self._post(again)
        if new := refused - self._refused:
            logger.info("The model's server refuses %s", ", ".join(sorted(new)))
            self._refused |= new
        return stream

    async def _post(self, payload: dict[str, Any]) -> AsyncStream[object]:
        body = {k: v for k, v in payload.items() if k not in _OPTIONS}
        options: Any = {_OPTIONS[k]: v for k, v in payload.items() if k in _OPTIONS}
        options["security"] = {"bearer_auth": True}
        try:
            return await self._send(body, options)
        except UnicodeEncodeError:
            # Half an emoji, which a model can write into the arguments of a call.
            text = json.dumps(body, ensure_ascii=False).encode(errors="replace")
            return await self._send(json.loads(text), options)

    async def _send(self, body: object, options: Any) -> AsyncStream[object]:
        return await self._client.post(
            "/chat/completions",
            body=body,
            cast_to=object,
            options=options,
            stream=True,
            stream_cls=AsyncStream[object],
        )


def _without(payload: dict[str, Any], names: frozenset[str]) -> dict[str, Any]:
    """*payload* without the fields of these *names*, its own and its messages'."""
    if not names:
        return payload
    kept = {k: v for k, v in payload.items() if k not in names}
    kept["messages"] = [
        {k: v for k, v in message.items() if k not in names}
        for message in payload["messages"]
    ]
    for message in kept["messages"] if _EXTRA in names else ():
        if calls := message.get("tool_calls"):
            message["tool_calls"] = [
                {k: v for k, v in call.items() if k in _SPECIFIED} for call in calls
            ]
    return kept


def _extra_names(payload: dict[str, Any]) -> set[str]:
    """What its calls have beyond the specification."""
    calls = [c for m in payload["messages"] for c in m.get("tool_calls") or ()]
    return {name for call in calls for name in call} - _SPECIFIED


def _without_null_defaults(schema: Any) -> Any:
    """There are servers that take `"default": null` for a mistake."""
    if isinstance(schema, list):
        return [_without_null_defaults(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {k: v for k, v in schema.items() if k != "default" or v is not None}
    return {k: _without_null_defaults(v) for k, v in kept.items()}
