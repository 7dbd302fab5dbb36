"""The searches of one session: what was found once is not asked for again."""

import asyncio
import logging
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from threading import Lock
from typing import Final, TypeAlias, Unpack

from cachetools import LRUCache

from websearch.errors import SearchError, Timeout
from websearch.models import SearchRequest, SearchResponse
from websearch.service import SearchOptions, SearchService

logger = logging.getLogger(__name__)

MAX_QUERIES: Final = 20

# A search under way; its result is the error, or None where it succeeded or was
# cancelled.
Flight: TypeAlias = Future[SearchError | None]


class CachedSearch:
    """
    A service's two methods, with a memory of the latest successful searches.

    Searches for the same at the same time make one request. Tasks of any event loop
    and threads may share one object.
    """

    def __init__(
        self, service: SearchService, *, max_queries: int = MAX_QUERIES
    ) -> None:
        if max_queries < 1:
            raise ValueError("max_queries must be 1 at least")
        self._service = service
        self._found: LRUCache[SearchRequest, SearchResponse] = LRUCache(max_queries)
        self._flights: dict[SearchRequest, Flight] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        """How many searches are remembered."""
        return len(self._found)

    def clear(self) -> None:
        """Forget all, also what searches under way will find."""
        with self._lock:
            self._found.clear()
            self._flights.clear()

    async def asearch(
        self, query: str | SearchRequest, **options: Unpack[SearchOptions]
    ) -> SearchResponse:
        """Search, or remember; raises nothing but SearchError."""
        return await self._search(self._service.request(query, options))

    def search(
        self, query: str | SearchRequest, **options: Unpack[SearchOptions]
    ) -> SearchResponse:
        """The same, waiting."""
        request = self._service.request(query, options)
        # On a loop's own thread, waiting could keep the one that is waited for from
        # ever going on.
        return self._service.run(self._search(request, waits=not _on_a_loop()))

    async def _search(
        self, request: SearchRequest, *, waits: bool = True
    ) -> SearchResponse:
        started = time.monotonic()
        key = replace(request, trace_id=None, budget_ms=None)
        left = request
        while True:
            mine: Flight = Future()
            # A running future can't be cancelled: one who gives up waiting for it
            # disturbs nobody.
            mine.set_running_or_notify_cancel()
            seen = self._look_up(key, mine)
            if isinstance(seen, SearchResponse):
                return self._remembered(seen, request, started)
            if seen is mine:
                return await self._fly(key, mine, left)
            if not waits:
                return await self._service.asearch(left)
            left = await self._landing(seen, request, started)

    def _look_up(self, key: SearchRequest, mine: Flight) -> SearchResponse | Flight:
        """What was found, else the search under way, which is *mine* if none was."""
        with self._lock:
            return self._found.get(key) or self._flights.setdefault(key, mine)

    async def _fly(
        self, key: SearchRequest, flight: Flight, request: SearchRequest
    ) -> SearchResponse:
        with self._under_way(key, flight):
            response = await self._service.asearch(request)
            if response.items or not response.errors:
                self._keep(key, flight, response)
            return response

    @contextmanager
    def _under_way(self, key: SearchRequest, flight: Flight) -> Iterator[None]:
        """However the search ends, those who wait for it go on."""
        failure = None
        try:
            yield
        except SearchError as error:
            failure = error
            raise
        finally:
            with self._lock:
                if self._flights.get(key) is flight:
                    del self._flights[key]
            flight.set_result(failure)

    def _keep(
        self, key: SearchRequest, flight: Flight, response: SearchResponse
    ) -> None:
        with self._lock:
            if self._flights.get(key) is flight:  # not cleared meanwhile
                self._found[key] = response

    async def _landing(
        self, flight: Flight, request: SearchRequest, started: float
    ) -> SearchRequest:
        """Wait for another's search; the request with the time that is left then."""
        limit = (request.budget_ms or 0) / 1000
        try:
            async with asyncio.timeout(limit - (time.monotonic() - started)):
                failure = await asyncio.wrap_future(flight)
        except TimeoutError as error:
            raise Timeout(
                f"{self._service.provider} gave no complete answer within {limit:g} s "
                "(while the same search was under way)",
                provider=self._service.provider,
            ) from error
        left = limit - (time.monotonic() - started)
        if failure is not None and left < limit / 2:  # too little for another try
            raise copy(failure) from failure
        return replace(request, budget_ms=max(round(left * 1000), 1))

    def _remembered(
        self, found: SearchResponse, request: SearchRequest, started: float
    ) -> SearchResponse:
        logger.info(
            "Search%s: cache hit, %d results from %s",
            self._service.words(request.query),
            len(found.items),
            found.provider,
        )
        return replace(
            found,
            cached=True,
            took_ms=round((time.monotonic() - started) * 1000),
            request_id=request.trace_id or found.request_id,
        )


def _on_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
