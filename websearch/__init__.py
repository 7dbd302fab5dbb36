"""Find pages on the web; knows no language model and no user interface."""

from websearch.create import create_service
from websearch.errors import SearchError
from websearch.models import SearchItem, SearchRequest, SearchResponse
from websearch.service import SearchService

__all__ = [
    "SearchError",
    "SearchItem",
    "SearchRequest",
    "SearchResponse",
    "SearchService",
    "create_service",
]
