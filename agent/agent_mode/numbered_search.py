"""The searches of one conversation: remembered, and numbered in the order of asking."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Unpack

from agent.agent_mode.tickets import Tickets
from citations import CitationManager, Round, Source
from websearch import (
    SearchOptions,
    SearchResponse,
    SearchService,
    with_session_cache,
)
from websearch.config import Settings


@dataclass(frozen=True, slots=True)
class Found:
    """What a search gave: the results that are shown, and their numbers."""

    response: SearchResponse
    numbers: Sequence[int]
    round: Round


class Searches:
    """Nothing in here is shared with another conversation but the service."""

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
        self._tickets = Tickets()

    async def asearch(
        self, query: str, count: int | None = None, **options: Unpack[SearchOptions]
    ) -> Found:
        """Search; parallel searches are numbered in the order in which they began."""
        with self._tickets.take() as ticket:
            response = await self._service.asearch(query, **options)
            await ticket.turn()
            return self._number(response, count)

    def search(
        self, query: str, count: int | None = None, **options: Unpack[SearchOptions]
    ) -> Found:
        """The same, waiting."""
        with self._tickets.take() as ticket:
            response = self._service.search(query, **options)
            ticket.wait()
            return self._number(response, count)

    def _number(self, response: SearchResponse, count: int | None) -> Found:
        items = response.items[: min(count or self.most, self.most)]
        this = self.citations.add(response.query, items)
        numbered = {
            number: item
            for item in reversed(items)  # of two that are one page, the better ranked
            if (number := self.citations.number_of(item.url)) is not None
        }
        shown = {source.number: numbered[source.number] for source in this.sources}
        shorter = replace(response, items=tuple(shown.values()))
        return Found(shorter, tuple(shown), _as_found(this, shorter))


def _as_found(this: Round, response: SearchResponse) -> Round:
    """The round with the words that this search found, not an earlier one."""
    sources = [
        Source(source.number, item.title or item.source, source.url, item.snippet)
        for source, item in zip(this.sources, response.items, strict=True)
    ]
    return Round(this.query, tuple(sources))
