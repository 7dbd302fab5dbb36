"""The chunks of a streamed answer, as they should have been sent."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any, Final, TypeAlias

from openai import APIError, AsyncStream

from agent.call_index import CallIndex

Chunk: TypeAlias = dict[str, Any]

_COUNTS: Final = ("prompt_tokens", "completion_tokens", "total_tokens")
_NO_END: Final = ("", "null")


@asynccontextmanager
async def mended(stream: AsyncStream[object]) -> AsyncIterator[AsyncIterator[Chunk]]:
    """What *stream* says; left early, it is given up at the server too."""
    async with stream, aclosing(_mended(stream)) as chunks:
        yield chunks


def thought_of(chunk: Mapping[str, Any]) -> str:
    """What a model thinks: DeepSeek's name for it, or OpenRouter's."""
    delta = _mapping(_first(chunk.get("choices")).get("delta"))
    return _text(delta.get("reasoning_content")) or _text(delta.get("reasoning"))


async def _mended(stream: AsyncStream[object]) -> AsyncGenerator[Chunk, None]:
    answer = _Answer()
    try:
        async for chunk in stream:
            if (said := answer.take(chunk)) is not None:
                yield said
    except (ValueError, RecursionError) as error:
        request = stream.response.request
        raise APIError("The stream is no JSON", request, body=None) from error
    yield answer.end()


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
        """How the answer ended; one that was cut gets no reason for it."""
        reason = self._end or ("tool_calls" if self._calls.is_whole else None)
        return {
            "model": self._model,
            "choices": [{"delta": {}, "finish_reason": reason}],
            "usage": self._usage,
        }


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
