"""Translate LangGraph's stream of an agent into events."""

import time
from collections.abc import Iterator, Mapping
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, ToolMessage

from agent.agent_mode.arguments import query_of
from agent.agent_mode.numbered_search import Found
from agent.agent_mode.tools import NAME
from agent.events import (
    Aside,
    Event,
    SearchFailed,
    SearchFinished,
    SearchStarted,
    Thought,
    Token,
)
from websearch import InvalidInput, SearchError


class Reader:
    """Reader of one run; it also collects the text of the answer."""

    def __init__(self) -> None:
        self.usage: dict[str, int] = {}
        self._written: list[str] = []
        self._started: dict[str, tuple[str, float]] = {}

    @property
    def text(self) -> str:
        """The text since the last search: in the end, the answer."""
        return "".join(self._written)

    def read(self, part: Mapping[str, Any]) -> Iterator[Event]:
        """The events of one part of the stream."""
        match part["type"]:
            case "custom":
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
        if isinstance(message, AIMessage) and message.tool_calls:
            yield from self._calls(message)
        elif isinstance(message, ToolMessage):
            yield from self._result(message)

    def _calls(self, message: AIMessage) -> Iterator[Event]:
        """Report the searches, and turn the text before them into an aside."""
        if self.text.strip():
            yield Aside(self.text)
        self._written.clear()
        for call in message.tool_calls:
            query = query_of(call["args"]) if call["name"] == NAME else ""
            if query and call["id"]:
                self._started[call["id"]] = query, time.monotonic()
                yield SearchStarted(query, call["id"])

    def _result(self, message: ToolMessage) -> Iterator[Event]:
        call = message.tool_call_id
        if call not in self._started:
            return  # a refused call: the model has the reason, the page shows nothing
        query, started = self._started.pop(call)
        outcome = message.artifact
        if isinstance(outcome, Found):
            sources = outcome.round.sources
            yield SearchFinished.of(query, outcome.response, sources, call)
        else:
            took = round((time.monotonic() - started) * 1000)
            is_known = isinstance(outcome, SearchError)
            error = outcome if is_known else InvalidInput("the call was refused")
            yield SearchFailed(query, error, took, call)
