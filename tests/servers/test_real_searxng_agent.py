"""Agent mode before a real SearXNG: the numbers lead to the pages it found."""

import pytest
from support.model_server import Turn, script, search
from support.real_searxng import RealSearxng
from support.world import world

from agent import Mode
from agent.events import Answer, SearchFinished

BRAIN = script(
    Turn(calls=[search("weather"), search("人工智能")]),
    Turn(calls=[search("weather")]),
    Turn(["Rain [1]", "，训练[6]。"]),
)


@pytest.mark.spec("E5", "E6", "F2", "J3")
async def test_run(searxng_server: RealSearxng) -> None:
    """Parallel searches are numbered in order; the same again asks nobody."""
    before = len(searxng_server.corpus.asked)
    url = searxng_server.url
    async with world(BRAIN, mode=Mode.AGENT, SEARXNG_BASE_URL=url) as w:
        events = await w.ask("How is the weather?")
        last = w.model.requests[-1]["messages"]

    end = events[-1]
    assert isinstance(end, Answer)
    found = [one.query for one in events if isinstance(one, SearchFinished)]
    assert set(found) == {"weather", "人工智能"}
    assert end.sources[1].title == "weather forecast #0"
    assert end.sources[6].title.startswith("人工智能")
    texts = [said["content"] for said in last if said["role"] == "tool"]
    assert f"[6] {end.sources[6].title} | " in texts[1]
    assert texts[2].splitlines()[1:-1] == texts[0].splitlines()[1:-1]
    assert len(searxng_server.corpus.asked) - before == 2
