"""A scripted OpenAI-compatible server: real HTTP and SSE, errors, cut streams."""

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from support.model.model_stream import ALIVE, Call, Turn, stream, whole
from support.servers.loopback import Answer, Loopback, Raw, Request, served

__all__ = [
    "ALIVE",
    "Brain",
    "Call",
    "ModelServer",
    "Turn",
    "fails",
    "fetch",
    "model_server",
    "says",
    "script",
    "search",
]

Brain = Callable[[dict[str, Any]], Turn]


def says(*pieces: str, **more: Any) -> Brain:
    """The same answer to everybody."""
    return lambda _: Turn(pieces, **more)


def fails(status: int, message: str = "scripted", **more: Any) -> Brain:
    """The same error to everybody, in OpenAI's shape."""
    error = {"message": message, "type": "x", "param": None, "code": None, **more}
    return lambda _: Turn(status=status, error={"error": error})


def search(query: str, **more: Any) -> Call:
    """A call of the search tool."""
    arguments = json.dumps({"query": query, **more}, ensure_ascii=False)
    return Call("web_search", arguments)


def fetch(url: object, **more: Any) -> Call:
    """A call of the tool that opens pages."""
    return Call("web_fetch", json.dumps({"url": url, **more}, ensure_ascii=False))


def script(*turns: Turn) -> Brain:
    """One turn after the other, for each question anew; the last one repeats.

    Only the request tells which turn is due, so any number of questions may be
    answered at once.
    """

    def brain(asked: dict[str, Any]) -> Turn:
        roles = [message["role"] for message in asked["messages"]]
        since = roles[::-1].index("user") if "user" in roles else len(roles)
        said = roles[len(roles) - since :].count("assistant")
        return turns[min(said, len(turns) - 1)]

    return brain


class ModelServer:
    """The server and what it was asked."""

    def __init__(self, loopback: Loopback) -> None:
        self._loopback = loopback
        self.brain: Brain = says("好")
        # Names, or entries as the server lists them; None: it has no list.
        self.names: Sequence[str | dict[str, Any]] | None = None
        # The context of each model an Ollama runs; None: it is no Ollama.
        self.loaded: dict[str, Any] | None = None

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

    async def is_left_alone(self) -> bool:
        """Tell if the server soon stops writing: it notices a lost client late."""
        for _ in range(100):
            if self.open == 0:
                return True
            await asyncio.sleep(0.02)
        return False

    @property
    def keys(self) -> list[str]:
        return [r.headers.get("authorization", "") for r in self._loopback.requests]

    def answer(self, request: Request) -> Answer | Raw:
        if request.path.endswith("/models") and self.names is not None:
            listed = [
                {"id": one, "object": "model"} if isinstance(one, str) else one
                for one in self.names
            ]
            return Answer(json.dumps({"object": "list", "data": listed}))
        if request.path == "/api/ps" and self.loaded is not None:
            loaded = [
                {"name": name, "model": name, "context_length": context}
                for name, context in self.loaded.items()
            ]
            return Answer(json.dumps({"models": loaded}))
        if not request.path.endswith("/chat/completions"):
            return Answer('{"error": {"message": "no route"}}', 404)
        asked = json.loads(request.body)
        turn = self.brain(asked)
        if turn.status != 200:
            return Answer(json.dumps(turn.error), turn.status, turn.headers)
        if not asked.get("stream"):
            return Answer(json.dumps(whole(asked, turn)))
        return lambda: stream(asked, turn)


@contextmanager
def model_server(brain: Brain | None = None) -> Iterator[ModelServer]:
    """A model on a free port of 127.0.0.1."""
    with served(lambda _: Answer()) as loopback:
        server = ModelServer(loopback)
        loopback.script = server.answer
        if brain:
            server.brain = brain
        yield server
