"""What the engines without SearXNG cost us: a page, a cached answer, a fusion."""

import asyncio
import time
from collections.abc import Callable, Sequence
from itertools import cycle
from typing import Any, Final

from selectolax.lexbor import LexborHTMLParser

from benchmarks import engine_page
from benchmarks.page import COUNT
from benchmarks.result import Figure
from benchmarks.search import QUERY, STATIC, service_at
from benchmarks.servers import serving
from benchmarks.timing import best_of, shown
from websearch import SearchItem
from websearch.cache import CachedSearch
from websearch.engines import duckduckgo as ddg_html
from websearch.network.response import Reply
from websearch.routing.parallel import fuse

# More addresses than Python remembers taken apart, as in the server of the searches.
_PAGES: Final = 32
_HEADERS: Final = {"content-type": "text/html; charset=UTF-8"}
_ENGINES: Final = 5
_STEP: Final = 4  # places by which one engine's list is ahead of the next one's
_HITS: Final = 1_000
_REAL_SEARCH: Final = 300  # ms, of a fast one


def parse_page() -> Figure:
    """CPU of reading a page of results, as a multiple of a bare parse and one query."""
    return asyncio.run(_parse_page())


def parse_vs_ddgs() -> Figure:
    """CPU of reading a page of results, as a multiple of what ddgs takes for it."""
    return asyncio.run(_parse_vs_ddgs())


def cache_hit() -> Figure:
    """How many times cheaper a remembered answer is than a search on loopback."""
    with serving(STATIC) as url:
        return asyncio.run(_cache_hit(url))


def fusing() -> Figure:
    """Milliseconds to fuse five lists of ten, which share most of their pages."""
    return asyncio.run(_fusing())


async def _parse_page() -> Figure:
    bodies = [engine_page.page(number) for number in range(_PAGES)]
    pages = cycle(bodies)
    ours = _reader(bodies)

    def bare() -> int:
        # A number: a page that outlived its call would spare the allocator work.
        return len(LexborHTMLParser(next(pages)).css("div.result"))

    if not len(ours()) == bare() == len(_plain(bodies[0])) == COUNT:
        raise RuntimeError("a page of results was not read whole")
    times = await best_of(
        {"ours": ours, "bare": bare, "plain fields": lambda: _plain(next(pages))},
        time.process_time,
        rounds=20,
        calls=_PAGES,
    )
    return Figure(times["ours"] / times["bare"], f"minimum CPU: {shown(times)}")


async def _parse_vs_ddgs() -> Figure:
    # Installed by `make bench` only.
    from ddgs.engines.duckduckgo import Duckduckgo  # noqa: PLC0415

    bodies = [engine_page.page(number) for number in range(_PAGES)]
    pages = cycle(bodies)
    ours = _reader(bodies)
    engine = Duckduckgo()

    def theirs() -> Any:
        found = engine.extract_results(next(pages).decode())
        return engine.post_extract_results(found)

    if not len(ours()) == len(theirs()) == COUNT:
        raise RuntimeError("a page of results was not read whole")
    times = await best_of(
        {"ours": ours, "ddgs": theirs}, time.process_time, rounds=20, calls=_PAGES
    )
    return Figure(times["ours"] / times["ddgs"], f"minimum CPU: {shown(times)}")


def _reader(bodies: Sequence[bytes]) -> Callable[[], Any]:
    """Our parser alone: the public way to it is a search, with its request."""
    replies = cycle([Reply(200, _HEADERS, body) for body in bodies])
    return lambda: ddg_html._read(next(replies))  # noqa: SLF001


def _plain(body: bytes) -> list[tuple[str, str | None, str]]:
    """Titles, wrapped addresses and snippets as they stand there, without any care."""
    rows = LexborHTMLParser(body).css("div.result")
    links = [
        (row.css("a.result__a")[0], row.css(".result__snippet")[0]) for row in rows
    ]
    return [
        (link.text(), link.attributes["href"], snippet.text())
        for link, snippet in links
    ]


async def _cache_hit(url: str) -> Figure:
    async with service_at(url) as service:
        cached = CachedSearch(service)
        known = {QUERY: await cached.asearch(QUERY)}
        if not (await cached.asearch(QUERY)).cached:
            raise RuntimeError("the answer was not remembered")

        async def bare(query: str) -> Any:
            return known[query]

        # Hits by the thousand: what calls each client here would be half of one hit.
        async def hits() -> None:
            for _ in range(_HITS):
                await cached.asearch(QUERY)

        async def floor() -> None:
            for _ in range(_HITS):
                await bare(QUERY)

        async def search() -> Any:
            return await service.asearch(QUERY)

        clients = {"hits": hits, "floor": floor, "search": search}
        times = await best_of(clients, time.perf_counter, rounds=15, calls=60)
    hit, least = times["hits"] / _HITS, times["floor"] / _HITS
    return Figure(
        times["search"] / hit,
        f"minimum: hit {hit * 1000:.2f} µs, search {times['search']:.2f} ms; awaiting "
        f"an entry of a dictionary takes {least * 1000:.2f} µs; a search of "
        f"{_REAL_SEARCH} ms is {_REAL_SEARCH / hit:,.0f} hits",
    )


async def _fusing() -> Figure:
    lists = [_found(engine) for engine in range(_ENGINES)]
    times = await best_of(
        {"fuse": lambda: fuse(lists)}, time.perf_counter, rounds=15, calls=30
    )
    return Figure(
        times["fuse"], f"{_ENGINES} lists of {COUNT}, {len(fuse(lists))} pages"
    )


def _found(engine: int) -> list[SearchItem]:
    """What an engine found; neighbours share more than half of their pages."""
    return [
        SearchItem(
            title=f"Article {place}: bridges & clocks",
            url=f"https://www.site{place}.example.org/articles?id={place}&utm_source=a",
            snippet="Made-up text about bridges, clocks and rivers. " * (1 + engine),
            provider=f"engine{engine}",
        )
        for place in range(engine * _STEP, engine * _STEP + COUNT)
    ]
