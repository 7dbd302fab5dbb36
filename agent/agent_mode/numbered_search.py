"""The searches of one conversation: cached, and numbered in the order they start."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from agent.reading import Found
from agent.settings import AgentSettings
from citations import CitationManager, Source
from websearch import (
    SearchItem,
    SearchRequest,
    SearchResponse,
    SearchService,
    with_session_cache,
)


class Searches:
    """Shares nothing with another conversation but the service."""

    def __init__(
        self,
        service: SearchService,
        settings: AgentSettings,
        citations: CitationManager | None = None,
    ) -> None:
        self.citations = citations or CitationManager()
        self.most = settings.max_results
        self.width = settings.snippet_length
        self._service = with_session_cache(service, settings.cache_queries)
        self._last: asyncio.Future[None] | None = None  # done when all are over

    async def asearch(self, request: SearchRequest, count: int | None = None) -> Found:
        """Search; parallel searches are numbered in the order in which they began."""
        with self._after_earlier() as all_before:
            response = await self._service.asearch(request)
            if all_before is not None:
                await asyncio.shield(all_before)
            return self._number(response, count)

    def search(self, request: SearchRequest, count: int | None = None) -> Found:
        """Search synchronously; the results are numbered when they arrive."""
        return self._number(self._service.search(request), count)

    @contextmanager
    def _after_earlier(self) -> Iterator[asyncio.Future[None] | None]:
        """
        Yield the future of all searches that began before this one.

        A failed or cancelled search does not change the order of the others.
        """
        before = self._last
        mine = self._last = asyncio.get_running_loop().create_future()
        try:
            yield before
        finally:
            if before is None or before.done():
                mine.set_result(None)
            else:
                before.add_done_callback(lambda _: mine.set_result(None))

    def _number(self, response: SearchResponse, count: int | None) -> Found:
        """Number the results that are shown, with the words that this search found."""
        items = response.items[: min(count or self.most, self.most)]
        this = self.citations.add(response.query, items)
        best: dict[int | None, SearchItem] = {}
        for item in items:
            best.setdefault(self.citations.number_of(item.url), item)
        return Found(response, [_named(s, best[s.number]) for s in this.sources])


def _named(source: Source, item: SearchItem) -> Source:
    return replace(
        source,
        title=item.title or source.title,
        snippet=item.snippet,
        published_at=source.published_at or item.published_at,
    )
