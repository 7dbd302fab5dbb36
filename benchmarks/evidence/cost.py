"""Compare the CPU time of an answer that has its evidence with one that has none."""

import asyncio
import os
from contextlib import ExitStack
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from benchmarks.chat_apps.client import Client, tabs
from benchmarks.chat_apps.running import App, running
from benchmarks.result import Figure
from benchmarks.servers import serving
from benchmarks.servers.research import THINGS
from ui.panel.pickers import How

_TOKENS: Final = 400
_TICKS: Final = os.sysconf("SC_CLK_TCK")


def answer() -> Figure:
    """
    CPU time of the whole app for an answer, relative to one with `EVIDENCE=off`.

    Five questions each, over pages of 100 kB that nobody read before; the workers that
    extract the pages count too. Both apps run at the same time and take turns.
    """
    with ExitStack() as stack:
        search = stack.enter_context(serving("research"))
        model = f"{stack.enter_context(serving('model'))}/{_TOKENS}/v1"
        apps = {
            mode: stack.enter_context(
                running(
                    search,
                    model,
                    EVIDENCE=mode,
                    WEB_FETCH_ENABLED="true",
                    WEB_FETCH_ALLOWED_HOSTS=urlsplit(search).netloc,
                )
            )
            for mode in ("sentence", "off")
        }
        taken = asyncio.run(_taken(apps))
    each = ", ".join(f"{mode} {1000 * s:.0f} ms" for mode, s in taken.items())
    return Figure(taken["sentence"] / taken["off"], f"an answer: {each}")


async def _taken(apps: dict[str, App]) -> dict[str, float]:
    taken = dict.fromkeys(apps, 0.0)
    async with (
        tabs(apps["sentence"].url, 1) as (ours,),
        tabs(apps["off"].url, 1) as (plain,),
    ):
        clients: dict[str, Client] = {"sentence": ours, "off": plain}
        for client in clients.values():  # libraries are loaded, workers started
            await client.ask("Which bridges are there?")
        for thing in THINGS:
            for mode, client in clients.items():
                before = cpu(apps[mode].process)
                question = f"What is the {thing} of the tower of Alto?"
                await client.ask(question, How.QUICK)
                taken[mode] += cpu(apps[mode].process) - before
    return {mode: seconds / len(THINGS) for mode, seconds in taken.items()}


def cpu(process: int) -> float:
    """Seconds of CPU of a process, its threads and its children, ended or not."""
    seconds = 0.0
    waiting = [process]
    while waiting:
        folder = Path("/proc", str(waiting.pop()))
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
        seconds += sum(map(int, fields[11:15])) / _TICKS
        for task in (folder / "task").iterdir():
            waiting += map(int, (task / "children").read_text().split())
    return seconds
