"""A scripted OpenAI-compatible server: real HTTP and SSE, errors, cut streams."""

import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from fakes.loopback import Answer, Loopback, Raw, Request, served

HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
)


@dataclass(frozen=True, slots=True)
class Turn:
    """What the model says to one request."""

    text: Sequence[str] = ()
    reasoning: Sequence[str] = ()
    delay: float = 0.0  # before each piece of text
    first_delay: float = 0.0  # before the first byte
    finish: str | None = "stop"
    cut_after: int | None = None  # pieces of text, then the connection ends
    hang: bool = False  # after the text, for ever
    status: int = 200
    error: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


Brain = Callable[[dict[str, Any]], Turn]


def says(*pieces: str, **more: Any) -> Brain:
    """The same answer to everybody."""
    return lambda _: Turn(pieces, **more)


def fails(status: int, message: str = "scripted", **more: Any) -> Brain:
    """The same error to everybody, in OpenAI's shape."""
    error = {"message": message, "type": "x", "param": None, "code": None, **more}
    return lambda _: Turn(status=status, error={"error": error})


class ModelServer:
    """The server and what it was asked."""

    def __init__(self, loopback: Loopback) -> None:
        self._loopback = loopback
        self.brain: Brain = says("好")

    @property
    def base_url(self) -> str:
        return f"{self._loopback.url}/v1"

    @property
    def requests(self) -> list[dict[str, Any]]:
        return [json.loads(r.body) for r in self._loopback.requests if r.body]

    @property
    def prompts(self) -> list[str]:
        """The last message of each request."""
        return [request["messages"][-1]["content"] for request in self.requests]

    @property
    def open(self) -> int:
        """Answers that are being written."""
        return self._loopback.writing

    @property
    def keys(self) -> list[str]:
        return [r.headers.get("authorization", "") for r in self._loopback.requests]

    def answer(self, request: Request) -> Answer | Raw:
        if not request.path.endswith("/chat/completions"):
            return Answer('{"error": {"message": "no route"}}', 404)
        asked = json.loads(request.body)
        turn = self.brain(asked)
        if turn.status != 200:
            return Answer(json.dumps(turn.error), turn.status, turn.headers)
        return lambda: _stream(asked, turn)


@contextmanager
def model_server(brain: Brain | None = None) -> Iterator[ModelServer]:
    """A model on a free port of 127.0.0.1."""
    with served(lambda _: Answer()) as loopback:
        server = ModelServer(loopback)
        loopback.script = server.answer
        if brain:
            server.brain = brain
        yield server


def _stream(asked: dict[str, Any], turn: Turn) -> Iterator[bytes | float]:
    asked = {**asked, "_id": f"chatcmpl-{next(_ids)}"}
    yield turn.first_delay
    yield HEAD
    yield _event(asked, {"role": "assistant", "content": ""})
    for thought in turn.reasoning:
        yield _event(asked, {"reasoning_content": thought})
    for count, piece in enumerate(turn.text):
        if count == turn.cut_after:
            return
        if turn.delay:
            yield turn.delay
        yield _event(asked, {"content": piece})
    if turn.hang:
        yield 600.0
    if turn.finish:
        yield _event(asked, {}, turn.finish)
        if (asked.get("stream_options") or {}).get("include_usage"):
            usage = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
            yield _chunk({**_base(asked), "choices": [], "usage": usage})
    yield _framed(b"data: [DONE]\n\n") if turn.finish else b""
    yield b"0\r\n\r\n"


_ids = itertools.count(1)


def _base(asked: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": asked["_id"],
        "object": "chat.completion.chunk",
        "created": 1,
        "model": asked["model"],
    }


def _event(
    asked: dict[str, Any], delta: dict[str, Any], finish: str | None = None
) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _chunk({**_base(asked), "choices": [choice]})


def _chunk(data: dict[str, Any]) -> bytes:
    return _framed(f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode())


def _framed(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)
