"""Search the web; independent of language models and of the user interface."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from websearch.errors import (
    InvalidInput,
    SearchError,
    Timeout,
    ToolNotFound,
    WebProviderError,
)
from websearch.models import (
    VISITOR,
    Page,
    SearchItem,
    SearchRequest,
    SearchResponse,
    TimeRange,
)

if TYPE_CHECKING:
    from websearch.advice import advice_for, engine_title, facts_of_error
    from websearch.cache import with_session_cache
    from websearch.factory import (
        create_reader,
        create_service,
        destinations,
        log_not_taken,
    )
    from websearch.fetch.service import PageReader
    from websearch.processes import Processes
    from websearch.routing.limits import EngineLimits
    from websearch.routing.selection import DEFAULT_BACKEND, UNCONFIGURED, Plan, chosen
    from websearch.service import SearchOptions, SearchService
    from websearch.tool_contract import (
        FETCH_SCHEMA,
        SEARCH_SCHEMA,
        SearchArguments,
        WebProvider,
        complaint,
        web_fetch,
    )

__all__ = [
    "DEFAULT_BACKEND",
    "FETCH_SCHEMA",
    "SEARCH_SCHEMA",
    "UNCONFIGURED",
    "VISITOR",
    "EngineLimits",
    "InvalidInput",
    "Page",
    "PageReader",
    "Plan",
    "Processes",
    "SearchArguments",
    "SearchError",
    "SearchItem",
    "SearchOptions",
    "SearchRequest",
    "SearchResponse",
    "SearchService",
    "TimeRange",
    "Timeout",
    "ToolNotFound",
    "WebProvider",
    "WebProviderError",
    "advice_for",
    "chosen",
    "complaint",
    "create_reader",
    "create_service",
    "destinations",
    "engine_title",
    "facts_of_error",
    "log_not_taken",
    "web_fetch",
    "with_session_cache",
]

# Imported at first use: they bring pydantic and the HTTP client.
_LAZY = {
    "DEFAULT_BACKEND": "routing.selection",
    "EngineLimits": "routing.limits",
    "FETCH_SCHEMA": "tool_contract",
    "Plan": "routing.selection",
    "Processes": "processes",
    "PageReader": "fetch.service",
    "SEARCH_SCHEMA": "tool_contract",
    "SearchArguments": "tool_contract",
    "SearchOptions": "service",
    "SearchService": "service",
    "WebProvider": "tool_contract",
    "UNCONFIGURED": "routing.selection",
    "advice_for": "advice",
    "chosen": "routing.selection",
    "complaint": "tool_contract",
    "create_reader": "factory",
    "create_service": "factory",
    "destinations": "factory",
    "engine_title": "advice",
    "facts_of_error": "advice",
    "log_not_taken": "factory",
    "web_fetch": "tool_contract",
    "with_session_cache": "cache",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(f"websearch.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
