"""The tool: LangChain's own conformance tests, its words, its answers."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_tests.integration_tests import ToolsIntegrationTests
from langchain_tests.unit_tests import ToolsUnitTests
from support.search.searching import searching
from support.servers.faults import FAULTS
from support.servers.loopback import Loopback
from support.servers.searxng_pages import healthy, page, row

from agent.agent_mode.tools import WebFetchTool, WebSearchTool
from agent.numbered_search import Searches
from agent.settings import AgentSettings
from websearch.factory import create_service


class _Conformance:
    @pytest.fixture(autouse=True)
    def service(self) -> Iterator[None]:
        with create_service(AgentSettings.load(), backend="stub") as self._service:
            yield

    @property
    def tool_constructor(self) -> type[WebSearchTool]:
        return WebSearchTool

    @property
    def tool_constructor_params(self) -> dict[str, Any]:
        return {"searches": Searches(self._service, AgentSettings.load())}

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return {"query": "北京 天气"}


@pytest.mark.spec("E1", "E2")
class TestUnit(_Conformance, ToolsUnitTests):
    """LangChain's unit tests for tools, unchanged."""


@pytest.mark.spec("E1", "E2")
class TestIntegration(_Conformance, ToolsIntegrationTests):
    """LangChain's integration tests for tools, unchanged."""


@pytest.mark.spec("E1", "I4")
def test_words() -> None:
    """Name, description and parameters are the ones that were agreed."""
    schema = WebSearchTool.model_fields["args_schema"].default.model_json_schema()

    assert WebSearchTool.model_fields["name"].default == "web_search"
    assert WebSearchTool.model_fields["description"].default == (
        "搜索互联网获取实时信息。当需要了解最新事件、实时数据、"
        "当前新闻或验证信息时使用此工具。"
    )
    assert schema["required"] == ["query"]
    assert [*schema["properties"]] == ["query", "count", "country", "freshness"]
    query = schema["properties"]["query"]
    assert query["type"] == "string"
    assert query["description"].startswith("搜索查询关键词,应该具体、清晰、针对性强")
    assert "例如" in query["description"]
    assert "好的做法" in query["description"]


@pytest.mark.spec("E3")
async def test_text(searched: tuple[WebSearchTool, Loopback]) -> None:
    """The text is compact: number, title, address, snippet, between two fences."""
    tool, engine = searched
    long = page(*(row(n, content="长" * 300) for n in range(1, 10)))
    engine.script = lambda request: long

    text = await tool.ainvoke({"query": "q"})

    first, *lines, last = text.split("\n")
    assert first == last
    assert first.startswith("=====search-results-")
    assert len(lines) == 5
    assert "Searches" not in repr(tool)  # nor does its schema show the session's state
    assert "searches" not in tool.args
    assert lines[1] == f"[2] Title 2 | https://site2.example.org/page | {'长' * 199}…"


@pytest.mark.spec("E2")
async def test_both_ways(searched: tuple[WebSearchTool, Loopback]) -> None:
    """Both ways give the same list; many asynchronous calls at once work."""
    tool, _ = searched

    texts = await asyncio.gather(*(tool.ainvoke({"query": "甲"}) for _ in range(8)))
    texts.append(await asyncio.to_thread(tool.invoke, {"query": "甲"}))
    texts.append(tool.invoke({"query": "甲"}))  # also on a loop's own thread

    assert {text.split("\n", 1)[1].rsplit("\n", 1)[0] for text in texts} == {
        "\n".join(
            f"[{n}] 甲 {n} | https://pages.example.org/%E7%94%B2/{n} | "
            f"Content of page {n}."
            for n in (1, 2, 3)
        )
    }


SLOW = lambda _: lambda: iter([30.0])  # noqa: E731  a script is a function


@pytest.mark.spec("E2", "J5")
@pytest.mark.parametrize(
    ("script", "words"),
    [
        (FAULTS["json off"][0], ["（AuthError）："]),
        (FAULTS["limiter"][0], ["（WebBlocked）："]),
        (FAULTS["engines blocked"][0], ["（WebBlocked）："]),
        (FAULTS["hangs up"][0], ["（NetworkError）："]),
        (FAULTS["another web page"][0], ["（WebParseError）："]),
        (SLOW, ["（Timeout）：", "0.15 s"]),  # after which time it was given up
    ],
)
async def test_failed_search(script: Any, words: list[str]) -> None:
    """A failed search is a text with its name for the model, in both ways."""
    limits = {"WEB_SEARCH_TIMEOUT_MS": 150} if script is SLOW else {}
    async with searching(script, **limits) as (tool, _):
        texts = [
            await tool.ainvoke({"query": "北京"}),
            await asyncio.to_thread(tool.invoke, {"query": "北京"}),
        ]

    for text in texts:
        assert text.startswith("搜索失败")
        assert all(word in text for word in words)


async def test_unforeseen(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A defect of ours is a failed search too, and its words stay with us."""

    def broken(*_: object) -> None:
        raise RuntimeError("canary")

    async with searching() as (tool, _):
        monkeypatch.setattr(tool.searches.citations, "add", broken)
        text = await tool.ainvoke({"query": "北京"})

    assert "WebProviderError" in text
    assert "canary" not in text


@pytest.mark.spec("J4")
@pytest.mark.parametrize(
    ("said", "told"),
    [
        *(({"query": blank}, "InvalidInput") for blank in ("", "  \u3000 ", "\u200b")),
        *((wrong, "query") for wrong in ({}, {"q": "x"}, {"query": None})),
    ],
    ids=ascii,
)
async def test_no_query(
    searched: tuple[WebSearchTool, Loopback], said: dict[str, Any], told: str
) -> None:
    """A call without a query is told what it needs, and nothing is asked."""
    tool, engine = searched

    text = await tool.ainvoke(said)

    assert told in text
    assert engine.requests == []


@pytest.mark.spec("I4")
@pytest.mark.parametrize(
    ("said", "shown"), [({}, 4), ({"count": 2}, 2), ({"count": 9}, 4)], ids=str
)
async def test_choices(said: dict[str, int], shown: int) -> None:
    """The model may want fewer results, a time range and a country, no more results."""
    choices = {"freshness": "week", "country": "TW"}
    async with searching(healthy, WEB_SEARCH_MAX_RESULTS=4) as (tool, engine):
        text = await tool.ainvoke({"query": "天气", **choices, **said})

    assert len(text.split("\n")) == shown + 2
    params = engine.requests[-1].params
    assert (params["time_range"], params["language"]) == ("week", "zh-TW")


@pytest.mark.parametrize("kind", [WebSearchTool, WebFetchTool])
def test_prepared_schema(kind: type[BaseTool]) -> None:
    """The model gets the schema that LangChain would derive from the arguments."""
    tool = kind.model_construct()
    derived = BaseTool.tool_call_schema.fget(tool)  # type: ignore[attr-defined]

    prepared = convert_to_openai_tool(tool)["function"]["parameters"]
    assert prepared == convert_to_openai_tool(derived)["function"]["parameters"]
