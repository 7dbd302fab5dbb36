"""Agents of agents.json: read with care, and each with its own search."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from fakes.engines import FakeEngine, registry
from fakes.model_server import Turn, says, script, search
from fakes.searxng_pages import own_pages
from fakes.world import world

from agent import Mode, Session
from agent.agents import AgentProfile, Agents
from agent.events import Event, Notice, SearchFinished
from agent.resources import Resources
from websearch import SearchService

EXAMPLE = Path(__file__).parents[2] / "agents.example.json"
WRITER = AgentProfile("writer", "Writer", "Rhyme {always}.", can_search=False)
READER = AgentProfile("reader", "Reader", "Quote.")
BOTH = Agents((READER, WRITER))


def write(*agents: Any, **others: Any) -> None:
    data = {"agents": [*agents], **others}
    Path("agents.json").write_text(json.dumps(data), encoding="utf-8")


def tools(request: Any) -> list[str]:
    return [tool["function"]["name"] for tool in request.get("tools", [])]


@pytest.mark.spec("I2")
def test_no_file() -> None:
    """Without a file there is one agent, which can search."""
    (agent,) = Agents.load().profiles

    assert agent.can_search
    assert agent.provider is None


@pytest.mark.spec("I2")
@pytest.mark.parametrize(
    ("entry", "can_search", "provider"),
    [
        ({}, False, None),
        ({"webSearch": {}}, False, None),
        ({"webSearch": {"provider": "brave"}}, False, "brave"),
        ({"webSearch": {"enabled": False}}, False, None),
        ({"webSearch": {"enabled": True}}, True, None),
        ({"webSearch": {"enabled": True, "provider": "BRAVE"}}, True, "brave"),
        ({"webSearch": {"enabled": True, "provider": "duckduckgo"}}, True, "ddg_html"),
    ],
)
def test_search_of_an_agent(
    entry: dict[str, Any], *, can_search: bool, provider: str | None
) -> None:
    """Without `enabled` there is no search; the provider is the agent's own choice."""
    write({"id": "a", **entry})

    (agent,) = Agents.load().profiles

    assert (agent.can_search, agent.provider) == (can_search, provider)


@pytest.mark.spec("I2")
@pytest.mark.parametrize(
    ("agent", "told"),
    [
        (
            {"name": "x"},
            "agents.json: agents[1] is incomplete; expected: an object with id",
        ),
        (
            {"id": "a b"},
            (
                'agents.json: agents[1].id is "a b"; '
                "expected: 1 to 50 letters, digits, _ and -"
            ),
        ),
        (
            {"id": "good"},
            (
                'agents.json: agents[1].id is "good"; '
                "expected: an id that no other agent has"
            ),
        ),
        (17, "agents.json: agents[1] is …; expected: an object {…}"),
    ],
    ids=["no id", "bad id", "twin", "number"],
)
def test_mistakes(agent: Any, told: str, caplog: pytest.LogCaptureFixture) -> None:
    """An agent that can't be used is told by file, path, value and what is expected;
    the others are there."""
    write({"id": "good"}, agent)

    loaded = Agents.load()

    assert [one.id for one in loaded.profiles] == ["good"]
    assert str(loaded.mistakes[0]) == told
    assert told in caplog.text


@pytest.mark.spec("I2", "I6")
def test_keys_have_no_place_here(caplog: pytest.LogCaptureFixture) -> None:
    """A key in agents.json is refused without being shown."""
    write({"id": "a", "webSearch": {"enabled": True, "apiKey": "canary-k3y"}})

    (mistake,) = Agents.load().mistakes

    assert mistake.path == "agents[0].webSearch.apiKey"
    assert "canary-k3y" not in f"{mistake}{caplog.text}"


def test_places_are_those_of_the_file() -> None:
    """Positions in messages count what was left out, too."""
    known = {"enabled": True, "provider": "x"}
    write({"id": "a b"}, 17, {"id": "c"}, {"id": "c"}, {"id": "d", "webSearch": known})

    loaded = Agents.load()

    assert [mistake.path for mistake in loaded.mistakes] == [
        "agents[0].id",
        "agents[1]",
        "agents[3].id",
    ]
    assert loaded.profiles[1].place == "agents.json: agents[4].webSearch.provider"


def test_several_engines() -> None:
    """Several engines may be joined, by the names that people know."""
    write({"id": "a", "webSearch": {"enabled": True, "provider": "DuckDuckGo+brave"}})

    assert Agents.load().profiles[0].provider == "ddg_html+brave"


@pytest.mark.parametrize("text", ["{oops", "[]", '{"agent": []}', '{"agents": {}}'])
def test_broken_file(text: str) -> None:
    """Of a file that can't be read nobody knows what it forbade: no agent searches."""
    Path("agents.json").write_text(text, encoding="utf-8")

    loaded = Agents.load()

    assert [one.can_search for one in loaded.profiles] == [False]
    assert len(loaded.mistakes) == 1


def test_example() -> None:
    """The example is without mistakes, and shows an agent without search."""
    Path("agents.json").write_text(EXAMPLE.read_text(encoding="utf-8"))

    loaded = Agents.load()

    assert not loaded.mistakes
    assert {one.can_search for one in loaded.profiles} == {True, False}


@pytest.mark.spec("I3")
@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("agent", [READER, WRITER], ids=lambda one: one.id)
async def test_tool_is_there_or_not(agent: AgentProfile, *, enabled: bool) -> None:
    """The model sees the tool where the agent can search, and search is on at all."""
    async with world(
        says("好"), mode=Mode.AGENT, agents=BOTH, WEB_SEARCH_ENABLED=enabled
    ) as w:
        w.session.choose(Mode.AGENT, search=False, agent=agent.id)
        await w.ask("问")

    (request,) = w.model.requests
    expected = ["web_search"] if agent.can_search and enabled else []
    assert tools(request) == expected
    assert ("web_search" in request["messages"][0]["content"]) is bool(expected)


async def test_instructions() -> None:
    """What an agent is told stands as it is at the end of the system prompt."""
    async with world(says("好"), mode=Mode.AGENT, agents=BOTH) as w:
        w.session.choose(Mode.AGENT, search=False, agent="writer")
        await w.ask("问")

    system = w.model.requests[0]["messages"][0]["content"]
    assert system.endswith("# 另有要求\nRhyme {always}.")


async def test_unknown_agent() -> None:
    """An agent that is not there is not chosen."""
    async with world(mode=Mode.AGENT, agents=BOTH) as w:
        w.session.choose(Mode.AGENT, search=False, agent="writer")
        w.session.choose(Mode.AGENT, search=False, agent="nobody")

        assert w.session.agent is WRITER


OTHER = AgentProfile("other", "Other", provider="baidu_html")
SEARCHES = script(Turn(calls=[search("甲")]), Turn(["晴"]))


def numbers(events: list[Event]) -> list[int]:
    (found,) = [event for event in events if isinstance(event, SearchFinished)]
    return [source.number for source in found.sources]


@pytest.mark.spec("I3")
async def test_each_asks_its_engine() -> None:
    """An agent's searches go to its own engine; numbers go on, and what an agent has
    found before is remembered when it comes back."""
    engine = FakeEngine("baidu_html", ["https://b.example/1", "https://b.example/2"])
    async with world(
        SEARCHES,
        search=own_pages,
        mode=Mode.AGENT,
        agents=Agents((READER, OTHER, WRITER)),
        services={"other": SearchService(engine)},
    ) as w:
        first = await w.ask("一")
        w.session.choose(Mode.AGENT, search=False, agent="other")
        second = await w.ask("二")
        w.session.choose(Mode.AGENT, search=False, agent="writer")
        await w.ask("三")
        w.session.choose(Mode.AGENT, search=False, agent="other")
        third = await w.ask("四")

    assert (numbers(first), numbers(second)) == ([1, 2, 3], [4, 5])
    assert numbers(third) == [4, 5]
    assert (w.search.queries, len(engine.requests)) == (["甲"], 1)


@pytest.mark.spec("I3")
async def test_no_search_without_tools_either() -> None:
    """An agent that can't search does not search as in Chat mode either, where the
    model takes no tools, and nothing is said of it."""
    async with world(says("好"), mode=Mode.AGENT, agents=BOTH) as w:
        w.resources.models.default.takes_tools = False
        w.session.choose(Mode.AGENT, search=True, agent="writer")
        events = await w.ask("问")

    assert not w.search.queries
    assert not [event for event in events if isinstance(event, Notice)]


async def test_engine_of_an_agent_without_tools() -> None:
    """Where the model takes no tools, the words go to the agent's own engine."""
    engine = FakeEngine("baidu_html", ["https://b.example/1"])
    async with world(
        says("好"),
        mode=Mode.AGENT,
        agents=Agents((OTHER,)),
        services={"other": SearchService(engine)},
    ) as w:
        w.resources.models.default.takes_tools = False
        await w.ask("问")

    assert (w.search.queries, len(engine.requests)) == ([], 1)


@pytest.mark.spec("I3")
async def test_services(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Each agent has a service for its engine; without its key, for DuckDuckGo, as the
    log says."""
    engines = [FakeEngine(n) for n in ("searxng", "ddg_html", "brave", "stub")]
    registry(monkeypatch, *engines)
    write(
        {"id": "usual", "webSearch": {"enabled": True}},
        {"id": "own", "webSearch": {"enabled": True, "provider": "searxng"}},
        {"id": "keyed", "webSearch": {"enabled": True, "provider": "brave"}},
    )

    resources = Resources.load()
    asked = {}
    for agent in resources.agents.profiles:
        service = resources.search_of(agent)
        assert service is not None
        asked[agent.id] = service.provider
    await resources.aclose()

    assert asked == {
        "usual": "searxng, ddg_html, stub",
        "own": "searxng",
        "keyed": "ddg_html",
    }
    warnings = [r.getMessage() for r in caplog.records if r.levelno == logging.WARNING]
    assert warnings == [
        (
            "agents.json: agents[2].webSearch.provider=brave is not taken: "
            "using ddg_html (BRAVE_API_KEY is not set)"
        )
    ]


@pytest.mark.spec("M3")
async def test_destinations(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start tells where queries go, for each agent with engines of its own."""
    monkeypatch.setenv("SEARXNG_BASE_URL", "http://h.example")
    write(
        {"id": "usual", "webSearch": {"enabled": True}},
        {"id": "samples", "webSearch": {"enabled": True, "provider": "stub"}},
        {"id": "mute", "webSearch": {"enabled": False, "provider": "brave"}},
    )

    resources = Resources.load()
    told = resources.destinations()
    await resources.aclose()

    assert told == ["searxng (http://h.example)", "stub (nowhere) by samples"]


async def test_two_agents_with_one_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Agents that ask the same engines share the connections."""
    monkeypatch.setenv("SEARXNG_BASE_URL", "http://h.example")
    entry = {"enabled": True, "provider": "stub"}
    write({"id": "a", "webSearch": entry}, {"id": "b", "webSearch": entry})

    resources = Resources.load()
    first, second = (resources.search_of(one) for one in resources.agents.profiles)
    await resources.aclose()

    assert first is second
    assert first is not resources.search


def test_session_starts_with_the_first() -> None:
    """The first agent of the file is the one chosen at first."""
    write({"id": "b"}, {"id": "a"})

    assert Session(Resources.load()).agent.id == "b"
