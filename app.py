"""The page: Chainlit's handlers, nothing else."""

import gc
import logging
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import chainlit as cl
import chainlit.server

gc.freeze()  # what is loaded stays: no full collection need look at it, at start

from agent import Resources
from ui.conversation import Conversation
from ui.language import of_browser, spoken
from ui.server import guard as harden
from ui.server.settings import PageSettings
from ui.start import help_pages
from ui.start.lifecycle import Lifecycle
from ui.start.welcome import welcome
from ui.texts import text

logger = logging.getLogger(__name__)

life = Lifecycle(Resources.load())
page = PageSettings.load()
harden.install(
    allowed_hosts=page.allowed_hosts.split(","),
    allow_public=page.allow_public,
    language=life.resources.settings.ui_language,
)
chainlit.server.app.router.routes[:0] = help_pages.ROUTES


@cl.on_app_startup
async def start() -> None:
    """Refuse to start unguarded; then check search, which never stops the start."""
    await harden.self_test()
    await life.start()


@cl.on_app_shutdown
async def stop() -> None:
    """Close what was opened."""
    await life.stop()


@cl.set_chat_profiles
async def profiles(_user: Any, chosen: str | None = None) -> list[cl.ChatProfile]:
    """The welcome screen, with the state as it is now."""
    diagnosis = await life.state_of_search()
    language = spoken(life.resources.settings.ui_language, chosen)
    return [welcome(language, diagnosis, life.resources)]


@cl.on_chat_start
async def open_conversation() -> None:
    """A conversation of its own for each tab."""
    async with friendly():
        session = cl.context.session
        await current().open(session.environ)


@cl.on_settings_edit
async def edit_settings(sent: dict[str, Any]) -> None:
    """A change inside the open panel."""
    async with friendly():
        await current().edit_settings(sent)


@cl.on_settings_update
async def take_settings(sent: dict[str, Any]) -> None:
    """Confirmed settings."""
    async with friendly():
        await current().take_settings(sent)


@cl.on_message
async def receive(message: cl.Message) -> None:
    """A question, or a command."""
    async with friendly():
        await current().receive(message)


@cl.on_stop
async def stopped() -> None:
    """The answer says so itself; a toast confirms it."""
    if await current().stop():
        words = text("stop_toast", language())
        await cl.context.emitter.send_toast(words, "info")


@cl.on_chat_end
async def end_conversation() -> None:
    """A new chat ends the old one; a dropped connection may come back."""
    session = cl.context.session
    if getattr(session, "to_clear", False):
        await life.end(session.id)


def current() -> Conversation:
    """The conversation of this tab; a new one where the server was started anew."""
    session = cl.context.session
    if session.id not in life.conversations:
        life.conversations[session.id] = Conversation(
            life.resources, language(), life.examine
        )
    return life.conversations[session.id]


def language() -> str:
    """The language of this tab."""
    setting = life.resources.settings.ui_language
    return spoken(setting, of_browser(cl.context.session.environ))


@asynccontextmanager
async def friendly() -> AsyncIterator[None]:
    """Whatever was not foreseen becomes a sentence; nothing of it reaches the page."""
    try:
        yield
    except Exception as error:  # noqa: BLE001  the last catch of all
        # Logged without its text, which can hold a key or the user's words.
        trace = "".join(traceback.format_tb(error.__traceback__))
        logger.error("A handler failed: %s\n%s", type(error).__name__, trace)  # noqa: TRY400
        await cl.Message(text("uncaught", language())).send()
