"""What a session costs in memory, and what of it comes back."""

import asyncio
from contextlib import ExitStack
from itertools import pairwise
from typing import Final

from benchmarks.chat import MODEL
from benchmarks.chat_apps.client import BARE, OURS, Client, tabs
from benchmarks.chat_apps.running import App, bare, hurried, running
from benchmarks.result import Figure
from benchmarks.search import QUERY, STATIC
from benchmarks.servers import serving

_WARM_UP: Final = 50
_SESSIONS: Final = 300
_WAVES: Final = 3
_WAVE: Final = 200
_LOADED: Final = 5.0  # seconds, after which nothing is loaded beside the start any more
_GONE: Final = 8.0  # seconds, after which an app in a hurry has forgotten


def idle() -> Figure:
    """
    Memory of a session that asks nothing, ours to an empty Chainlit app's.

    Growth of what the server's process has in RAM, by 300 connected and opened tabs
    after 50 others. The empty app is `chat_apps/empty.py`.
    """
    with ExitStack() as stack:
        search = stack.enter_context(serving(STATIC))
        model = f"{stack.enter_context(serving(MODEL))}/50-1/v1"
        empty = stack.enter_context(bare("empty"))
        with running(search, model) as app:
            ours = asyncio.run(_idle(app, OURS))
        with running(search, model, empty) as app:
            base = asyncio.run(_idle(app, BARE))
    return Figure(ours / base, f"a session: ours {ours:.0f} kB, empty {base:.0f} kB")


def returned() -> Figure:
    """
    Growth by the third wave of sessions, as a part of the growth by the first.

    In each wave 200 sessions get an answer in Agent mode, with a search, and go: half
    of them say so, as for a new chat, half just lose their socket. What the second wave
    adds was not kept for anybody: Python looks for cycles once a quarter more is there.
    """
    with ExitStack() as stack:
        search = stack.enter_context(serving(STATIC))
        model = f"{stack.enter_context(serving(MODEL))}/50-1/v1"
        folder = stack.enter_context(hurried())
        # A timer of each read holds on to the answer until it would have rung.
        hasty = running(search, model, folder, OPENAI_TIMEOUT_S="2")
        app = stack.enter_context(hasty)
        sizes = asyncio.run(_waves(app))
    grown = [after - before for before, after in pairwise(sizes)]
    each = ", ".join(f"{kilobytes / _WAVE:.0f}" for kilobytes in grown)
    return Figure(grown[-1] / grown[0], f"kB a session, wave by wave: {each}")


async def _idle(app: App, ends: int) -> float:
    await asyncio.sleep(_LOADED)
    async with tabs(app.url, _WARM_UP, ends):
        before = app.memory
        async with tabs(app.url, _SESSIONS, ends):
            return (app.memory - before) / _SESSIONS


async def _waves(app: App) -> list[int]:
    await asyncio.sleep(_LOADED)
    sizes = [app.memory]
    for _ in range(_WAVES):
        async with tabs(app.url, _WAVE) as opened:
            for number, tab in enumerate(opened):
                await _converse(tab)
                if number % 2:
                    await tab.forget()
        await asyncio.sleep(_GONE)
        sizes.append(app.memory)
    return sizes


async def _converse(tab: Client) -> None:
    await tab.choose("agent")
    await tab.ask(QUERY)
    if not any("找到" in step for step in tab.steps):
        raise RuntimeError("there was no search")
