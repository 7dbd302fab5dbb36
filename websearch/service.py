"""One search: check the request, search within a deadline, normalize the results."""

import logging
import time
import uuid
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Self, TypedDict, TypeVar, Unpack

from websearch.errors import SearchError
from websearch.loop_thread import LoopThread
from websearch.models import SearchRequest, SearchResponse, TimeRange
from websearch.results import normalized
from websearch.routing.deadline import budget, time_limit

if TYPE_CHECKING:
    from websearch.browser.browser import Browser
    from websearch.engines.base import Backend

logger = logging.getLogger(__name__)

T = TypeVar("T")


class SearchOptions(TypedDict, total=False):
    """Options of a search beside its query; see `SearchRequest`."""

    max_results: int
    locale: str | None
    country: str | None
    time_range: TimeRange | None
    site_filter: str | None
    need_summary: bool
    trace_id: str | None
    budget_ms: int | None


class SearchService:
    """
    Search through one backend: from threads, or from one event loop after the other.

    A search may take *timeout*, and more while the *browser* of an engine starts.
    *is_private* tells of an address whether a result with it must not be a link.
    """

    def __init__(
        self,
        backend: "Backend",
        *,
        timeout: float = 5.0,
        browser: "Browser | None" = None,
        log_queries: bool = False,
        thread: LoopThread | None = None,
        is_private: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._backend = backend
        self._is_private = is_private
        self._timeout = timeout
        self._browser = browser
        self._log_queries = log_queries
        self._thread = thread or LoopThread()
        self._session: str | None = None
        self._time_range: TimeRange | None = None

    @property
    def provider(self) -> str:
        """Name of the backend that searches."""
        return self._backend.name

    def over(self, wrap: Callable[["Backend"], "Backend"]) -> Self:
        """
        Make a service with the same limits and a wrapped backend.

        Both use the same connections and thread: closing this one is enough.
        """
        twin = copy(self)
        twin._backend = wrap(self._backend)  # noqa: SLF001  its own class
        return twin

    def for_session(self, session: str, time_range: TimeRange | None = None) -> Self:
        """
        The same service for one conversation, whose searches share cookies.

        They look for pages of *time_range* where a request names no other.
        """
        twin = copy(self)
        twin._session, twin._time_range = session, time_range  # noqa: SLF001  its own
        return twin

    async def asearch(
        self, query: str | SearchRequest, **options: Unpack[SearchOptions]
    ) -> SearchResponse:
        """Search without blocking the event loop; raises only SearchError."""
        started = time.monotonic()
        try:
            if not isinstance(query, SearchRequest):
                request = SearchRequest(query, **options)
            else:
                request = replace(query, **options) if options else query
            start = self._browser.start_seconds if self._browser else 0.0
            limit = round((self._timeout + start) * 1000)
            request = request.changed(
                budget_ms=min(request.budget_ms or limit, limit),
                session=self._session or request.session,
                time_range=request.time_range or self._time_range,
            )
            async with time_limit(self.provider, budget(request)):
                response = await self._backend.asearch(request)
            response = normalized(response, request.max_results)
            if not response.is_answer:
                # No usable results, and the cause is failed engines.
                raise response.errors[0]
        except SearchError as error:
            error.provider = error.provider or self.provider
            logger.warning(
                "Search failed after %d ms: %s from %s: %s",
                (time.monotonic() - started) * 1000,
                error.full_code,
                error.provider,
                error,
            )
            raise
        finished = replace(
            response,
            items=tuple(
                replace(item, is_private=True) if self._is_private(item.url) else item
                for item in response.items
            ),
            took_ms=round((time.monotonic() - started) * 1000),
            request_id=request.trace_id or uuid.uuid4().hex,
        )
        logger.info(
            "Search%s: %s%d results from %s in %d ms%s",
            # The log contains the query only if the operator enables that.
            f" {finished.query!r}" if self._log_queries else "",
            "cache hit, " if finished.cached else "",
            len(finished.items),
            finished.provider,
            finished.took_ms,
            "".join(f"; {error}" for error in finished.errors),
        )
        return finished

    def search(
        self, query: str | SearchRequest, **options: Unpack[SearchOptions]
    ) -> SearchResponse:
        """Search synchronously, with the same deadline."""
        return self._thread.run(self.asearch(query, **options))

    async def aclose(self) -> None:
        """Close the connections of the running loop."""
        await self._backend.aclose()

    def close(self) -> None:
        """Close the connections and the thread of synchronous searches."""
        self._thread.close(self._backend.aclose)

    def __enter__(self) -> Self:
        """Search synchronously, and close at the end."""
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        """Search from an event loop, and close at the end."""
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
