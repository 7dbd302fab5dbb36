"""One search: check the request, ask the backend inside a deadline, tidy the answer."""

import asyncio
import logging
import time
import uuid
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypedDict, Unpack

from websearch.background import Background
from websearch.errors import SearchError, WebProviderError
from websearch.models import SearchRequest, SearchResponse, TimeRange
from websearch.results import normalized
from websearch.routing.deadline import too_late

if TYPE_CHECKING:
    from websearch.engines.base import Backend

logger = logging.getLogger(__name__)


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
    """Search through one backend, from a thread or from an event loop."""

    def __init__(
        self,
        backend: "Backend",
        *,
        timeout: float = 5.0,
        log_queries: bool = False,
        background: Background | None = None,
    ) -> None:
        self._backend = backend
        self._timeout = timeout
        self._log_queries = log_queries
        self._background = background or Background()

    @property
    def provider(self) -> str:
        """Name of the backend that searches."""
        return self._backend.name

    def over(self, wrap: Callable[["Backend"], "Backend"]) -> "SearchService":
        """
        A service with the same limits, whose backend is wrapped.

        Both use the same connections and thread: closing this one is enough.
        """
        return SearchService(
            wrap(self._backend),
            timeout=self._timeout,
            log_queries=self._log_queries,
            background=self._background,
        )

    async def asearch(
        self, query: str | SearchRequest, **options: Unpack[SearchOptions]
    ) -> SearchResponse:
        """Search without blocking the event loop; raises nothing but SearchError."""
        request = self._request(query, options)
        started = time.monotonic()
        try:
            response = normalized(await self._answer(request), request.max_results)
            if not response.is_answer:
                # Nothing usable came, and not because there is nothing.
                raise response.errors[0]
        except SearchError as error:
            self._failed(error, time.monotonic() - started)
            raise
        finished = replace(
            response,
            took_ms=round((time.monotonic() - started) * 1000),
            request_id=request.trace_id or uuid.uuid4().hex,
        )
        self._log_success(finished)
        return finished

    def search(
        self, query: str | SearchRequest, **options: Unpack[SearchOptions]
    ) -> SearchResponse:
        """Search and wait for the answer, under the same deadline."""
        return self._background.run(self.asearch(query, **options))

    async def aclose(self) -> None:
        """Let go of the connections opened from the running loop."""
        await self._backend.aclose()

    def close(self) -> None:
        """Let go of the connections and the thread of synchronous searches."""
        if self._background.is_running:
            self._background.run(self._backend.aclose())
            self._background.close()

    def __enter__(self) -> Self:
        """Search synchronously, and close at the end."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        """Search from an event loop, and close at the end."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    def _request(
        self, query: str | SearchRequest, options: SearchOptions
    ) -> SearchRequest:
        """The request with its time limit; an invalid one is logged."""
        try:
            if isinstance(query, SearchRequest):
                request = replace(query, **options) if options else query
            else:
                request = SearchRequest(query, **options)
        except SearchError as error:
            self._failed(error, 0)
            raise
        limit = round(self._timeout * 1000)
        return replace(request, budget_ms=min(request.budget_ms or limit, limit))

    async def _answer(self, request: SearchRequest) -> SearchResponse:
        seconds = (request.budget_ms or 0) / 1000
        try:
            async with asyncio.timeout(seconds):
                return await self._backend.asearch(request)
        except TimeoutError as error:
            raise too_late(self.provider, seconds, error) from error
        except SearchError:
            raise
        except Exception as error:
            raise WebProviderError(
                f"The backend failed: {type(error).__name__}"
            ) from error

    def _log_success(self, response: SearchResponse) -> None:
        logger.info(
            "Search%s: %s%d results from %s in %d ms%s",
            # The log holds no query unless the operator wants it.
            f" {response.query!r}" if self._log_queries else "",
            "cache hit, " if response.cached else "",
            len(response.items),
            response.provider,
            response.took_ms,
            "".join(f"; {error}" for error in response.errors),
        )

    def _failed(self, error: SearchError, seconds: float) -> None:
        error.provider = error.provider or self.provider
        logger.warning(
            "Search failed after %d ms: %s%s from %s: %s",
            seconds * 1000,
            error.code,
            f" ({error.detail_code})" if error.detail_code else "",
            error.provider,
            error,
        )
