"""A tab at the level of the socket, with all that reaches it."""

import json
from collections import defaultdict
from typing import Any

from benchmarks.chat_apps.client import Client


class Tab(Client):
    """A session, and what its user would see."""

    patience = 60.0  # a thousand of them share two cores

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.events: list[tuple[str, Any]] = []
        self.answers: dict[str, str] = {}
        self._streamed: defaultdict[str, str] = defaultdict(str)

    async def come_back(self) -> None:
        """Take up a conversation whose connection was lost."""
        await self.connect()
        await self.open(ends=1)  # nothing begins anew

    def count(self, event: str) -> int:
        """Count the times that *event* has come."""
        return sum(name == event for name, _ in self.events)

    async def greet(self) -> None:
        """Tell the server that the page is back, while an answer may go on."""
        await self._socket.emit("connection_successful")

    async def stop(self) -> None:
        """Press the stop button."""
        await self._socket.emit("stop")

    @property
    def answer(self) -> str:
        """The latest one, complete."""
        return list(self.answers.values())[-1]

    @property
    def received(self) -> str:
        """Everything, also what was streamed, as one text."""
        whole = json.dumps(self.events, ensure_ascii=False)
        return "\n".join([whole, *self._streamed.values()])

    async def _receive(self, event: str, data: Any = None) -> None:
        self.events.append((event, data))
        match event:
            case "stream_start":
                self._streamed[data["id"]] = data["output"]
            case "stream_token":
                before = "" if data["isSequence"] else self._streamed[data["id"]]
                self._streamed[data["id"]] = before + data["token"]
            case "new_message" | "update_message" if _is_answer(data):
                self.answers[data["id"]] = data["output"]
        await super()._receive(event, data)


def _is_answer(data: dict[str, Any]) -> bool:
    return data["type"] == "assistant_message"
