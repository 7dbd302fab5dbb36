"""
Measure a research report: 5 sub-questions, 15 pages, a model that answers at once.

Run as a module, it is the process whose memory is measured.
"""

import asyncio
import gc
import json
import logging
import subprocess
import sys
import time
import tracemalloc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from statistics import median
from typing import Final
from urllib.parse import urlsplit

from agent import Session
from agent.events import ReadingFinished
from agent.models.catalog import Models
from agent.models.settings import ModelSettings
from agent.research import Budget, ReportRun
from agent.research.report import ReportQuoted, SectionsQuoted
from agent.resources import Resources
from agent.settings import AgentSettings
from benchmarks.pages.reading import tick
from benchmarks.result import Figure
from benchmarks.servers import ROOT, serving
from benchmarks.servers.research import PAGES, QUESTION, SLOWEST, THINGS
from websearch import create_reader, create_service

_ROUNDS: Final = 5
_KEPT: Final = 10


@dataclass(frozen=True, slots=True)
class _Times:
    """Seconds of one report."""

    quoted: float  # from the start to the complete report of quotations
    section: float  # from the end of the last page to its sections
    blocked: float  # the longest time that the loop was blocked


def quoted() -> Figure:
    """Time up to the complete report of quotations, to that of the slowest page."""
    with serving("research") as url:
        times, slowest = asyncio.run(_measured(url))
    best = min(one.quoted for one in times)
    each = ", ".join(f"{one.quoted:.2f}" for one in times)
    return Figure(best / slowest, f"seconds: {each}; the slowest page {slowest:.2f}")


def section() -> Figure:
    """Seconds from the end of the last page to the sections."""
    with serving("research") as url:
        times, _ = asyncio.run(_measured(url))
    taken = [one.section for one in times]
    return Figure(median(taken), f"the median of {_ROUNDS}, {max(taken):.3f} the worst")


def loop() -> Figure:
    """Longest time that the loop was blocked while a report was made, in ms."""
    with serving("research") as url:
        times, _ = asyncio.run(_measured(url))
    blocked = [1000 * one.blocked for one in times]
    # Noise only adds, so that the best round is the steadiest figure.
    return Figure(
        min(blocked),
        f"{median(blocked):.0f} ms the median and {max(blocked):.0f} ms the worst of "
        f"{_ROUNDS} rounds",
    )


def memory() -> Figure:
    """Most memory that is allocated for a report while it is made, in MB."""
    running, left = _memory()
    return Figure(running, f"{left:.2f} MB are left of each report that is kept")


def left() -> Figure:
    """Memory that a finished report keeps, in MB."""
    running, kept = _memory()
    return Figure(kept, f"mean of {_KEPT}; {running:.1f} MB while one is made")


def _memory() -> tuple[float, float]:
    with serving("research") as url:
        done = subprocess.run(
            [sys.executable, "-m", __name__, url],
            cwd=ROOT,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            timeout=300,
        )
    running, kept = json.loads(done.stdout)
    return running, kept


async def _measured(url: str) -> tuple[list[_Times], float]:
    """The times of some reports, and the seconds that the slowest page takes alone."""
    async with _session(url) as make:
        await _report(make())  # loads libraries, starts workers
        times, alone = [], []
        for _ in range(_ROUNDS):
            reader = make().reader
            started = time.perf_counter()
            await reader.aread(f"{url}/page/{SLOWEST}")
            alone.append(time.perf_counter() - started)
            times.append(await _report(make()))
        return times, min(alone)


async def _report(session: Session) -> _Times:
    worst = [0.0]
    ticking = asyncio.create_task(tick(worst))
    started = page = time.perf_counter()
    first = quoted = 0.0
    run = session.report(QUESTION, Budget(pages=PAGES))
    async for event in run.follow():
        now = time.perf_counter()
        match event:
            case ReadingFinished():
                page = now
            case SectionsQuoted():
                first = now
            case ReportQuoted():
                quoted = now
    ticking.cancel()
    _check(run)
    return _Times(quoted - started, first - page, worst[0])


def _check(run: ReportRun) -> None:
    report = run.report
    is_whole = len(report.answered) == len(THINGS) and report.spent.pages == PAGES
    if not is_whole or not all(one.is_rewritten for one in report.sections):
        raise RuntimeError(f"{len(report.answered)} sections, {report.spent}")


@asynccontextmanager
async def _session(url: str) -> AsyncIterator[Callable[[], Session]]:
    """Make sessions that search, read and write with the server at *url*."""
    settings = AgentSettings.model_validate(
        {
            "WEB_SEARCH_BACKEND": "searxng",
            "SEARXNG_BASE_URL": url,
            "WEB_FETCH_ALLOWED_HOSTS": urlsplit(url).netloc,
            "WEB_SEARCH_MAX_RESULTS": 10,
        }
    )
    models = ModelSettings.model_validate(
        {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "k", "OPENAI_MODEL": "bench"}
    )
    resources = Resources(
        Models(models),
        create_service(settings),
        settings,
        reader=create_reader(settings),
    )
    try:
        yield lambda: Session(resources)
    finally:
        await resources.aclose()


async def _grown(url: str) -> tuple[float, float]:
    """MB that one report adds while it is made, and that each leaves if it is kept."""
    async with _session(url) as make:
        for _ in range(2):
            await _report(make())
        tracemalloc.start()
        kept = [await _made(make())]
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        kept.append(await _made(make()))
        _, peak = tracemalloc.get_traced_memory()
        kept += [await _made(make()) for _ in range(_KEPT - 1)]
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    return (peak - before) / 1e6, (after - before) / _KEPT / 1e6


async def _made(session: Session) -> ReportRun:
    run = session.report(QUESTION, Budget(pages=PAGES))
    async for _ in run.follow():
        pass
    return run


if __name__ == "__main__":
    logging.disable()
    print(json.dumps(asyncio.run(_grown(sys.argv[1]))))
