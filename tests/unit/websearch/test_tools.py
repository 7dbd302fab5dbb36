"""The registry of tools: known names are answered, all others are ToolNotFound."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from support.command import error_of, run

from websearch.errors import ToolNotFound
from websearch.factory import create_service
from websearch.tool_contract import (
    INPUT_SCHEMA,
    BuiltinProvider,
    StubProvider,
    ToolProvider,
    WebProvider,
)
from websearch.tools import ToolRegistry, builtin_tools

UNKNOWN = "web.canary"


class Echo:
    """A tool of somebody else's."""

    def __init__(self) -> None:
        self.closed = 0

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        return {"tool": tool, **arguments}

    async def acall(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        return {"tool": tool, **arguments, "async": True}

    def close(self) -> None:
        self.closed += 1


def both() -> tuple[ToolRegistry, Echo]:
    """The tools of the package, and one more."""
    tools, echo = builtin_tools(), Echo()
    tools.register("echo", echo, {"type": "object"})
    return tools, echo


def test_search() -> None:
    """The tool of the package is there, with its schema."""
    tools = builtin_tools()

    found = tools.call("web.search", {"query": "q"})
    tools.close()

    assert tools.names == ("web.search",)
    assert tools.schema_of("web.search") == INPUT_SCHEMA
    assert len(found["items"]) == 3


async def test_one_registration() -> None:
    """A further tool is one registration, and changes no other tool."""
    tools, _ = both()

    assert tools.names == ("web.search", "echo")
    assert tools.call("echo", {"a": 1}) == {"tool": "echo", "a": 1}
    assert await tools.acall("echo", {}) == {"tool": "echo", "async": True}
    assert tools.schema_of("echo") == {"type": "object"}
    assert len((await tools.acall("web.search", {"query": "q"}))["items"]) == 3


def test_closing() -> None:
    """Closing reaches every provider."""
    tools, echo = both()

    tools.close()

    assert echo.closed == 1


def test_twice() -> None:
    """A name can't be taken from the tool that has it."""
    tools, echo = both()

    with pytest.raises(ValueError, match="already"):
        tools.register("web.search", echo, {})


@pytest.mark.parametrize("name", [UNKNOWN, "", "web_search", "WEB.SEARCH"])
async def test_unknown(name: str) -> None:
    """An unknown tool is ToolNotFound, which tells known ones and repeats nothing."""
    tools, _ = both()
    asked: list[Callable[[], object]] = [
        lambda: tools.call(name, {}),
        lambda: tools.schema_of(name),
    ]

    for ask in asked:
        with pytest.raises(ToolNotFound, match=r"web\.search, echo") as caught:
            ask()
        assert UNKNOWN not in str(caught.value)
    with pytest.raises(ToolNotFound):
        await tools.acall(name, {})


@pytest.mark.parametrize(
    "make",
    [
        lambda: WebProvider(create_service(backend="stub")),
        BuiltinProvider,
        StubProvider,
        builtin_tools,
    ],
    ids=["web", "builtin", "stub", "registry"],
)
async def test_every_provider(make: Callable[[], ToolProvider]) -> None:
    """Every provider refuses an unknown tool, at once or in an event loop."""
    provider = make()

    with pytest.raises(ToolNotFound, match=r"web\.search"):
        provider.call(UNKNOWN, {"query": "q"})
    with pytest.raises(ToolNotFound, match=r"web\.search"):
        await provider.acall(UNKNOWN, {"query": "q"})


def test_no_tools() -> None:
    """An empty registry says so."""
    with pytest.raises(ToolNotFound, match="none"):
        ToolRegistry().call("web.search", {})


def test_command() -> None:
    """The command answers known tools with 0, unknown ones with 1 and the error."""
    known = run("call", "web.search", '{"query": "q"}')
    unknown = run("call", UNKNOWN, '{"query": "q"}')

    assert (known.returncode, unknown.returncode) == (0, 1)
    assert len(json.loads(known.stdout)["items"]) == 3
    assert error_of(unknown) == {
        "type": "ToolNotFound",
        "message": "There is no tool of that name; known are: web.search",
        "detail_code": None,
        "retryable": False,
        "provider": None,
    }
