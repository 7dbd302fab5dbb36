"""Agent mode before a real SearXNG: the numbers lead to the pages it found."""

import asyncio
from collections.abc import Iterator

import pytest
from support.corpus import Corpus
from support.model_server import Turn, model_server, script, search
from support.real_searxng import RealSearxng, real_searxng
from support.searxng_settings import corpus_engine, settings_of

from agent import Mode, Session
from agent.events import Answer, Event, SearchFinished
from agent.models.catalog import Models
from agent.models.settings import ModelSettings
from agent.resources import Resources
from websearch.config.settings import Settings
from websearch.factory import create_service

BRAIN = script(
    Turn(calls=[search("weather"), search("人工智能")]),
    Turn(calls=[search("weather")]),
    Turn(["Rain [1]", "，训练[6]。"]),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealSearxng]:
    with Corpus() as corpus:
        settings = settings_of(corpus_engine(corpus), formats=("html", "json"))
        folder = tmp_path_factory.mktemp("searxng")
        with real_searxng(corpus, folder, settings) as started:
            yield started


def asked(server: RealSearxng) -> tuple[list[Event], list[str]]:
    """The events of one answer, and what the model read from its searches."""

    async def run() -> tuple[list[Event], list[str]]:
        with model_server(BRAIN) as model:
            settings = Settings(SEARXNG_BASE_URL=server.url)  # type: ignore[arg-type]
            models = ModelSettings(OPENAI_BASE_URL=model.base_url)  # type: ignore[arg-type]
            resources = Resources(Models(models), create_service(settings), settings)
            session = Session(resources)
            session.choose(Mode.AGENT, search=False)
            events = [event async for event in session.ask("How is the weather?")]
            await resources.aclose()
            last = model.requests[-1]["messages"]
            return events, [m["content"] for m in last if m["role"] == "tool"]

    return asyncio.run(run())


@pytest.mark.spec("E5", "E6", "F2", "J3")
def test_run(server: RealSearxng) -> None:
    """Parallel searches are numbered in order; the same again asks nobody."""
    before = len(server.corpus.asked)
    events, texts = asked(server)

    end = events[-1]
    assert isinstance(end, Answer)
    found = [one.query for one in events if isinstance(one, SearchFinished)]
    assert set(found) == {"weather", "人工智能"}
    assert end.sources[1].title == "weather forecast #0"
    assert end.sources[6].title.startswith("人工智能")
    assert f"[6] {end.sources[6].title} | " in texts[1]
    assert texts[2].splitlines()[1:-1] == texts[0].splitlines()[1:-1]
    assert len(server.corpus.asked) - before == 2
