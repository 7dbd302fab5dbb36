"""The `web.search` tool contract: plain dictionaries in, plain dictionaries out."""

import warnings
from collections.abc import Mapping
from typing import Any, Final, Protocol

from websearch.arguments import ContractArguments
from websearch.config.settings import Settings
from websearch.engines import Stub
from websearch.errors import InvalidInput, ToolNotFound
from websearch.factory import create_service
from websearch.models import SearchRequest
from websearch.service import SearchService

TOOL_NAME: Final = "web.search"
DEFAULT_BACKEND: Final = "stub"

INPUT_SCHEMA: Final[Mapping[str, Any]] = ContractArguments.schema_of_input()


class ToolProvider(Protocol):
    """
    Whoever answers calls of the contract.

    A search is answered in the shape of `SearchResponse.as_items`; a tool of another
    name is ToolNotFound.
    """

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Answer, and wait for it; raises nothing but SearchError."""
        ...

    async def acall(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Answer without blocking the event loop."""
        ...

    def close(self) -> None:
        """Let go of what the provider holds."""
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
        raise ToolNotFound(f"There is no tool of that name here; known is {TOOL_NAME}")
    if not isinstance(arguments, Mapping):
        raise InvalidInput("The arguments of a tool are an object")
    return ContractArguments.parse(arguments).request()
