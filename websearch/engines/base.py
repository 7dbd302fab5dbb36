"""What a search engine must offer, to be asked by the service."""

from typing import Protocol

from websearch.models import SearchRequest, SearchResponse


class Backend(Protocol):
    """
    A search engine.

    It returns what the engine said, in the engine's order, and raises `SearchError`.
    Deadline, clean-up, ranks and synchronous calls are the service's work.
    """

    @property
    def name(self) -> str:
        """Name under which it is chosen, and shown as provider."""
        ...

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Search once; cancelled where the deadline passes."""
        ...

    async def aclose(self) -> None:
        """Let go of the connections of the running loop."""
        ...
