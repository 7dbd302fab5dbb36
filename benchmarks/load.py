"""
Twenty users at once beside two, and forty in one second.

`python -m benchmarks.load FOLDER` compares the CPU of an answer with that of another
checkout in *FOLDER*, which runs at the same time with the libraries of this one.
"""

import asyncio
import random
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import count, cycle, pairwise
from pathlib import Path
from statistics import quantiles
from typing import Any, Final
from urllib.parse import urlsplit

from benchmarks.chat_apps.client import Client
from benchmarks.chat_apps.running import LANGUAGE, App, running
from benchmarks.evidence.cost import cpu
from benchmarks.result import Figure
from benchmarks.servers import ROOT, serving
from benchmarks.servers.research import THINGS
from ui.panel.pickers import How
from ui.texts import text

_TOKENS, _RATE = 300, 30
_FEW, _MANY = 2, 20
_SECONDS: Final = 60.0
_BURST: Final = 40
_visits = count()
_SPARED = text("read_fewer", LANGUAGE, count=3)
_WHOLE = text("read", LANGUAGE, count=5)
_LATE = text("read_none", LANGUAGE, unread="").split("，")[0]
_WAITING = text("waiting", LANGUAGE, count="").split("，")[0].strip("*")


def gap() -> Figure:
    """
    95th percentile of the gaps between two pieces at 20 users, relative to 2 users.

    Each user asks again as soon as an answer has ended: a search, five new pages of
    100 kB that are read, 300 tokens at 30 a second. One process, one minute each.
    """
    few, many = _measured()
    return Figure(many.gap / few.gap, f"{few}; {many}")


def burst() -> Figure:
    """
    Answers that lack a text without saying why, of forty asked in the same second.

    An answer has the full texts of all five results, or says that it waited, or that
    the busy server spared it some.
    """
    with _app() as app:
        return asyncio.run(_burst(app))


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
    with _app() as app:
        asyncio.run(_level(app, _FEW, 10))  # libraries are loaded, workers started
        return (
            asyncio.run(_level(app, _FEW, _SECONDS)),
            asyncio.run(_level(app, _MANY, _SECONDS)),
        )


@contextmanager
def _app(folder: Path = ROOT, pages: int = 5) -> Iterator[App]:
    with ExitStack() as stack:
        search = stack.enter_context(serving("research"))
        model = f"{stack.enter_context(serving('model'))}/{_TOKENS}~{_RATE}/v1"
        yield stack.enter_context(
            running(
                search,
                model,
                folder,
                ANSWERS_AT_ONCE="20",
                WEB_SEARCH_MAX_RESULTS=str(pages),
                WEB_FETCH_ENABLED="true",
                WEB_FETCH_ALLOWED_HOSTS=urlsplit(search).netloc,
                PYTHONPATH=str(folder),
            )
        )


class _User(Client):
    """A tab that notes when pieces of its answers come, and whether it waited."""

    patience = 120.0
    has_waited = False

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.pieces: list[list[float]] = []

    async def _receive(self, event: str, data: Any = None) -> None:
        if event == "new_message" and _WAITING in str(data["output"]):
            self.has_waited = True
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
                question = (
                    f"What is the {thing} of the tower of Alto, visit {next(_visits)}?"
                )
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


async def _burst(app: App) -> Figure:
    async with AsyncExitStack() as stack:
        tabs = [await stack.enter_async_context(_User(app.url)) for _ in range(_BURST)]
        for tab in tabs:
            await tab.open()
        asked = (
            f"What is the {thing} of the tower of Alto?" for thing in cycle(THINGS)
        )
        await asyncio.gather(*(tab.ask(next(asked), How.QUICK) for tab in tabs))
    steps = [str(tab.steps) for tab in tabs]
    told = [
        tab.has_waited or _SPARED in step for tab, step in zip(tabs, steps, strict=True)
    ]
    whole = [_WHOLE in step for step in steps]
    details = (
        f"{sum(whole)} of {_BURST} read all, "
        f"{sum(tab.has_waited for tab in tabs)} waited, "
        f"{sum(_SPARED in step for step in steps)} were spared pages, "
        f"{sum(_LATE in step for step in steps)} missed a page in time"
    )
    silent = sum(not (one or other) for one, other in zip(told, whole, strict=True))
    return Figure(silent, details)


def _compare(other: Path) -> None:
    """Print the CPU of an answer over two pages, three users in each checkout."""

    async def both() -> list[_Level]:
        for _ in range(2):  # at first libraries are loaded, workers started
            levels = await asyncio.gather(
                *(_level(app, 3, _SECONDS) for app in (ours, theirs))
            )
        return levels

    with _app(pages=2) as ours, _app(other, pages=2) as theirs:
        for level in asyncio.run(both()):
            print(level)


def _p95(values: list[float]) -> float:
    return quantiles(values, n=20)[-1]


if __name__ == "__main__":
    _compare(Path(sys.argv[1]).resolve())
