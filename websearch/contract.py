"""The `web.search` tool contract: plain dictionaries in, plain dictionaries out."""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Protocol, get_args

from websearch.backends import Stub
from websearch.create import create_service
from websearch.errors import InvalidInput, ToolNotFound
from websearch.models import MAX_RESULTS, SearchRequest, TimeRange
from websearch.service import SearchService
from websearch.settings import Settings

TOOL_NAME: Final = "web.search"
DEFAULT_BACKEND: Final = "stub"

INPUT_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1},
        "max_results": {"type": "integer", "minimum": 1, "maximum": MAX_RESULTS},
        "locale": {"type": "string"},
        "lang": {"type": "string"},
        "time_range": {"enum": list(get_args(TimeRange))},
        "site_filter": {"type": "string"},
        "need_summary": {"type": "boolean"},
        "trace_id": {"type": "string"},
        "budget_ms": {"type": "integer", "minimum": 1},
    },
    "required": ["query"],
    "additionalProperties": False,
}


class ToolProvider(Protocol):
    """Whoever answers calls of the contract."""

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Answer in the shape of `SearchResponse.as_items`, or raise SearchError."""
        ...


class WebProvider:
    """Answers through a search service."""

    def __init__(self, service: SearchService) -> None:
        self._service = service

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Search, and wait for the answer."""
        return self._service.search(_request(tool, arguments)).as_items()

    async def acall(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Search without blocking the event loop."""
        response = await self._service.asearch(_request(tool, arguments))
        return response.as_items()

    def close(self) -> None:
        """Let go of what the service holds."""
        self._service.close()


class StubProvider(WebProvider):
    """Answers with fixed samples, without any network."""

    def __init__(self) -> None:
        super().__init__(SearchService(Stub()))


class BuiltinProvider(WebProvider):
    """Answers through the backend that the settings name; unset or unknown: stub."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(create_service(settings, default=DEFAULT_BACKEND))


def items_of(result: Any) -> list[dict[str, Any]]:
    """The items of a result; a bare list is deprecated and still understood."""
    if isinstance(result, list):
        warnings.warn(
            "A bare list as result of web.search is deprecated: return {'items': […]}",
            DeprecationWarning,
            stacklevel=2,
        )
        return result
    items = result.get("items") if isinstance(result, Mapping) else None
    if not isinstance(items, list):
        raise InvalidInput("A result of web.search is an object with a list of items")
    return items


def _request(tool: str, arguments: object) -> SearchRequest:
    if tool != TOOL_NAME:
        raise ToolNotFound(f"The only tool here is {TOOL_NAME}")
    if not isinstance(arguments, Mapping):
        raise InvalidInput("The arguments of a tool are an object")
    given = dict(arguments)
    if unknown := given.keys() - INPUT_SCHEMA["properties"].keys():
        raise InvalidInput(f"{len(unknown)} arguments are unknown to {TOOL_NAME}")
    for name, value in given.items():
        _check_type(name, value)
    lang = given.pop("lang", None)
    if "query" not in given:
        raise InvalidInput("query is missing: say what to look for")
    request = SearchRequest(**given)
    return request if request.locale or not lang else replace(request, locale=lang)


_TYPES: Final = {"string": str, "integer": int, "boolean": bool}


def _check_type(name: str, value: object) -> None:
    """The types of the schema; SearchRequest checks the values."""
    kind = INPUT_SCHEMA["properties"][name].get("type", "string")
    if not isinstance(value, _TYPES[kind]):
        raise InvalidInput(f"{name} must be of type {kind}")
