"""
The chunks of a streamed answer, as they should have been sent.

The last chunk has the server's `finish_reason` as it was said, but None where the
answer was cut: where the server said none (and its tool calls are not all whole), and
where the arguments of a call begin as JSON that does not end, whatever was said: else
LangChain completes them by itself, and half a query is searched for. Only the reasons
that say why, `length` and `content_filter`, stay with such a call. Arguments that end
and are no object are handed on as they are: LangChain calls them invalid.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any, Final, TypeAlias

from openai import APIError, APITimeoutError, AsyncStream

from agent.models.tool_calls import CallIndex

Chunk: TypeAlias = dict[str, Any]

_COUNTS: Final = ("prompt_tokens", "completion_tokens", "total_tokens")
_NO_END: Final = ("", "null")
_SAY_WHY: Final = ("length", "content_filter")
_STRINGS_AND_BRACKETS: Final = re.compile(r'"(?:[^"\\]|\\.)*+("?)|[{}\[\]]', re.DOTALL)
_CLOSING: Final = {"{": "}", "[": "]"}


@asynccontextmanager
async def mended(
    stream: AsyncStream[object], most_silence: float | None = None
) -> AsyncIterator[AsyncIterator[Chunk]]:
    """What *stream* says; left early or silent, it is given up at the server too."""
    async with stream, aclosing(_mended(stream, most_silence)) as chunks:
        yield chunks


def thought_of(chunk: Mapping[str, Any]) -> str:
    """What a model thinks: DeepSeek's name for it, or OpenRouter's."""
    delta = _mapping(_first(chunk.get("choices")).get("delta"))
    return _text(delta.get("reasoning_content")) or _text(delta.get("reasoning"))


def extra_of(chunk: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """The fields that no specification knows, as JSON, by the id of their call."""
    delta = _mapping(_first(chunk.get("choices")).get("delta"))
    extra: dict[str, dict[str, str]] = {}
    for call in delta.get("tool_calls") or ():
        extra |= call.get("extra", {})
    return extra


async def _mended(
    stream: AsyncStream[object], most_silence: float | None
) -> AsyncGenerator[Chunk, None]:
    answer = _Answer()
    chunks = aiter(stream)
    try:
        # A deadline for each, as none may outlive a `yield`. The client's own is for
        # bytes, and servers that are busy send comments and empty chunks for ever.
        while said := await _next(chunks, answer, most_silence):
            yield said
    except TimeoutError as error:
        raise APITimeoutError(stream.response.request) from error
    except (ValueError, RecursionError) as error:
        request = stream.response.request
        raise APIError("The stream is no JSON", request, body=None) from error
    yield answer.end()


async def _next(
    chunks: AsyncIterator[object], answer: "_Answer", most_silence: float | None
) -> Chunk | None:
    """The next chunk that says something; None at the end."""
    async with asyncio.timeout(most_silence):
        async for chunk in chunks:
            if (said := answer.take(chunk)) is not None:
                return said
    return None


class _Answer:
    """What one stream has said; its end is one chunk, also where it was silent."""

    def __init__(self) -> None:
        self._calls = CallIndex()
        self._model = ""
        self._end = ""
        self._usage: dict[str, int] = {}

    def take(self, chunk: object) -> Chunk | None:
        """What *chunk* adds to the answer, if anything."""
        said = _mapping(chunk)
        choice = _first(said.get("choices"))
        delta = _mapping(choice.get("delta"))
        # There are servers that say these in every chunk: the last ones count.
        self._model = _text(said.get("model")) or self._model
        self._usage = _usage(said.get("usage")) or self._usage
        if (end := _text(choice.get("finish_reason"))) not in _NO_END:
            self._end = end
        content, thought = _text(delta.get("content")), thought_of(said)
        calls = self._calls.mend(delta.get("tool_calls"))
        if not (content or thought or calls):
            return None
        spoken = {"content": content, "reasoning_content": thought, "tool_calls": calls}
        return {"choices": [{"delta": spoken}]}

    def end(self) -> Chunk:
        """How the answer ended."""
        reason = self._end or ("tool_calls" if self._calls.is_whole else None)
        if reason not in _SAY_WHY and any(map(_is_open, self._calls.unended)):
            reason = None
        return {
            "model": self._model,
            "choices": [{"delta": {}, "finish_reason": reason}],
            "usage": self._usage,
        }


def _is_open(text: str) -> bool:
    """Whether *text* leaves a string, an object or a list without its end."""
    ends = []
    for token in _STRINGS_AND_BRACKETS.finditer(text):
        said = token[0]
        if said in _CLOSING:
            ends.append(_CLOSING[said])
        elif said in "}]":
            if not ends or ends.pop() != said:
                return False  # it will not become JSON
        elif not token[1]:
            return True
    return bool(ends)


def _text(said: object) -> str:
    """Text, also where it comes in parts (Mistral); half an emoji can't be sent on."""
    if isinstance(said, list):
        return "".join(_text(_mapping(part).get("text")) for part in said)
    if not isinstance(said, str):
        return ""
    if said.isascii():
        return said
    return said.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _usage(said: object) -> dict[str, int]:
    counts = _mapping(said)
    return {k: counts[k] for k in _COUNTS if isinstance(counts.get(k), int)}


def _first(said: object) -> Mapping[str, Any]:
    return _mapping(said[0]) if isinstance(said, list) and said else {}


def _mapping(said: object) -> Mapping[str, Any]:
    return said if isinstance(said, dict) else {}
