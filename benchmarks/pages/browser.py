"""
Measure the browser of Google: its start, a search through it, its memory, its end.

Run as a module, it is the program that is killed: it searches until then.
"""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.result import Figure, Skipped
from benchmarks.servers import ROOT, serving
from websearch import SearchRequest
from websearch.engines import Google
from websearch.network.client import HttpClient

_PROC: Final = Path("/proc")
_ROUNDS: Final = 5
_SEARCHES: Final = 10
_PAUSE: Final = 0.02
_REQUEST: Final = SearchRequest("tower", session="a")


def first() -> Figure:
    """Seconds of the first search, with the start of the browser."""
    return _searched("first")


def later() -> Figure:
    """Seconds of a search while the browser runs."""
    return _searched("later")


def memory() -> Figure:
    """Memory of the idle browser and its driver, in MB."""
    return _searched("memory")


def left() -> Figure:
    """Seconds until nothing is left of the browser of a killed program."""
    _needs_proc()
    with serving("pages") as url:
        took = [_killed(url) for _ in range(_ROUNDS)]
    return Figure(max(took), f"the longest of {_ROUNDS}, killed in mid-search")


def _searched(name: str) -> Figure:
    _needs_proc()
    with serving("pages") as url:
        values = [asyncio.run(_round(url))[name] for _ in range(_ROUNDS)]
    shown = ", ".join(f"{value:.3g}" for value in values)
    return Figure(median(values), f"median of {shown}")


async def _round(url: str) -> dict[str, float]:
    google, times = _google(url), []
    try:
        for _ in range(_SEARCHES):
            began = time.perf_counter()
            found = await google.asearch(_REQUEST)
            times.append(time.perf_counter() - began)
            if len(found.items) != _SEARCHES:
                raise RuntimeError(f"{len(found.items)} results in place of ten")
        used = sum(map(_megabytes, _browser_of(os.getpid())))
    finally:
        await google.aclose()
    return {"first": times[0], "later": median(times[1:]), "memory": used}


def _google(url: str) -> Google:
    Google.url = f"{url}/search"
    return Google(HttpClient())


def _killed(url: str) -> float:
    program = subprocess.Popen([sys.executable, "-m", __name__, url], cwd=ROOT)
    while not (left := list(_browser_of(program.pid))):
        time.sleep(_PAUSE)
    time.sleep(1)  # the browser has started, and searches
    left = [*left, *_browser_of(program.pid)]
    program.send_signal(signal.SIGKILL)
    program.wait()
    began = time.perf_counter()
    while any(map(_command, left)):
        time.sleep(_PAUSE)
    return time.perf_counter() - began


def _browser_of(program: int) -> Iterator[int]:
    """The driver, the browser and its helpers below *program*."""
    for folder in _PROC.glob("[0-9]*"):
        with suppress(OSError, IndexError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == program:
                child = int(folder.name)
                yield from _browser_of(child)
                if b"parsing.process" not in _command(child):
                    yield child


def _command(process: int) -> bytes:
    """The command line of a process; empty once it has ended."""
    with suppress(OSError):
        return (_PROC / str(process) / "cmdline").read_bytes()
    return b""


def _megabytes(process: int) -> float:
    with suppress(OSError):
        text = (_PROC / str(process) / "smaps_rollup").read_text()
        line = next(one for one in text.splitlines() if one.startswith("Pss:"))
        return int(line.split()[1]) / 1000
    return 0.0


def _needs_proc() -> None:
    if not _PROC.is_dir():
        raise Skipped("processes are read from /proc")


async def _search_on(url: str) -> None:
    google = _google(url)
    while True:
        await google.asearch(_REQUEST)


if __name__ == "__main__":
    asyncio.run(_search_on(sys.argv[1]))
