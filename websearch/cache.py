"""Caches of answers: one of each session, and an opt-in one that all sessions share."""

import math
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from cachetools import TLRUCache

from websearch.engines.base import Backend
from websearch.models import MAX_RESULTS, SearchRequest, SearchResponse
from websearch.results import normalized
from websearch.service import SearchService
from websearch.single_flight import SingleFlight

MAX_QUERIES: Final = 20
# A fallback's answer is cached for a minute only: a better engine may be back then.
STOPGAP_SECONDS: Final = 60.0

MAX_BYTES: Final = 20_000_000
_ITEM_BYTES: Final = 1_000  # of a result, besides its long texts


class CachedBackend:
    """
    A backend with a cache; concurrent equal requests share one search.

    Least recently used answers are evicted first; *lifetime* returns the seconds an
    answer stays valid.
    """

    def __init__(
        self,
        backend: Backend,
        lifetime: Callable[[SearchResponse], float],
        *,
        max_size: int,
        size_of: Callable[[SearchResponse], int] = lambda _: 1,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self._backend = backend
        self._lifetime = lifetime
        self._answers: TLRUCache[SearchRequest, SearchResponse] = TLRUCache(
            max_size, lambda _, answer, now: now + lifetime(answer), timer, size_of
        )
        self._flights: SingleFlight[SearchResponse] = SingleFlight()

    @property
    def name(self) -> str:
        """Name of the backend whose answers these are."""
        return self._backend.name

    def __len__(self) -> int:
        """Number of cached answers."""
        return len(self._answers)

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Return the cached answer or that of an equal running search, or search."""
        # These change no result.
        key = request.changed(trace_id=None, budget_ms=None, session=None)
        self._answers.expire()
        if (known := self._answers.get(key)) is not None:
            return known
        # A search with a shorter time limit may fail where this one would not.
        flight = (key, request.budget_ms)

        async def search() -> SearchResponse:
            answer = normalized(await self._backend.asearch(request), MAX_RESULTS)
            is_kept = self._lifetime(answer) > 0
            if is_kept and self._answers.getsizeof(answer) <= self._answers.maxsize:
                self._answers[key] = replace(answer, cached=True)
            return answer

        answer, is_shared = await self._flights.run(flight, search)
        return replace(answer, cached=True) if is_shared else answer

    async def aclose(self) -> None:
        """Close the backend; its answers stay."""
        await self._backend.aclose()


def session_cache(
    backend: Backend,
    *,
    max_queries: int = MAX_QUERIES,
    timer: Callable[[], float] = time.monotonic,
) -> CachedBackend:
    """Cache the latest answers of one session until it ends."""

    def lifetime(answer: SearchResponse) -> float:
        if answer.errors and not answer.items:
            return 0
        # An engine failed, and another one answered in its place.
        answered = answer.provider.split("+")
        failed = (error.provider or answer.provider for error in answer.errors)
        is_stopgap = any(n != answer.provider and n not in answered for n in failed)
        return STOPGAP_SECONDS if is_stopgap else math.inf

    return CachedBackend(backend, lifetime, max_size=max_queries, timer=timer)


def shared_cache(
    backend: Backend,
    ttl_seconds: float,
    *,
    max_bytes: int = MAX_BYTES,
    timer: Callable[[], float] = time.monotonic,
) -> CachedBackend:
    """Cache answers without errors for all sessions, in memory, without user data."""

    def size_of(answer: SearchResponse) -> int:
        """Estimate the memory of an answer in bytes; its key has the same query."""
        long = [answer.query]
        for item in answer.items:
            long += [item.title, item.url, item.snippet]
            long += [item.link or "", item.engine or ""]
        return _ITEM_BYTES * (1 + len(answer.items)) + sum(map(sys.getsizeof, long))

    return CachedBackend(
        backend,
        lambda answer: 0 if answer.errors else ttl_seconds,
        max_size=max_bytes,
        size_of=size_of,
        timer=timer,
    )


def with_session_cache(
    service: SearchService, max_queries: int = MAX_QUERIES
) -> SearchService:
    """The same service with a cache of its own."""
    return service.over(lambda backend: session_cache(backend, max_queries=max_queries))
