"""Searches whose results are numbered, in the order in which the searches start."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from agent.settings import AgentSettings
from citations import CitationManager, Source
from websearch import SearchRequest, SearchResponse, SearchService


@dataclass(frozen=True, slots=True)
class Found:
    """The response to a search, and those of its results that are shown, numbered."""

    response: SearchResponse
    sources: Sequence[Source]


class Searches:
    """The searches of one answer with *service*; their numbers are from *citations*."""

    def __init__(
        self,
        service: SearchService,
        settings: AgentSettings,
        citations: CitationManager | None = None,
    ) -> None:
        self.citations = citations or CitationManager()
        self.most = settings.max_results
        self.width = settings.snippet_length
        self._service = service
        self._last: asyncio.Future[None] | None = None  # done when all are over

    async def asearch(
        self, request: SearchRequest | str, count: int | None = None
    ) -> Found:
        """
        Search; parallel searches are numbered in the order in which they began.

        A failed or cancelled search does not change the order of the others.
        """
        all_before = self._last
        mine = self._last = asyncio.get_running_loop().create_future()
        try:
            response = await self._service.asearch(request)
            if all_before is not None:
                await asyncio.shield(all_before)
            return self._number(response, count)
        finally:
            if all_before is None or all_before.done():
                mine.set_result(None)
            else:
                all_before.add_done_callback(lambda _: mine.set_result(None))

    def search(self, request: SearchRequest, count: int | None = None) -> Found:
        """Search synchronously; the results are numbered when they arrive."""
        return self._number(self._service.search(request), count)

    def _number(self, response: SearchResponse, count: int | None) -> Found:
        items = response.items[: min(count or self.most, self.most)]
        return Found(response, self.citations.add(response.query, items).sources)
