"""The tools of the contract by their names; a new tool is one registration."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from websearch.config.settings import Settings
from websearch.errors import ToolNotFound
from websearch.tool_contract import (
    INPUT_SCHEMA,
    TOOL_NAME,
    BuiltinProvider,
    ToolProvider,
)


class _Tool(NamedTuple):
    provider: ToolProvider
    schema: Mapping[str, Any]


class ToolRegistry:
    """Which provider answers which tool."""

    def __init__(self) -> None:
        self._tools: dict[str, _Tool] = {}

    @property
    def names(self) -> Sequence[str]:
        """Every tool, in the order of registration."""
        return tuple(self._tools)

    def register(
        self, tool: str, provider: ToolProvider, schema: Mapping[str, Any]
    ) -> None:
        """Let *provider* answer calls of *tool*, whose arguments fit *schema*."""
        if tool in self._tools:
            raise ValueError(f"{tool} is registered already")
        self._tools[tool] = _Tool(provider, schema)

    def schema_of(self, tool: str) -> Mapping[str, Any]:
        """The JSON schema of the arguments of *tool*."""
        return self._found(tool).schema

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call *tool*, and wait for the answer."""
        return self._found(tool).provider.call(tool, arguments)

    async def acall(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call *tool* without blocking the event loop."""
        return await self._found(tool).provider.acall(tool, arguments)

    def close(self) -> None:
        """Let go of what the providers hold."""
        for tool in self._tools.values():
            tool.provider.close()

    def _found(self, tool: str) -> _Tool:
        if (found := self._tools.get(tool)) is None:
            known = ", ".join(self._tools) or "none"
            raise ToolNotFound(f"There is no tool of that name; known are: {known}")
        return found


def builtin_tools(settings: Settings | None = None) -> ToolRegistry:
    """Every tool of this package, by the settings."""
    tools = ToolRegistry()
    tools.register(TOOL_NAME, BuiltinProvider(settings), INPUT_SCHEMA)
    return tools
