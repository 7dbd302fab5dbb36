"""CPU of a search, and fifty searches at once."""

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import httpx

from benchmarks.result import Figure
from benchmarks.servers import measured
from benchmarks.servers.searxng import COUNT
from benchmarks.timing import best_of, shown
from websearch import SearchError, SearchService
from websearch.config.address import BaseAddress
from websearch.engines import Searxng
from websearch.network.client import HttpClient

QUERY: Final = "bridges and clocks"

_AT_ONCE = 50
_ROUNDS = 6


def service_at(url: str, *, timeout: float = 5.0) -> SearchService:
    """A search service that asks the server of a benchmark."""
    return SearchService(Searxng(HttpClient(), BaseAddress(url)), timeout=timeout)


def cpu() -> Figure:
    """CPU of one search as a multiple of the bare pooled request and its JSON."""
    return measured("searxng", _cpu)


def concurrent() -> Figure:
    """Count lost searches and extra clients, with fifty searches at once."""
    return measured("searxng", _concurrent)


async def _cpu(url: str) -> Figure:
    params = {"q": QUERY, "format": "json", "locale": "en", "timeout_limit": "4.50"}
    async with service_at(url) as service, httpx.AsyncClient() as client:

        async def bare() -> Any:
            response = await client.get(f"{url}/search", params=params)
            return json.loads(response.content)

        async def ours() -> Any:
            return await service.asearch(QUERY, max_results=COUNT)

        times = await best_of(
            {"ours": ours, "httpx": bare}, time.process_time, rounds=20, calls=60
        )
    return Figure(times["ours"] / times["httpx"], f"minimum CPU: {shown(times)}")


async def _concurrent(url: str) -> Figure:
    lost = 0
    with _built(httpx.AsyncClient) as clients:
        async with service_at(url) as service:
            for _ in range(_ROUNDS):
                searches = (service.asearch(QUERY) for _ in range(_AT_ONCE))
                answers = await asyncio.gather(*searches, return_exceptions=True)
                lost += sum(_is_lost(answer) for answer in answers)
    extra = max(len(clients), 1) - 1
    asked = _AT_ONCE * _ROUNDS
    return Figure(lost + extra, f"{lost} of {asked} lost, {extra} clients more than 1")


def _is_lost(answer: Any) -> bool:
    if isinstance(answer, BaseException) and not isinstance(answer, SearchError):
        raise answer
    return isinstance(answer, SearchError) or len(answer.items) != COUNT


@contextmanager
def _built(kind: type) -> Iterator[list[object]]:
    """Yield a list of all objects of *kind* that are created inside the block."""
    made: list[object] = []
    original = kind.__init__  # type: ignore[misc]  # the class is known to be plain

    def counting(self: object, *args: Any, **options: Any) -> None:
        made.append(self)
        original(self, *args, **options)

    kind.__init__ = counting  # type: ignore[misc]
    try:
        yield made
    finally:
        kind.__init__ = original  # type: ignore[misc]
