"""Answers that all sessions of a process share for a while: an opt-in."""

import asyncio
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from threading import Lock
from typing import Final, TypeAlias

from cachetools import TTLCache

from websearch.engines.base import Backend
from websearch.errors import SearchError, Timeout
from websearch.models import MAX_RESULTS, SearchItem, SearchRequest, SearchResponse
from websearch.results import normalized
from websearch.routing.deadline import again

MAX_ENTRIES: Final = 1_000  # of a usual answer, 10 kB each
MAX_BYTES: Final = 20_000_000

_OBJECTS: Final = 500  # bytes of an item beside its texts

# What a search under way came to; None where it was cancelled.
_Outcome: TypeAlias = SearchResponse | SearchError | None


class Remembered:
    """
    A backend whose answers are given again for a time, to whoever asks the same.

    Equal requests at once are one. Kept are answers without any error, in memory
    only, by what was asked for; never who asked. Its items are normalised: what
    would be cut off is not kept. Services of any event loop and thread may share one
    object.
    """

    def __init__(
        self,
        backend: Backend,
        ttl_seconds: float,
        *,
        max_entries: int = MAX_ENTRIES,
        max_bytes: int = MAX_BYTES,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        if ttl_seconds <= 0 or max_entries < 1:
            raise ValueError("ttl_seconds and max_entries must be above 0")
        self._backend = backend
        # An answer takes the room of one of *max_entries*, or more where it is large.
        least = max_bytes // max_entries
        self._found: TTLCache[SearchRequest, SearchResponse] = TTLCache(
            max_bytes, ttl_seconds, timer, lambda kept: max(_size(kept), least)
        )
        # For each event loop its own: what blocks one loop holds up no other.
        self._flights: dict[tuple[int, SearchRequest], asyncio.Future[_Outcome]] = {}
        self._lock = Lock()

    @property
    def name(self) -> str:
        """Name of the backend whose answers these are."""
        return self._backend.name

    def __len__(self) -> int:
        """How many answers are kept."""
        return len(self._found)

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """What was found before, or is just being found; else a search."""
        key = replace(request, trace_id=None, budget_ms=None)
        flight_key = (id(asyncio.get_running_loop()), key)
        while True:
            if (found := self._look_up(key)) is not None:
                return found
            flight = self._flights.get(flight_key)
            if flight is None:
                return await self._fly(flight_key, request)
            outcome = await asyncio.shield(flight)
            if isinstance(outcome, SearchResponse):
                return replace(outcome, cached=True)
            # One that was cancelled, or had less time, says nothing about ours.
            if outcome is not None and not isinstance(outcome, Timeout):
                raise again(outcome)

    async def aclose(self) -> None:
        """Close what the backend holds; its answers stay."""
        await self._backend.aclose()

    def _look_up(self, key: SearchRequest) -> SearchResponse | None:
        with self._lock:
            self._found.expire()
            return self._found.get(key)

    async def _fly(
        self, flight_key: tuple[int, SearchRequest], request: SearchRequest
    ) -> SearchResponse:
        flight: asyncio.Future[_Outcome] = asyncio.get_running_loop().create_future()
        self._flights[flight_key] = flight
        outcome: _Outcome = None
        try:
            found = await self._backend.asearch(request)
            outcome = normalized(found, MAX_RESULTS)
            self._keep(flight_key[1], outcome)
        except SearchError as error:
            outcome = error
            raise
        else:
            return outcome
        finally:
            del self._flights[flight_key]
            flight.set_result(outcome)

    def _keep(self, key: SearchRequest, response: SearchResponse) -> None:
        if response.errors:
            return
        kept = replace(response, cached=True)
        with self._lock:
            if _size(kept) <= self._found.maxsize:
                self._found[key] = kept


def _size(response: SearchResponse) -> int:
    """Bytes that an answer takes in memory, about; its request has the same query."""
    texts = [response.query, *(t for item in response.items for t in _texts(item))]
    return _OBJECTS * (1 + len(response.items)) + sum(map(sys.getsizeof, texts))


def _texts(item: SearchItem) -> tuple[str | None, ...]:
    return (
        *(item.title, item.url, item.snippet, item.provider),
        *(item.engine, item.published_at, item.link),
    )
