"""A tab without a browser: Chainlit's protocol over its socket."""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from typing import Any, Final, Self

import socketio  # type: ignore[import-untyped]  # no stubs exist

# Number of task ends that an app sends when a conversation starts.
OURS: Final = 2
BARE: Final = 1

_PATIENCE: Final = 15.0


@asynccontextmanager
async def tabs(url: str, count: int, ends: int = OURS) -> AsyncIterator[list["Client"]]:
    """Open *count* conversations, ready for their first question."""
    async with AsyncExitStack() as stack:
        opened = [await stack.enter_async_context(Client(url)) for _ in range(count)]
        for tab in opened:
            await tab.open(ends)
        yield opened


class Client:
    """A session that asks questions and times the first token of each answer."""

    patience = _PATIENCE

    def __init__(self, url: str) -> None:
        self._url = url
        self._session = str(uuid.uuid4())
        self._socket = socketio.AsyncClient(reconnection=False)
        self._socket.on("*", self._receive)
        self._first: float | None = None
        self._ends_left, self._end = 0, "task_end"
        self._has_begun = False
        self._done = asyncio.Event()
        self._steps: dict[str, str] = {}

    @property
    def steps(self) -> list[str]:
        """The final names of all steps that have ended."""
        return list(self._steps.values())

    async def __aenter__(self) -> Self:
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.drop()

    async def connect(self) -> None:
        """Open the session's socket, for the first time or after a drop."""
        auth = {
            "clientType": "webapp",
            "sessionId": self._session,
            "threadId": "",
            "userEnv": "{}",
            "chatProfile": "websearch-chat",  # as the page names it
        }
        await self._socket.connect(
            self._url,
            headers={"Accept-Language": "zh-CN", "Origin": self._url},
            auth=auth,
            transports=["websocket"],
            socketio_path="/ws/socket.io",
            wait_timeout=self.patience,
        )

    async def drop(self) -> None:
        """Close the socket without ending the session."""
        await self._socket.disconnect()
        if (http := self._socket.eio.http) is not None:
            await http.close()  # engineio leaves it open

    async def open(self, ends: int = OURS) -> None:
        """Begin the conversation, and wait for its first events."""
        await self._send("connection_successful", ends=ends)

    async def choose(self, mode: str) -> None:
        """Confirm the settings panel with another mode."""
        await self._send("chat_settings_change", {"mode": mode}, end="set_modes")

    async def ask(self, words: str, how: str | None = None) -> float | None:
        """Milliseconds from *words* to the first token; None where there was none."""
        self._first = None
        started = time.perf_counter()
        await self._send("client_message", self._message(words, how))
        return self._first and (self._first - started) * 1000

    async def forget(self) -> None:
        """End the session, as the page does before a new chat."""
        # With an acknowledgement: else a disconnect just after it could overtake it.
        await self._socket.call("clear_session", timeout=self.patience)

    async def _send(
        self, event: str, data: Any = None, *, ends: int = 1, end: str = "task_end"
    ) -> None:
        """Emit *event* and wait for *ends* ends of a task, of a message for its own."""
        self._ends_left, self._end = ends, end
        self._has_begun = event != "client_message"
        self._done.clear()
        await self._socket.emit(event, data)
        async with asyncio.timeout(self.patience):
            await self._done.wait()

    async def _receive(self, event: str, data: Any = None) -> None:
        if event == "stream_start" and self._first is None:
            self._first = time.perf_counter()  # contains the first token
        elif event == "update_message" and data["type"] == "tool":
            self._steps[data["id"]] = data["name"]
        elif event == "task_start":
            self._has_begun = True
        elif event == self._end and self._has_begun:
            self._ends_left -= 1
            if self._ends_left == 0:
                self._done.set()

    def _message(self, words: str, how: str | None) -> dict[str, Any]:
        message = {
            "id": str(uuid.uuid4()),
            "threadId": "",
            "name": "User",
            "type": "user_message",
            "output": words,
            "modes": how and {"how": how},
            "metadata": {"location": self._url},
            "createdAt": datetime.now(UTC).isoformat().replace("+00:00", "Z"),
        }
        return {"message": message, "fileReferences": []}
