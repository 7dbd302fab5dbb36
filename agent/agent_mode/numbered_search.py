"""The searches of one conversation: cached, and numbered in the order they start."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from citations import CitationManager, Round
from websearch import (
    SearchRequest,
    SearchResponse,
    SearchService,
    with_session_cache,
)
from websearch.config import Settings


@dataclass(frozen=True, slots=True)
class Found:
    """The results of a search that are shown, and their numbers."""

    response: SearchResponse
    numbers: Sequence[int]
    round: Round


class Searches:
    """Shares nothing with another conversation but the service."""

    def __init__(
        self,
        service: SearchService,
        settings: Settings,
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
        items = response.items[: min(count or self.most, self.most)]
        this = self.citations.add(response.query, items)
        numbered = {
            number: item
            for item in reversed(items)  # duplicates of a page: the better ranked one
            if (number := self.citations.number_of(item.url)) is not None
        }
        shown = {source.number: numbered[source.number] for source in this.sources}
        shorter = replace(response, items=tuple(shown.values()))
        return Found(shorter, tuple(shown), _as_found(this, shorter))


def _as_found(this: Round, response: SearchResponse) -> Round:
    """Return the round with the titles and snippets of this search."""
    sources = [
        replace(
            source,
            title=item.title or source.title,
            snippet=item.snippet,
            published_at=source.published_at or item.published_at,
        )
        for source, item in zip(this.sources, response.items, strict=True)
    ]
    return Round(this.query, tuple(sources))
