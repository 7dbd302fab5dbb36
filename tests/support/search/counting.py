"""A backend that counts its requests, for tests of the caches."""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

from websearch import SearchItem, SearchRequest, SearchResponse, SearchService
from websearch.cache import session_cache
from websearch.engines.base import Backend

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


def cached(
    backend: Backend, *, most: int = 20, timer: Any = time.monotonic, **options: Any
) -> SearchService:
    """A service with the cache of a session."""
    made = session_cache(backend, max_queries=most, timer=timer)
    return SearchService(made, **options)


def held() -> Counting:
    """A backend whose answers wait for `may_end`."""
    backend = Counting()
    backend.may_end.clear()
    return backend


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110  of no particular event
            await asyncio.sleep(0.001)


async def waiting(search: Any, count: int, query: Any = "q") -> list[Any]:
    """*count* tasks that search for the same; the first has begun, the others wait."""
    tasks = [asyncio.create_task(search.asearch(query)) for _ in range(count)]
    for _ in range(10):
        await asyncio.sleep(0)
    return tasks
