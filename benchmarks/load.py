"""Twenty users at once beside two: waits for the first word, gaps between words."""

import asyncio
import random
import time
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from statistics import quantiles
from typing import Any, Final
from urllib.parse import urlsplit

from benchmarks.chat_apps.client import Client
from benchmarks.chat_apps.running import App, running
from benchmarks.evidence.cost import cpu
from benchmarks.result import Figure
from benchmarks.servers import serving
from benchmarks.servers.research import THINGS
from ui.panel.pickers import How

_TOKENS, _RATE = 300, 30
_FEW, _MANY = 2, 20
_SECONDS: Final = 60.0


def gap() -> Figure:
    """
    95th percentile of the gaps between two pieces at 20 users, relative to 2 users.

    Each user asks again as soon as an answer has ended: a search, two to six pages of
    100 kB that are read, 300 tokens at 30 a second. One process, one minute each.
    """
    few, many = _measured()
    return Figure(many.gap / few.gap, f"{few}; {many}")


def first() -> Figure:
    """95th percentile of the waits for the first word at 20 users, relative to 2."""
    few, many = _measured()
    return Figure(many.first / few.first, f"{few}; {many}")


@dataclass(frozen=True, slots=True)
class _Level:
    users: int
    answers: int
    first: float
    gap: float
    cpu: float

    def __str__(self) -> str:
        return (
            f"{self.users} users, {self.answers} answers: first {self.first:.0f} ms, "
            f"gap {self.gap:.0f} ms, {1000 * self.cpu:.0f} ms of CPU an answer"
        )


@cache
def _measured() -> tuple[_Level, _Level]:
    with ExitStack() as stack:
        search = stack.enter_context(serving("research"))
        model = f"{stack.enter_context(serving('model'))}/{_TOKENS}~{_RATE}/v1"
        app = stack.enter_context(
            running(
                search,
                model,
                WEB_FETCH_ENABLED="true",
                WEB_FETCH_ALLOWED_HOSTS=urlsplit(search).netloc,
            )
        )
        asyncio.run(_level(app, _FEW, 10))  # libraries are loaded, workers started
        return (
            asyncio.run(_level(app, _FEW, _SECONDS)),
            asyncio.run(_level(app, _MANY, _SECONDS)),
        )


class _User(Client):
    """A tab that notes when pieces of its answers come."""

    patience = 60.0

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.pieces: list[list[float]] = []

    async def _receive(self, event: str, data: Any = None) -> None:
        if event == "stream_start":
            self.pieces.append([])
        elif event == "stream_token" and self.pieces:
            self.pieces[-1].append(time.perf_counter())
        await super()._receive(event, data)


async def _level(app: App, users: int, seconds: float) -> _Level:
    waits: list[float] = []
    chance = random.Random(users)
    async with AsyncExitStack() as stack:
        tabs = [await stack.enter_async_context(_User(app.url)) for _ in range(users)]
        for tab in tabs:
            await tab.open()
        before, until = cpu(app.process), time.perf_counter() + seconds

        async def use(tab: _User) -> None:
            await asyncio.sleep(chance.random() * _TOKENS / _RATE / 2)
            while time.perf_counter() < until:
                thing = chance.choice(THINGS)
                question = f"What is the {thing} of the tower of Alto?"
                wait = await tab.ask(question, How.QUICK)
                if wait is None:
                    raise RuntimeError("an answer had no word")
                waits.append(wait)

        await asyncio.gather(*map(use, tabs))
        taken = (cpu(app.process) - before) / len(waits)
    gaps = [
        1000 * (after - piece)
        for tab in tabs
        for pieces in tab.pieces
        for piece, after in pairwise(pieces)
    ]
    return _Level(users, len(waits), _p95(waits), _p95(gaps), taken)


def _p95(values: list[float]) -> float:
    return quantiles(values, n=20)[-1]
