"""Our search beside the SearXNG clients of other projects, on the same server."""

import asyncio
import time
from typing import Any

import httpx
import requests

from benchmarks.page import COUNT
from benchmarks.result import Figure
from benchmarks.search import QUERY, STATIC, service_at
from benchmarks.servers import serving
from benchmarks.timing import best_of, shown


def langchain() -> Figure:
    """
    Wall time of searches one after another, ours to the faster way of the wrapper.

    The wrapper asks `/`, which SearXNG redirects to `/search`, and so does this
    server: it pays two requests a search. With one it would be a fifth faster than we.
    """
    with serving(STATIC) as url:
        return asyncio.run(_langchain(url))


def one_shot() -> Figure:
    """
    Wall time of searches one after another, ours to a new client for each call.

    That is how agents such as gpt-researcher ask SearXNG: `requests.get`, `.json()`,
    three fields of each result. `httpx.get` is timed too; the faster one counts.
    """
    with serving(STATIC) as url:
        return asyncio.run(_one_shot(url))


async def _langchain(url: str) -> Figure:
    # Only `make bench` installs it.
    from langchain_community.utilities import SearxSearchWrapper  # noqa: PLC0415

    wrapper = SearxSearchWrapper(searx_host=url)
    return await _compare(
        url,
        {
            "aresults": lambda: wrapper.aresults(QUERY, num_results=COUNT),
            "results": lambda: wrapper.results(QUERY, num_results=COUNT),
        },
    )


async def _one_shot(url: str) -> Figure:
    def picked(get: Any) -> list[dict[str, str]]:
        answer = get(f"{url}/search", params={"q": QUERY, "format": "json"})
        return [
            {"title": row["title"], "href": row["url"], "body": row["content"]}
            for row in answer.json()["results"]
        ]

    return await _compare(
        url,
        {
            "requests.get": lambda: picked(requests.get),
            "httpx.get": lambda: picked(httpx.get),
        },
    )


async def _compare(url: str, others: dict[str, Any]) -> Figure:
    async with service_at(url) as service:
        ours = {"ours": lambda: service.asearch(QUERY, max_results=COUNT)}
        times = await best_of(ours | others, time.perf_counter, rounds=12, calls=20)
    fastest = min(times[name] for name in others)
    return Figure(times["ours"] / fastest, f"minimum wall: {shown(times)}")
