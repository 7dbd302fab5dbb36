"""One search: check the request, ask the backend inside a deadline, tidy the answer."""

import asyncio
import logging
import time
import uuid
from collections.abc import Coroutine
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypedDict, TypeVar, Unpack

from websearch.background import Background
from websearch.errors import SearchError, WebProviderError
from websearch.models import SearchRequest, SearchResponse, TimeRange
from websearch.results import normalized
from websearch.routing.deadline import too_late

if TYPE_CHECKING:
    from websearch.engines.base import Backend

logger = logging.getLogger(__name__)

T = TypeVar("T")


class SearchOptions(TypedDict, total=False):
    """What a search may ask for beside its query; see `SearchRequest`."""

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
        self, backend: "Backend", *, timeout: float = 5.0, log_queries: bool = False
    ) -> None:
        self._backend = backend
        self._timeout = timeout
        self._log_queries = log_queries
        self._background = Background()

    @property
    def provider(self) -> str:
        """Name of the backend that searches."""
        return self._backend.name

    async def asearch(
        self, query: str | SearchRequest, **options: Unpack[SearchOptions]
    ) -> SearchResponse:
        """Search without blocking the event loop; raises nothing but SearchError."""
        request = self.request(query, options)
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
        return self.run(self.asearch(query, **options))

    def request(
        self, query: str | SearchRequest, options: SearchOptions
    ) -> SearchRequest:
        """What *query* and *options* ask for, with the time it may take in all."""
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

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for *work* where synchronous searches run."""
        return self._background.run(work)

    def words(self, query: str) -> str:
        """The words of a search as the log may hold them: not at all, unless wanted."""
        return f" {query!r}" if self._log_queries else ""

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
            "Search%s: %d results from %s in %d ms%s",
            self.words(response.query),
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
