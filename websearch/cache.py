"""The searches of one session: what was found once is not asked for again."""

import asyncio
import logging
import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import count
from threading import Lock
from typing import Final, TypeAlias, Unpack

from websearch.errors import SearchError, Timeout
from websearch.models import MAX_QUERY, SearchRequest, SearchResponse
from websearch.service import SearchOptions, SearchService

logger = logging.getLogger(__name__)

MAX_QUERIES: Final = 20
# For how long an answer stands in for one that a better engine may soon have.
STOPGAP_SECONDS: Final = 60.0

_MAX_SPELLINGS: Final = 8  # of one search

# A search under way; its result is the error, or None where it succeeded or was
# cancelled.
Flight: TypeAlias = Future[SearchError | None]


@dataclass(slots=True, eq=False)
class _Entry:
    """What a search found, ready to be given again."""

    response: SearchResponse
    used: int
    until: float
    spellings: list[object] = field(default_factory=list)


class CachedSearch:
    """
    A service's two methods, with a memory of the latest successful searches.

    Searches for the same at the same time make one request. Tasks of any event loop
    and threads may share one object. An answer that other engines failed to give is
    remembered for a minute only: the first of them may be well again then.
    """

    def __init__(
        self,
        service: SearchService,
        *,
        max_queries: int = MAX_QUERIES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if max_queries < 1:
            raise ValueError("max_queries must be 1 at least")
        self._service = service
        self._max_queries = max_queries
        self._clock = clock
        self._found: dict[SearchRequest, _Entry] = {}
        # Queries and options as they were given, valid and answered before. A hit so
        # needs no request, whose checks take longer than all the rest of it.
        self._spelled: dict[object, _Entry] = {}
        self._uses = count()
        self._flights: dict[SearchRequest, Flight] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        """How many searches are remembered."""
        return len(self._found)

    def clear(self) -> None:
        """Forget all, also what searches under way will find."""
        with self._lock:
            self._found.clear()
            self._spelled.clear()
            self._flights.clear()

    async def asearch(
        self, query: str | SearchRequest, **options: Unpack[SearchOptions]
    ) -> SearchResponse:
        """Search, or remember; raises nothing but SearchError."""
        if (known := self._known(query, options)) is not None:
            return known
        request = self._service.request(query, options)
        return await self._search(request, _spelling(query, options))

    def search(
        self, query: str | SearchRequest, **options: Unpack[SearchOptions]
    ) -> SearchResponse:
        """The same, waiting."""
        if (known := self._known(query, options)) is not None:
            return known
        request = self._service.request(query, options)
        spelling = _spelling(query, options)
        # On a loop's own thread, waiting could keep the one that is waited for from
        # ever going on.
        waits = not _on_a_loop()
        return self._service.run(self._search(request, spelling, waits=waits))

    def _known(
        self, query: str | SearchRequest, options: SearchOptions
    ) -> SearchResponse | None:
        """
        The answer to what was spelled just so before.

        Without the lock: an entry that is just being forgotten is still an answer.
        """
        try:
            entry = self._spelled.get((query, *options.items()) if options else query)
        except TypeError:  # not hashable, so not valid
            return None
        # `True` equals 1, and is no valid number.
        if entry is None or type(options.get("max_results", 1)) is not int:
            return None
        entry.used = next(self._uses)
        if logger.isEnabledFor(logging.INFO):
            self._log(entry.response)
        return entry.response

    async def _search(
        self, request: SearchRequest, spelling: object, *, waits: bool = True
    ) -> SearchResponse:
        started = time.monotonic()
        key = replace(request, trace_id=None, budget_ms=None)
        left = request
        while True:
            mine: Flight = Future()
            # A running future can't be cancelled: one who gives up waiting for it
            # disturbs nobody.
            mine.set_running_or_notify_cancel()
            seen = self._look_up(key, mine, spelling)
            if isinstance(seen, _Entry):
                return self._remembered(seen.response, request, started)
            if seen is mine:
                return await self._fly(key, mine, left, spelling)
            if not waits:
                return await self._service.asearch(left)
            left = await self._landing(seen, request, started)

    def _look_up(
        self, key: SearchRequest, mine: Flight, spelling: object
    ) -> _Entry | Flight:
        """What was found, else the search under way, which is *mine* if none was."""
        with self._lock:
            entry = self._found.get(key)
            if entry is None:
                return self._flights.setdefault(key, mine)
            if entry.until <= self._clock():
                self._forget(key)
                return self._flights.setdefault(key, mine)
            entry.used = next(self._uses)
            self._learn(entry, spelling)
            return entry

    async def _fly(
        self,
        key: SearchRequest,
        flight: Flight,
        request: SearchRequest,
        spelling: object,
    ) -> SearchResponse:
        with self._under_way(key, flight):
            response = await self._service.asearch(request)
            if response.items or not response.errors:
                self._keep(key, flight, response, spelling)
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
        self,
        key: SearchRequest,
        flight: Flight,
        response: SearchResponse,
        spelling: object,
    ) -> None:
        again = replace(response, cached=True, took_ms=0)
        is_stopgap = _is_stopgap(response)
        until = self._clock() + STOPGAP_SECONDS if is_stopgap else math.inf
        with self._lock:
            if self._flights.get(key) is not flight:  # cleared meanwhile
                return
            if len(self._found) >= self._max_queries:
                self._forget(min(self._found, key=lambda old: self._found[old].used))
            entry = self._found[key] = _Entry(again, next(self._uses), until)
            self._learn(entry, spelling)

    def _learn(self, entry: _Entry, spelling: object) -> None:
        if spelling is None or spelling in self._spelled or entry.until < math.inf:
            return
        if len(entry.spellings) < _MAX_SPELLINGS:
            entry.spellings.append(spelling)
            self._spelled[spelling] = entry

    def _forget(self, key: SearchRequest) -> None:
        for spelling in self._found.pop(key).spellings:
            self._spelled.pop(spelling, None)

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
        self._log(found)
        return replace(
            found,
            took_ms=round((time.monotonic() - started) * 1000),
            request_id=request.trace_id or found.request_id,
        )

    def _log(self, found: SearchResponse) -> None:
        logger.info(
            "Search%s: cache hit, %d results from %s",
            self._service.words(found.query),
            len(found.items),
            found.provider,
        )


def _spelling(query: str | SearchRequest, options: SearchOptions) -> object:
    """Query and options as they were given; None where a hit depends on more."""
    if isinstance(query, SearchRequest) or "trace_id" in options:
        return None
    if len(query) > MAX_QUERY:  # of blanks, which are not worth the memory
        return None
    if "budget_ms" in options:  # `True` equals 1, and is no valid number
        return None
    return (query, *options.items()) if options else query


def _is_stopgap(response: SearchResponse) -> bool:
    """Whether an engine failed that is none of those that answered."""
    answered = response.provider.split("+")
    failed = (error.provider or response.provider for error in response.errors)
    return any(name != response.provider and name not in answered for name in failed)


def _on_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
