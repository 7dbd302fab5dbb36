"""What the engines without SearXNG cost us: a page, a cached answer, a fusion."""

import asyncio
import time
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
from websearch.backends import ddg_html
from websearch.cache import CachedSearch
from websearch.reply import Reply
from websearch.several import fuse

# More addresses than Python remembers taken apart, as in the server of the searches.
_PAGES: Final = 32
_HEADERS: Final = {"content-type": "text/html; charset=UTF-8"}
_ENGINES: Final = 5
_STEP: Final = 4  # places by which one engine's list is ahead of the next one's
_REAL_SEARCH: Final = 300  # ms, of a fast one


def parse_page() -> Figure:
    """CPU of reading a page of results, as a multiple of a bare parse and one query."""
    return asyncio.run(_parse_page())


def cache_hit() -> Figure:
    """How many times cheaper a remembered answer is than a search on loopback."""
    with serving(STATIC) as url:
        return asyncio.run(_cache_hit(url))


def fusing() -> Figure:
    """Milliseconds to fuse five lists of ten, which share most of their pages."""
    return asyncio.run(_fusing())


async def _parse_page() -> Figure:
    bodies = [engine_page.page(number) for number in range(_PAGES)]
    replies = cycle([Reply(200, _HEADERS, body) for body in bodies])
    pages = cycle(bodies)

    def ours() -> Any:
        # The parser alone: the public way to it is a search, with its request.
        return ddg_html._read(next(replies))  # noqa: SLF001

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

        async def hit() -> Any:
            return await cached.asearch(QUERY, max_results=COUNT)

        async def search() -> Any:
            return await service.asearch(QUERY, max_results=COUNT)

        await hit()
        if not (await hit()).cached:
            raise RuntimeError("the answer was not remembered")
        times = await best_of(
            {"hit": hit, "search": search}, time.perf_counter, rounds=15, calls=60
        )
    taken = times["hit"]
    return Figure(
        times["search"] / taken,
        f"minimum: hit {taken * 1000:.1f} µs, search {times['search']:.2f} ms; a search"
        f" of {_REAL_SEARCH} ms is {_REAL_SEARCH / taken:,.0f} hits",
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
