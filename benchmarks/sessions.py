"""Memory of a session, and memory that is freed after it."""

import asyncio
from contextlib import ExitStack
from itertools import pairwise
from typing import Final

import httpx

from benchmarks.chat_apps.client import BARE, OURS, Client, tabs
from benchmarks.chat_apps.running import App, bare, hurried, running
from benchmarks.result import Figure
from benchmarks.search import QUERY
from benchmarks.servers import serving

_WARM_UP: Final = 50
_SESSIONS: Final = 300
_WAVES: Final = 3
_WAVE: Final = 200
_LOADED: Final = 5.0  # seconds until the app has loaded its libraries
_GONE: Final = 8.0  # seconds until the hurried app has swept its sessions
_CLOSED: Final = 30.0  # seconds until engineio has dropped its sockets too


def idle() -> Figure:
    """
    Memory of a session without a question, relative to an empty Chainlit app.

    The growth of the server's resident memory by 300 open tabs, after 50 others. The
    empty app is `chat_apps/empty.py`.
    """
    with ExitStack() as stack:
        search = stack.enter_context(serving("searxng"))
        model = f"{stack.enter_context(serving('model'))}/50-1/v1"
        empty = stack.enter_context(bare("empty"))
        with running(search, model) as app:
            ours = asyncio.run(_idle(app, OURS))
        with running(search, model, empty) as app:
            base = asyncio.run(_idle(app, BARE))
    return Figure(ours / base, f"a session: ours {ours:.0f} kB, empty {base:.0f} kB")


def returned() -> Figure:
    """
    Growth by the third wave of sessions, relative to the growth by the first.

    In each wave 200 sessions get an answer in Agent mode, with a search, and end: half
    with a new chat, half with a lost socket. The process keeps freed memory for the
    next wave. The details show how many objects of each session are left at the end.
    """
    with ExitStack() as stack:
        search = stack.enter_context(serving("searxng"))
        model = f"{stack.enter_context(serving('model'))}/50-1/v1"
        folder = stack.enter_context(hurried())
        # The timer of each read references the answer until it expires.
        hasty = running(search, model, folder, OPENAI_TIMEOUT_S="2")
        return asyncio.run(_returned(stack.enter_context(hasty)))


async def _returned(app: App) -> Figure:
    await asyncio.sleep(_LOADED)
    held = [_objects(app)]
    sizes = [app.memory]
    for _ in range(_WAVES):
        await _wave(app)
        await asyncio.sleep(_GONE)
        sizes.append(app.memory)
    await asyncio.sleep(_CLOSED)
    left = (_objects(app) - held[0]) / _WAVES / _WAVE
    grown = [(after - before) / _WAVE for before, after in pairwise(sizes)]
    each = ", ".join(f"{kilobytes:.0f}" for kilobytes in grown)
    return Figure(
        grown[-1] / grown[0], f"a session: {each} kB; {left:.1f} objects left"
    )


def _objects(app: App) -> int:
    return int(httpx.get(f"{app.url}/objects", timeout=30).text)


async def _wave(app: App) -> None:
    async with tabs(app.url, _WAVE) as opened:
        for number, tab in enumerate(opened):
            await _converse(tab)
            if number % 2:
                await tab.forget()


async def _idle(app: App, ends: int) -> float:
    await asyncio.sleep(_LOADED)
    async with tabs(app.url, _WARM_UP, ends):
        before = app.memory
        async with tabs(app.url, _SESSIONS, ends):
            return (app.memory - before) / _SESSIONS


async def _converse(tab: Client) -> None:
    await tab.choose("agent")
    await tab.ask(QUERY)
    if not any("条结果" in step for step in tab.steps):
        raise RuntimeError("there was no search")
