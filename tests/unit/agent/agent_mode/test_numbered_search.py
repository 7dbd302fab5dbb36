"""The searches of a conversation: remembered, numbered in the order of asking."""

import asyncio
import logging
import random
from typing import Any

import pytest
from support.search.searching import searching
from support.servers.faults import FAULTS
from support.servers.loopback import Loopback
from support.servers.searxng_pages import own_pages, page, row

from agent.agent_mode.tools import WebSearchTool
from agent.numbered_search import Found, Searches
from agent.settings import AgentSettings
from websearch import SearchError, SearchItem, SearchRequest, SearchResponse
from websearch.service import SearchService


@pytest.mark.spec("F2", "F5")
async def test_cache(
    searched: tuple[WebSearchTool, Loopback], caplog: pytest.LogCaptureFixture
) -> None:
    """The same query again asks nobody and keeps its numbers; a failure is not kept."""
    tool, engine = searched
    engine.script = FAULTS["limiter"][0]
    await tool.ainvoke({"query": "乙"})
    engine.script = own_pages
    texts = [await tool.ainvoke({"query": query}) for query in ("甲", "乙", "甲")]

    assert engine.queries == ["乙", "甲", "乙"]
    assert [text.split("\n")[1][:3] for text in texts] == ["[1]", "[4]", "[1]"]
    hits = [r for r in caplog.records if "cache hit" in r.getMessage()]
    assert [r.levelno for r in hits] == [logging.INFO]
    assert "甲" not in caplog.text


@pytest.mark.spec("F3")
@pytest.mark.parametrize(
    ("settings", "most"), [({}, 20), ({"WEB_SEARCH_CACHE_QUERIES": 2}, 2)], ids=str
)
async def test_cache_size(settings: dict[str, int], most: int) -> None:
    """Twenty searches are remembered, or as many as set; the oldest goes first."""
    async with searching(**settings) as (tool, engine):
        for number in [*range(most), 0, most, 0, 1]:  # 0 was used: 1 makes room
            await tool.ainvoke({"query": f"q{number}"})

    assert engine.queries == [f"q{n}" for n in [*range(most), most, 1]]


class Unsteady:
    """A backend that takes any time it likes."""

    name = "unsteady"

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        await asyncio.sleep(self._random.choice([0, 0, 0.001, 0.002, 0.003]))
        if "坏" in request.query:
            raise SearchError("scripted")
        items = [
            SearchItem(
                f"{request.query}{n}", f"https://{n}.org/{request.query}", "", ""
            )
            for n in range(3)
        ]
        return SearchResponse(request.query, self.name, items)

    async def aclose(self) -> None: ...


@pytest.mark.slow
@pytest.mark.spec("E6")
async def test_parallel_numbers() -> None:
    """Parallel calls get the same numbers in 1,000 of 1,000 runs of random latency."""
    queries = ["甲", "乙", "坏", "丙", "甲", "丁"]

    async def run(seed: int) -> tuple[Any, ...]:
        service = SearchService(Unsteady(seed), timeout=60.0)  # busy machines
        tool = WebSearchTool(searches=Searches(service, AgentSettings.load()))
        calls = [
            {"type": "tool_call", "id": str(n), "name": tool.name, "args": {"query": q}}
            for n, q in enumerate(queries)
        ]
        results = await asyncio.gather(*(tool.ainvoke(call) for call in calls))
        found = [r.artifact for r in results if isinstance(r.artifact, Found)]
        return tuple(tuple(s.number for s in one.sources) for one in found)

    runs: set[Any] = set()
    for first in range(0, 1_000, 100):
        batch = range(first, first + 100)
        runs |= set(await asyncio.gather(*(run(seed) for seed in batch)))

    assert runs == {((1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 2, 3), (10, 11, 12))}


async def test_words_of_the_latest() -> None:
    """A page that is found again bears the words that this search found of it."""
    pages = [row(1, content="晴"), row(1, content="雨")]
    script = iter(pages)
    async with searching(lambda _: page(next(script))) as (tool, _):
        texts = [await tool.ainvoke({"query": q}) for q in ("甲", "乙")]

    lines = [text.split("\n")[1] for text in texts]
    assert [line[:3] for line in lines] == ["[1]", "[1]"]
    assert [line[-1] for line in lines] == ["晴", "雨"]
