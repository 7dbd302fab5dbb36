"""Measure reading: a page, ten pages with a hostile one, memory of idle workers."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final
from urllib.parse import urlsplit

import httpx

from benchmarks.result import Figure, Skipped
from benchmarks.servers import measured
from benchmarks.timing import best_of, shown
from websearch import PageReader, SearchError, create_reader
from websearch.config import Settings

_PROC: Final = Path("/proc")
_TICK: Final = 0.001
_PAGES: Final = 9
_ROUNDS: Final = 5


def page() -> Figure:
    """Time of a page of 100 kB to that of a pooled GET and trafilatura in a thread."""
    return measured("pages", _page)


def loop() -> Figure:
    """Longest time that the loop was blocked while ten pages were read, in ms."""
    return measured("pages", _loop)


def memory() -> Figure:
    """Memory of an idle worker that has read pages, in MB."""
    if not _PROC.is_dir():
        raise Skipped("the memory of other processes is read from /proc")
    return measured("pages", _memory)


async def _page(url: str) -> Figure:
    import trafilatura  # noqa: PLC0415  half a second

    async with httpx.AsyncClient() as client, _reader(url) as reader:

        async def bare() -> str | None:
            found = await client.get(f"{url}/page")
            return await asyncio.to_thread(
                trafilatura.extract,
                found.text,
                url=f"{url}/page",
                include_comments=True,
                include_formatting=True,
            )

        async def ours() -> str:
            return (await reader.for_session().aread(f"{url}/page")).text

        assert await bare() == await ours()
        times = await best_of(
            {"ours": ours, "pooled GET and thread": bare},
            time.perf_counter,
            rounds=15,
            calls=4,
        )
    ratio = times["ours"] / times["pooled GET and thread"]
    return Figure(ratio, f"minimum: {shown(times)}")


@dataclass(frozen=True, slots=True)
class _Round:
    """The longest block of the loop in ms, and the seconds until all good pages."""

    blocked: float
    seconds: float


async def _loop(url: str) -> Figure:
    good = [f"{url}/page?{number}" for number in range(_PAGES)]
    async with _reader(url) as reader:
        await _read_all(reader, good)
        idle = await _idle()
        alone = [await _round(reader, good) for _ in range(_ROUNDS)]
        beside = [await _round(reader, good, f"{url}/hostile") for _ in range(_ROUNDS)]
    times = {
        "alone": median(one.seconds for one in alone),
        "beside a hostile one": median(one.seconds for one in beside),
    }
    others = ", ".join(f"{name} {1000 * time:.0f} ms" for name, time in times.items())
    blocked = [one.blocked for one in beside]
    # Noise only adds, so that the best round is the steadiest figure.
    return Figure(
        min(blocked),
        f"{median(blocked):.0f} ms the median and {max(blocked):.0f} ms the worst of "
        f"{_ROUNDS} rounds, {idle:.0f} ms without reading; {_PAGES} pages: {others}",
    )


async def _round(
    reader: PageReader, urls: Sequence[str], hostile: str | None = None
) -> _Round:
    session = reader.for_session()
    worst = [0.0]
    ticking = asyncio.create_task(tick(worst))
    bad = asyncio.create_task(_read_all(session, [hostile] if hostile else []))
    await asyncio.sleep(0)
    started = time.perf_counter()
    await _read_all(session, urls)
    seconds = time.perf_counter() - started
    await bad
    ticking.cancel()
    return _Round(1000 * worst[0], seconds)


async def _idle() -> float:
    """The longest block of a loop that does nothing: what the machine adds, in ms."""
    worst = [0.0]
    ticking = asyncio.create_task(tick(worst))
    await asyncio.sleep(1)
    ticking.cancel()
    return 1000 * worst[0]


async def tick(worst: list[float]) -> None:
    """Note by how much the loop was late."""
    last = time.perf_counter()
    while True:
        await asyncio.sleep(_TICK)
        now = time.perf_counter()
        worst[0] = max(worst[0], now - last - _TICK)
        last = now


async def _read_all(reader: PageReader, urls: Iterable[str]) -> None:
    async def read(url: str) -> None:
        with suppress(SearchError):
            await reader.aread(url)

    await asyncio.gather(*map(read, urls))


async def _memory(url: str) -> Figure:
    async with _reader(url) as reader:
        await reader.warm()
        fresh = _sizes()
        await _read_all(reader, [f"{url}/page?{number}" for number in range(20)])
        used = _sizes()
    details = (
        f"{len(used)} workers: {', '.join(f'{size:.0f}' for size in used)} MB; "
        f"{max(fresh):.0f} MB before the first page; {len(_sizes())} left"
    )
    return Figure(max(used), details)


def _sizes() -> list[float]:
    """The proportional memory of each worker of this process, in MB."""
    return [
        _kilobytes(folder / "smaps_rollup", "Pss:") / 1000
        for folder in _PROC.glob("[0-9]*")
        if _is_worker(folder)
    ]


def _is_worker(folder: Path) -> bool:
    try:
        parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        command = (folder / "cmdline").read_bytes()
    except OSError:  # ended meanwhile
        return False
    return parent == os.getpid() and b"websearch." in command


def _kilobytes(file: Path, name: str) -> int:
    return int(file.read_text().split(f"\n{name}")[1].split()[0])


@asynccontextmanager
async def _reader(url: str) -> AsyncIterator[PageReader]:
    settings = Settings.model_validate(
        {"WEB_FETCH_ALLOWED_HOSTS": urlsplit(url).netloc}
    )
    async with aclosing(create_reader(settings)) as reader:
        yield reader
