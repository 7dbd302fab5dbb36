"""The page: until the chat exists, it says so and tells the state of search."""

import asyncio

import chainlit as cl

from ui.notices import search_state
from ui.texts import text
from websearch.diagnose import adiagnose
from websearch.findings import Diagnosis
from websearch.settings import Settings

settings = Settings.load()
language = "en-US" if settings.ui_language == "en-US" else "zh-CN"
background: set[asyncio.Task[Diagnosis]] = set()


async def check_search() -> Diagnosis:
    """Look at the search server, and tell the log."""
    diagnosis = await adiagnose(settings)
    diagnosis.log()
    return diagnosis


@cl.on_app_startup
async def start() -> None:
    """Check search beside the start: a search server that is away delays nothing."""
    task = asyncio.create_task(check_search())
    background.add(task)
    task.add_done_callback(background.discard)


@cl.on_chat_start
async def greet() -> None:
    """Say what this page is, and how search is."""
    await cl.Message(text("not_yet", language)).send()
    await cl.Message(search_state(await check_search(), language)).send()


@cl.on_message
async def answer(_message: cl.Message) -> None:
    """Say again what this page is."""
    await cl.Message(text("not_yet", language)).send()
