"""Three fixed results without any network, for demonstrations and tests."""

from dataclasses import dataclass
from typing import Final

from websearch.models import SearchItem, SearchRequest, SearchResponse

NAME: Final = "stub"

_SAMPLES = (
    SearchItem(
        "Sample result: what a search result looks like",
        "https://example.com/search-results",
        "This is an offline sample. A search result has a title, an address and a "
        "snippet, which is the passage of the page that fits the question.",
        NAME,
    ),
    SearchItem(
        "Sample result: how citations work",
        "https://example.org/citations",
        "This is an offline sample. A marker such as a number in brackets names the "
        "page that a sentence was taken from.",
        NAME,
    ),
    SearchItem(
        "Sample result: connecting a search engine",
        "https://example.net/connect",
        "This is an offline sample. Set SEARXNG_BASE_URL to the address of a SearXNG "
        "server to get results from the web.",
        NAME,
    ),
)


@dataclass(frozen=True, slots=True)
class Stub:
    """The same three samples for every query."""

    name: str = NAME

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Return the samples."""
        return SearchResponse(request.query, self.name, _SAMPLES)

    async def aclose(self) -> None:
        """Nothing is open."""
