"""
Measure the memory of a search whose page of results is hostile and has 3 MB.

Run as a module, it is the measured process: it searches an ordinary server, then a
hostile one through Baidu's engine, and prints by how many MB its peak grew, and the
peak of the worker that parsed the page.
"""

import asyncio
import logging
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from benchmarks.memory import in_process
from benchmarks.result import Figure, Skipped
from benchmarks.search import QUERY, service_at
from benchmarks.servers import serving
from benchmarks.servers.hostile import PAGES
from websearch import SearchError, SearchService
from websearch.engines import Baidu
from websearch.network.client import HttpClient

_PROC: Final = Path("/proc")
_PAUSE: Final = 0.01
_SEARCHES: Final = 3


def memory() -> Figure:
    """The largest growth of the peak over all kinds of page, a process for each."""
    if not _PROC.is_dir():
        raise Skipped("the memory of other processes is read from /proc")
    with serving("hostile") as url:
        found = {kind: in_process(__name__, url, kind) for kind in PAGES}
    details = ", ".join(
        f"{kind} {growth:.1f}, worker {worker:.0f}"
        for kind, (growth, worker) in found.items()
    )
    return Figure(max(growth for growth, _ in found.values()), f"in MB: {details}")


async def _memory(url: str, kind: str) -> str:
    """Growth and worker's peak; fails where a hostile search succeeds."""
    async with service_at(url) as service:
        await service.asearch(QUERY)
    before, workers = _peak("self"), [0.0]
    watching = asyncio.create_task(_watch(workers))
    baidu = Baidu(HttpClient(), url=f"{url}/{kind}/s")
    async with SearchService(baidu) as service:
        for _ in range(_SEARCHES):
            try:
                await service.asearch(QUERY)
            except SearchError:
                continue
            raise RuntimeError(f"{kind}: the search did not fail")
    watching.cancel()
    return f"{_peak('self') - before} {max(workers)}"


async def _watch(peaks: list[float]) -> None:
    """Note the peaks of the processes that this one has started."""
    while True:
        for task in (_PROC / "self" / "task").iterdir():
            for child in (task / "children").read_text().split():
                with suppress(OSError, KeyError):  # it has ended
                    peaks.append(_peak(child))
        await asyncio.sleep(_PAUSE)


def _peak(process: str) -> float:
    """The most memory that a process ever had in RAM, in MB."""
    status = (_PROC / process / "status").read_text()
    lines = dict(line.split(":", 1) for line in status.splitlines())
    return int(lines["VmHWM"].split()[0]) / 1024


if __name__ == "__main__":
    logging.disable()  # each failure is expected
    print(asyncio.run(_memory(*sys.argv[1:])))
