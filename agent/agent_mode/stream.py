"""Translate LangGraph's stream of an agent into events."""

from collections.abc import Iterator, Mapping
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk

from agent.events import Aside, Event, Thought, Token


class Reader:
    """Reader of one run; it also collects the text of the answer."""

    def __init__(self) -> None:
        self.usage: dict[str, int] = {}
        self._written: list[str] = []

    @property
    def text(self) -> str:
        """The text since the last call of a tool: in the end, the answer."""
        return "".join(self._written)

    def read(self, part: Mapping[str, Any]) -> Iterator[Event]:
        """The events of one part of the stream."""
        match part["type"]:
            case "custom":  # an event of a tool or of a limit
                yield part["data"]
            case "messages":
                message, _ = part["data"]
                if isinstance(message, AIMessageChunk):  # the results of tools
                    yield from self._chunk(message)
            case "updates":
                for update in part["data"].values():
                    for message in (update or {}).get("messages", ()):
                        yield from self._whole(message)

    def _chunk(self, chunk: AIMessageChunk) -> Iterator[Event]:
        if thought := chunk.additional_kwargs.get("reasoning_content"):
            yield Thought(thought)
        if text := chunk.text:
            self._written.append(text)
            yield Token(text)
        if counted := chunk.usage_metadata:
            for name in ("input_tokens", "output_tokens"):
                self.usage[name] = self.usage.get(name, 0) + counted[name]

    def _whole(self, message: object) -> Iterator[Event]:
        """Turn the text before calls into an aside: it is not the answer."""
        if isinstance(message, AIMessage) and message.tool_calls:
            if self.text.strip():
                yield Aside(self.text)
            self._written.clear()
