"""Chainlit's handlers, and nothing else."""

import gc
import logging
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import chainlit as cl
import chainlit.server
from chainlit.auth import require_login
from chainlit.config import config

gc.freeze()  # loaded modules stay; collections at start need not scan them

from agent import Resources
from ui.answer.again import ACTION
from ui.answer.evidence import SourceTexts
from ui.conversation import Conversation
from ui.report.drawn import PLAN_ACTION
from ui.server import guard
from ui.server.access import REQUEST
from ui.server.browser_id import id_in
from ui.server.settings import PageSettings
from ui.server.turns import Turns
from ui.setup.page import SetupPage
from ui.start import help_pages
from ui.start.lifecycle import Lifecycle
from ui.status import welcome
from ui.texts import browser_tag, page_language, text

logger = logging.getLogger(__name__)

lifecycle = Lifecycle(Resources.load())
page = PageSettings.load()
turns = Turns(page.answers_at_once)
texts = SourceTexts()
guard.install(
    allowed_hosts=page.allowed_hosts.split(","),
    allow_public=page.allow_public,
    language=page.ui_language,
    forget=lifecycle.leave,
)
setup = SetupPage(
    lifecycle,
    language=page.ui_language,
    is_shut=page.is_shared or require_login(),
)
chainlit.server.app.router.routes[:0] = [*help_pages.ROUTES, *setup.routes]


@cl.on_app_startup
async def start() -> None:
    """Check that the server is secured, then check search in the background."""
    await guard.self_test()
    await lifecycle.start()


@cl.on_app_shutdown
async def stop() -> None:
    """Close all connections."""
    await lifecycle.stop()


@cl.set_chat_profiles
async def profiles(_user: Any, chosen: str | None = None) -> list[cl.ChatProfile]:
    """The welcome screen, with the current state of search and model."""
    diagnosis = await lifecycle.state_of_search()
    language = page_language(page.ui_language, chosen)
    request = REQUEST.get()
    return [
        welcome(
            language,
            diagnosis,
            lifecycle.resources,
            may_set_up=setup.admits(request),
            report=lifecycle.reports.finished(id_in(request)),
        )
    ]


@cl.on_chat_start
async def open_conversation() -> None:
    """Start the conversation of a tab."""
    async with friendly():
        session = cl.context.session
        # A page may connect twice before its first question, and what was sent to its
        # first connection is lost: let Chainlit open the conversation again.
        session.chat_started = False
        is_new = session.id not in lifecycle.conversations
        await current().open(session.environ)
        if is_new:
            await cl.send_window_message("websearch:began")


async def take_settings(sent: dict[str, Any]) -> None:
    """Take the values of the settings panel, at each change."""
    async with friendly():
        await current().take_settings(sent)


# Not by Chainlit's decorators: these tell the page of the end of a task, at which it
# takes the stop button of a running answer away.
config.code.on_settings_edit = config.code.on_settings_update = take_settings


@cl.on_window_message
async def pick(sent: Any) -> None:
    """Take what public/page.js tells of the pickers in the composer."""
    async with friendly():
        await current().pick(sent)


@cl.on_message
async def receive(message: cl.Message) -> None:
    """Answer a question, or run a command."""
    cl.context.session.chat_started = True
    async with friendly():
        await current().receive(message)


@cl.action_callback(ACTION)
async def ask_again(action: cl.Action) -> None:
    """Answer a question again, as the button below its answer says."""
    async with friendly():
        await current().ask_again(action)


@cl.on_stop
async def stopped() -> None:
    """Stop the answer; its own last line says so."""
    await current().stop()


@cl.action_callback(PLAN_ACTION)
async def change_plan(action: cl.Action) -> None:
    """Follow a button of a report's plan."""
    async with friendly():
        await current().change_plan(action.payload)


def current() -> Conversation:
    """The conversation of this tab; a new one after a restart of the server."""
    session = cl.context.session
    if session.id not in lifecycle.conversations:
        lifecycle.conversations[session.id] = Conversation(
            lifecycle.resources,
            language(),
            lifecycle.examine,
            page.evidence,
            texts,
            reports=lifecycle.reports,
            turns=turns,
        )
    return lifecycle.conversations[session.id]


def language() -> str:
    """The language of this tab."""
    setting = page.ui_language
    return page_language(setting, browser_tag(cl.context.session.environ))


@asynccontextmanager
async def friendly() -> AsyncIterator[None]:
    """Show a sentence for an unexpected error, which must not reach the page itself."""
    try:
        yield
    except Exception as error:  # noqa: BLE001  nothing above catches it
        # Logged without its text, which can contain a key or the user's words.
        trace = "".join(traceback.format_tb(error.__traceback__))
        logger.error("A handler failed: %s\n%s", type(error).__name__, trace)  # noqa: TRY400
        await cl.Message(text("uncaught", language())).send()
