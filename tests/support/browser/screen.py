"""The content of Chainlit's page, without server or browser."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from chainlit.chat_context import chat_contexts
from chainlit.context import ChainlitContext, context_var
from chainlit.session import WebsocketSession
from chainlit.user_session import user_sessions

from agent import events
from agent.events import Answer, Event, Failed, PageOutcome
from citations import Source
from ui.answer.draw import AnswerPage, draw
from websearch.config.settings import Settings
from websearch.errors import SearchError, Timeout
from websearch.models import Page

ONE, TWO, THREE = (
    Source(n, f"Title {n}", f"https://s{n}.example/", f"Snippet {n}")
    for n in range(1, 4)
)


class Screen:
    """The page that the socket's messages produce, in the order of arrival."""

    def __init__(self) -> None:
        self.asked: list[str] = []  # of the page's script
        self.facts: list[dict[str, Any]] = []  # of each answer, for its bar
        self.shown: dict[str, dict[str, Any]] = {}
        self.buttons: list[dict[str, Any]] = []
        self.panel: dict[str, dict[str, Any]] = {}  # the widgets by their ids
        self.picked: dict[str, str] = {}  # in the composer, by the pickers' ids
        self.names: list[str] = []

    async def take(self, name: str, data: Any) -> None:
        self.names.append(name)
        match name:
            case "new_message" | "stream_start" | "update_message":
                self.shown[data["id"]] = dict(data)
            case "stream_token":
                before = "" if data["isSequence"] else self.shown[data["id"]]["output"]
                self.shown[data["id"]]["output"] = before + data["token"]
            case "chat_settings":
                self.panel = {widget["id"]: widget for widget in data}
            case "set_modes":
                self.picked = {
                    picker["id"]: option["id"]
                    for picker in data
                    for option in picker["options"]
                    if option["default"]
                }
            case "action":
                self.buttons.append(data)
            case "window_message" if "facts" in data:
                self.facts.append(data)
            case "window_message":
                self.asked.append(data)
            case "delete_message":
                self.shown.pop(data["id"], None)  # the user's own are not noted

    @property
    def steps(self) -> list[dict[str, Any]]:
        return [one for one in self.shown.values() if one["type"] == "tool"]

    @property
    def messages(self) -> list[str]:
        return [one["output"] for one in self.all if one["type"] != "tool"]

    @property
    def all(self) -> list[dict[str, Any]]:
        return list(self.shown.values())

    @property
    def lines(self) -> list[str]:
        """Each step by its name, each message by its first line."""
        return [
            one["name"] if one["type"] == "tool" else one["output"].split("\n")[0]
            for one in self.all
        ]

    @property
    def is_quiet(self) -> bool:
        """Tell if no loading animation is left."""
        running = [one for one in self.steps if one["start"] and not one["end"]]
        return not running and not any(one["streaming"] for one in self.all)


@asynccontextmanager
async def open_screen() -> AsyncIterator[Screen]:
    """A session of Chainlit without server or browser."""
    recorder = Screen()

    async def call(*_: Any) -> None: ...

    session = WebsocketSession(
        id=str(uuid.uuid4()),
        socket_id=uuid.uuid4().hex,
        emit=recorder.take,
        emit_call=call,
        user_env={},
        client_type="webapp",
    )
    token = context_var.set(ChainlitContext(session))
    yield recorder
    context_var.reset(token)
    await session.delete()
    chat_contexts.pop(session.id, None)
    user_sessions.pop(session.id, None)


async def scripted(*events: Event, hang: bool = False) -> AsyncIterator[Event]:
    for event in events:
        yield event
    if hang:
        await asyncio.sleep(60)


async def drawn(*events: Event, language: str = "zh-CN") -> None:
    """Draw *events*, and an end where they have none."""
    is_ended = isinstance(events[-1], Answer | Failed)
    end = () if is_ended else (Answer(""),)
    page = AnswerPage(language, Settings.load())
    await draw(scripted(*events, *end), page)


async def stopped(*events: Event) -> None:
    """The same, stopped after the last of *events*."""
    page = AnswerPage("zh-CN", Settings.load())
    task = asyncio.create_task(draw(scripted(*events, hang=True), page))
    await asyncio.sleep(0.2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def started(query: str, call: str = "") -> events.SearchStarted:
    return events.SearchStarted(query, call, at=1.0)


def found(
    query: str, call: str, *sources: Source, **more: Any
) -> events.SearchFinished:
    return events.SearchFinished(query, sources, "searxng", 800, call=call, **more)


def failed(query: str, call: str = "", error: Any = None) -> events.SearchFailed:
    return events.SearchFailed(query, error or Timeout("x"), 5_000, call)


def reading(*sources: Source, call: str = "") -> events.ReadingStarted:
    return events.ReadingStarted(sources, call, at=1.0)


def page_of(
    source: Source, *, truncated: bool = False, cached: bool = False
) -> PageOutcome:
    """The outcome of a page that was read."""
    page = Page(
        url=source.url,
        final_url=source.url,
        title=source.title,
        text="Long text. " * 50,
        content_type="text/html",
        published_at="2026-11-02",
        truncated=truncated,
        took_ms=800,
        cached=cached,
    )
    return PageOutcome(source.merged(page), page, took_ms=800)


def unread(source: Source, error: SearchError) -> PageOutcome:
    return PageOutcome(source, error=error, took_ms=300)


def read(*pages: PageOutcome, call: str = "") -> events.ReadingFinished:
    return events.ReadingFinished(pages, 1_200, call)
