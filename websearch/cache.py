"""Caches of answers: one of each session, and an opt-in one that all sessions share."""

import asyncio
import math
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from threading import Lock
from typing import Final, TypeAlias

from cachetools import TLRUCache

from websearch.engines.base import Backend
from websearch.errors import SearchError, Timeout, copy_of
from websearch.models import MAX_RESULTS, SearchItem, SearchRequest, SearchResponse
from websearch.results import normalized
from websearch.service import SearchService

MAX_QUERIES: Final = 20
# A fallback's answer is cached for a minute only: a better engine may be back then.
STOPGAP_SECONDS: Final = 60.0

MAX_ENTRIES: Final = 1_000  # entries of usual size, 10 kB each
MAX_BYTES: Final = 20_000_000

_ITEM_BYTES: Final = 500  # overhead besides the texts

# Trace id and time limit are not part of the key: they change no result.
_Key: TypeAlias = tuple[object, ...]
# The outcome of a running search; None if it was cancelled.
_Outcome: TypeAlias = SearchResponse | SearchError | None


class CachedBackend:
    """
    A backend with a cache; concurrent equal requests share one search.

    Least recently used answers are evicted first; *lifetime* returns the seconds an
    answer stays valid. Services of any event loop and thread may share one
    object.
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
        if max_size < 1:
            raise ValueError("the size of a cache must be 1 at least")
        self._backend = backend
        self._lifetime = lifetime
        self._answers: TLRUCache[_Key, SearchResponse] = TLRUCache(
            max_size, lambda _, answer, now: now + lifetime(answer), timer, size_of
        )
        # One for each event loop, so that a blocked loop does not delay the others.
        self._flights: dict[tuple[int, _Key], asyncio.Future[_Outcome]] = {}
        self._lock = Lock()

    @property
    def name(self) -> str:
        """Name of the backend whose answers these are."""
        return self._backend.name

    def __len__(self) -> int:
        """Number of cached answers."""
        return len(self._answers)

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Return the cached answer or that of an equal running search, or search."""
        key = _key(request)
        flight_key = (id(asyncio.get_running_loop()), key)
        while True:
            if (found := self._look_up(key)) is not None:
                return found
            flight = self._flights.get(flight_key)
            if flight is None:
                return await self._share_search(flight_key, request)
            outcome = await asyncio.shield(flight)
            if isinstance(outcome, SearchResponse):
                return replace(outcome, cached=True)
            # A search that was cancelled, or had a shorter time limit, is not reused.
            if outcome is not None and not isinstance(outcome, Timeout):
                raise copy_of(outcome)

    async def aclose(self) -> None:
        """Close the backend; its answers stay."""
        await self._backend.aclose()

    def _look_up(self, key: _Key) -> SearchResponse | None:
        with self._lock:
            self._answers.expire()
            return self._answers.get(key)

    async def _share_search(
        self, flight_key: tuple[int, _Key], request: SearchRequest
    ) -> SearchResponse:
        flight: asyncio.Future[_Outcome] = asyncio.get_running_loop().create_future()
        self._flights[flight_key] = flight
        outcome: _Outcome = None
        try:
            found = await self._backend.asearch(request)
            outcome = normalized(found, MAX_RESULTS)
            self._keep(flight_key[1], replace(outcome, cached=True))
        except SearchError as error:
            outcome = error
            raise
        else:
            return outcome
        finally:
            del self._flights[flight_key]
            flight.set_result(outcome)

    def _keep(self, key: _Key, answer: SearchResponse) -> None:
        if self._lifetime(answer) <= 0:
            return
        with self._lock:
            if self._answers.getsizeof(answer) <= self._answers.maxsize:
                self._answers[key] = answer


def session_cache(
    backend: Backend,
    *,
    max_queries: int = MAX_QUERIES,
    timer: Callable[[], float] = time.monotonic,
) -> CachedBackend:
    """Cache the latest answers of one session until it ends."""
    return CachedBackend(
        backend, _lifetime_in_a_session, max_size=max_queries, timer=timer
    )


def shared_cache(
    backend: Backend,
    ttl_seconds: float,
    *,
    max_entries: int = MAX_ENTRIES,
    max_bytes: int = MAX_BYTES,
    timer: Callable[[], float] = time.monotonic,
) -> CachedBackend:
    """
    Cache answers without errors for all sessions, in memory, without user data.

    An answer counts as one of *max_entries*, or as more if it is large.
    """
    if ttl_seconds <= 0 or max_entries < 1:
        raise ValueError("ttl_seconds and max_entries must be above 0")
    least = max_bytes // max_entries
    return CachedBackend(
        backend,
        lambda answer: 0 if answer.errors else ttl_seconds,
        max_size=max_bytes,
        size_of=lambda answer: max(_bytes(answer), least),
        timer=timer,
    )


def with_session_cache(
    service: SearchService, max_queries: int = MAX_QUERIES
) -> SearchService:
    """The same service with a cache of its own."""
    return service.over(lambda backend: session_cache(backend, max_queries=max_queries))


def _key(request: SearchRequest) -> _Key:
    return (
        request.query,
        request.max_results,
        request.locale,
        request.country,
        request.time_range,
        request.site_filter,
        request.need_summary,
    )


def _lifetime_in_a_session(answer: SearchResponse) -> float:
    if answer.errors and not answer.items:
        return 0
    return STOPGAP_SECONDS if _is_stopgap(answer) else math.inf


def _is_stopgap(answer: SearchResponse) -> bool:
    """True if an engine failed and another one answered in its place."""
    answered = answer.provider.split("+")
    failed = (error.provider or answer.provider for error in answer.errors)
    return any(name != answer.provider and name not in answered for name in failed)


def _bytes(answer: SearchResponse) -> int:
    """Estimate the memory of an answer in bytes; its key has the same query."""
    texts = [answer.query, *(text for item in answer.items for text in _texts(item))]
    return _ITEM_BYTES * (1 + len(answer.items)) + sum(map(sys.getsizeof, texts))


def _texts(item: SearchItem) -> tuple[str | None, ...]:
    return (
        *(item.title, item.url, item.snippet, item.provider),
        *(item.engine, item.published_at, item.link),
    )
