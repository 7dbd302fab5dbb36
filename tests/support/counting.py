"""A backend that counts its requests, for those who remember searches."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

from websearch import SearchItem, SearchRequest, SearchResponse, SearchService
from websearch.cache import CachedSearch

Outcome = SearchResponse | Exception | None


class Counting:
    """A backend that counts its requests, and waits where it is told to."""

    name = "counting"

    def __init__(self, script: Callable[[int], Outcome] = lambda _: None) -> None:
        self.script = script
        self.queries: list[str] = []
        self.begun = threading.Event()
        self.may_end = threading.Event()
        self.may_end.set()

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        number = len(self.queries)
        self.queries.append(request.query)
        self.begun.set()
        while not self.may_end.is_set():  # noqa: ASYNC110  set from other threads
            await asyncio.sleep(0.001)
        outcome = self.script(number)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome or SearchResponse(request.query, self.name, [item(number)])

    async def aclose(self) -> None:
        pass


def item(number: int) -> SearchItem:
    return SearchItem(f"t{number}", f"https://s{number}.example/", "", "counting")


def cached(backend: Counting, *, most: int = 20, **options: Any) -> CachedSearch:
    return CachedSearch(SearchService(backend, **options), max_queries=most)


def held() -> Counting:
    """A backend whose answers wait for `may_end`."""
    backend = Counting()
    backend.may_end.clear()
    return backend


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110  of no particular event
            await asyncio.sleep(0.001)


async def waiting(search: CachedSearch, count: int, **options: Any) -> list[Any]:
    """*count* tasks that search for the same; the first has begun, the others wait."""
    tasks = [asyncio.create_task(search.asearch("q", **options)) for _ in range(count)]
    for _ in range(10):
        await asyncio.sleep(0)
    return tasks
