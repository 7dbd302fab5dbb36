"""The output of the scripted model, as a real server's chunks, with odd ends."""

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
)
USUAL = "(usual)"
ALIVE = b": alive\n\n"  # a comment, for an answer that does not end
USAGE = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}

_ids = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool."""

    name: str
    arguments: str  # as sent, so it may be broken JSON
    id: str | None = None  # None: a new one; '': a server that gives none
    extra: Mapping[str, Any] = field(default_factory=dict)  # as no specification has it


@dataclass(frozen=True, slots=True)
class Turn:
    """The model's response to one request."""

    text: Sequence[str] = ()
    reasoning: Sequence[str] = ()
    delay: float = 0.0  # before each piece of text and of calls
    first_delay: float = 0.0  # before the first byte
    finish: str | None = USUAL  # None: the stream just ends, cleanly
    cut_after: int | None = None  # pieces of text, then the connection ends
    error_event: Any = None  # after the text, in the middle of the stream
    hang: bool = False  # after text and calls, for ever
    alive: bytes = b""  # the same, but this is sent again and again
    usage: Mapping[str, int] = field(default_factory=lambda: USAGE)
    silent: bool = False  # a stream that ends without an event
    status: int = 200
    error: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: Sequence[Any] = ()  # after the text: chunks as they are, bytes as no JSON
    calls: Sequence[Call] = ()
    split: int = 8  # characters of arguments a chunk
    interleave: bool = False  # chunks of parallel calls take turns
    index: Literal["good", "none", "zero"] = "good"
    one_chunk_calls: bool = False  # a call in one chunk, as Ollama does
    repeat_head: bool = False  # id and name in every chunk of a call
    # Chunks of calls, then the end: with *finish* where one is given (None: none, and
    # cleanly), else the connection ends.
    cut_calls_after: int | None = None

    @property
    def finish_reason(self) -> str | None:
        if self.finish == USUAL:
            return "tool_calls" if self.calls else "stop"
        return self.finish


def stream(asked: dict[str, Any], turn: Turn) -> Iterator[bytes | float]:
    """The bytes of an answer that is streamed, and the pauses between them."""
    base = _base(asked, "chat.completion.chunk")
    yield turn.first_delay
    yield HEAD
    if turn.silent:
        yield b"0\r\n\r\n"
        return
    yield _delta(base, {"role": "assistant", "content": ""})
    for thought in turn.reasoning:
        yield _delta(base, {"reasoning_content": thought})
    for piece in turn.text[: turn.cut_after]:
        yield turn.delay
        yield _delta(base, {"content": piece})
    if turn.cut_after is not None and turn.cut_after < len(turn.text):
        return
    if turn.error_event is not None:
        yield _event({"error": turn.error_event})
        yield b"0\r\n\r\n"
        return
    yield from map(_event, turn.raw)
    for fragment in _fragments(turn, base["id"])[: turn.cut_calls_after]:
        yield turn.delay
        yield _delta(base, {"tool_calls": [fragment]})
    yield from _for_ever(turn)
    if turn.cut_calls_after is None or turn.finish != USUAL:
        yield from _end(asked, base, turn.finish_reason, turn.usage)


def _for_ever(turn: Turn) -> Iterator[bytes | float]:
    if turn.hang:
        yield 600.0
    while turn.alive:
        yield _framed(turn.alive)
        yield 0.02


def whole(asked: dict[str, Any], turn: Turn) -> dict[str, Any]:
    """An answer that is not streamed."""
    base = _base(asked, "chat.completion")
    message: dict[str, Any] = {"role": "assistant", "content": "".join(turn.text)}
    if turn.calls:
        pairs = enumerate(turn.calls)
        message["tool_calls"] = [
            _head(call, base["id"], n, call.arguments) for n, call in pairs
        ]
    choice = {"index": 0, "message": message, "finish_reason": turn.finish_reason}
    return {**base, "choices": [choice], "usage": USAGE}


def _end(
    asked: dict[str, Any],
    base: dict[str, Any],
    finish: str | None,
    usage: Mapping[str, int],
) -> Iterator[bytes]:
    if finish is not None:
        yield _delta(base, {}, finish)
        if (asked.get("stream_options") or {}).get("include_usage"):
            yield _event({**base, "choices": [], "usage": dict(usage)})
        yield _framed(b"data: [DONE]\n\n")
    yield b"0\r\n\r\n"


def _fragments(turn: Turn, answer: str) -> list[dict[str, Any]]:
    streams = [
        list(_pieces(turn, call, answer, n)) for n, call in enumerate(turn.calls)
    ]
    if not turn.interleave:
        return list(itertools.chain(*streams))
    rows = itertools.zip_longest(*streams)
    return [fragment for row in rows for fragment in row if fragment]


def _pieces(
    turn: Turn, call: Call, answer: str, number: int
) -> Iterator[dict[str, Any]]:
    index = {"good": {"index": number}, "zero": {"index": 0}, "none": {}}[turn.index]
    if turn.one_chunk_calls:
        yield {**index, **_head(call, answer, number, call.arguments)}
        return
    yield {**index, **_head(call, answer, number, "")}
    for start in range(0, len(call.arguments), turn.split):
        piece = call.arguments[start : start + turn.split]
        if turn.repeat_head:
            yield {**index, **_head(call, answer, number, piece)}
        else:
            yield {**index, "function": {"arguments": piece}}


def _head(call: Call, answer: str, number: int, arguments: str) -> dict[str, Any]:
    function = {"name": call.name, "arguments": arguments}
    given = f"call_{answer}_{number}" if call.id is None else call.id
    return {
        **({"id": given} if given else {}),
        "type": "function",
        "function": function,
        **call.extra,
    }


def _base(asked: dict[str, Any], kind: str) -> dict[str, Any]:
    number = f"chatcmpl-{next(_ids)}"
    return {"id": number, "object": kind, "created": 1, "model": asked["model"]}


def _delta(
    base: dict[str, Any], delta: dict[str, Any], finish: str | None = None
) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _event({**base, "choices": [choice]})


def _event(data: Any) -> bytes:
    if not isinstance(data, bytes):
        # Half an emoji can only be sent as an escape.
        text = json.dumps(data, ensure_ascii=False)
        data = text.encode(errors="backslashreplace")
    return _framed(b"data: %s\n\n" % data)


def _framed(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)
