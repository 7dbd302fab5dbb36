"""A tab without a browser: Chainlit's protocol over its socket."""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from typing import Any, Final, Self

import socketio  # type: ignore[import-untyped]  # no stubs exist

_PATIENCE: Final = 15.0
_SETTLED: Final = 0.5


@asynccontextmanager
async def tabs(url: str, count: int) -> AsyncIterator[list["Client"]]:
    """As many conversations, ready for their first question."""
    async with AsyncExitStack() as stack:
        opened = [await stack.enter_async_context(Client(url)) for _ in range(count)]
        for tab in opened:
            await tab.open()
        await asyncio.sleep(
            _SETTLED
        )  # the burst of each start has an end like an answer
        yield opened


class Client:
    """One session; it asks, and knows when the first token of an answer came."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._socket = socketio.AsyncClient(reconnection=False)
        self._socket.on("*", self._receive)
        self._first: float | None = None
        self._done = asyncio.Event()
        self.steps: list[str] = []  # names of all steps that were ended

    async def __aenter__(self) -> Self:
        auth = {
            "clientType": "webapp",
            "sessionId": str(uuid.uuid4()),
            "threadId": "",
            "userEnv": "{}",
            "chatProfile": "",
        }
        await self._socket.connect(
            self._url,
            headers={"Accept-Language": "zh-CN", "Origin": self._url},
            auth=auth,
            transports=["websocket"],
            socketio_path="/ws/socket.io",
            wait_timeout=_PATIENCE,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._socket.disconnect()

    async def open(self) -> None:
        """Begin the conversation; its own first events pass before anybody asks."""
        await self._socket.emit("connection_successful")

    async def ask(self, words: str, button: str | None = None) -> float | None:
        """Milliseconds from *words* to the first token; None where there was none."""
        self._first = None
        self._done.clear()
        started = time.perf_counter()
        await self._socket.emit("client_message", self._message(words, button))
        async with asyncio.timeout(_PATIENCE):
            await self._done.wait()
        return self._first and (self._first - started) * 1000

    async def _receive(self, event: str, data: Any = None) -> None:
        if event == "stream_start" and self._first is None:
            self._first = time.perf_counter()  # it bears the first token
        elif event == "update_message" and data["type"] == "tool":
            self.steps.append(data["name"])
        elif event == "task_end":
            self._done.set()

    def _message(self, words: str, button: str | None) -> dict[str, Any]:
        message = {
            "id": str(uuid.uuid4()),
            "threadId": "",
            "name": "User",
            "type": "user_message",
            "output": words,
            "command": button,
            "metadata": {"location": self._url},
            "createdAt": datetime.now(UTC).isoformat().replace("+00:00", "Z"),
        }
        return {"message": message, "fileReferences": []}
