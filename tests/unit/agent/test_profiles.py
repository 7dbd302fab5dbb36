"""Agents of agents.json: read with care, and each with its own search."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from support.paths import ROOT
from support.search.engines import FakeEngine, registry

from agent.profiles import Agents
from agent.resources import Resources

EXAMPLE = ROOT / "agents.example.json"


def write(*agents: Any, **others: Any) -> None:
    data = {"agents": [*agents], **others}
    Path("agents.json").write_text(json.dumps(data), encoding="utf-8")


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


AN_ID = "1 to 50 letters, digits, _ and -, once in the file"


@pytest.mark.spec("I2", "M3")
@pytest.mark.parametrize(
    ("entry", "path", "expected"),
    [
        ({"id": "a b"}, ".id", AN_ID),
        ({"id": 17}, ".id", AN_ID),
        ({"name": 17}, ".name", "text of 1 to 60 characters"),
        ({"instructions": []}, ".instructions", "text of at most 10000 characters"),
        ({"webSearch": True}, ".webSearch", "{…}"),
        ({"webSearch": {"enabled": "yes"}}, ".webSearch.enabled", "true | false"),
        (
            {"webSearch": {"provider": 3}},
            ".webSearch.provider",
            "the name of an engine, such as searxng",
        ),
        (
            {"webSearch": {"provider": " "}},
            ".webSearch.provider",
            "the name of an engine, such as searxng",
        ),
        ({"nmae": "x"}, ".nmae", "id | name | instructions | webSearch"),
    ],
)
def test_one_mistake(
    entry: dict[str, Any],
    path: str,
    expected: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A mistake is told by file, path and what is expected; as the file may have
    forbidden searches, none of its agents is left, and no agent searches."""
    write({"id": "good", "webSearch": {"enabled": True}}, {"id": "a", **entry})

    loaded = Agents.load()

    assert [one.can_search for one in loaded.profiles] == [False]
    (rejection,) = loaded.rejected
    assert rejection.place == f"agents.json: agents[1]{path}"
    assert rejection.expected == expected
    assert rejection.place in caplog.text


@pytest.mark.spec("I2", "I6")
def test_keys_have_no_place_here(caplog: pytest.LogCaptureFixture) -> None:
    """A key in agents.json is refused without being shown."""
    write({"id": "a", "webSearch": {"enabled": True, "apiKey": "canary-k3y"}})

    (rejection,) = Agents.load().rejected

    assert rejection.place == "agents.json: agents[0].webSearch.apiKey"
    assert "canary-k3y" not in f"{rejection}{caplog.text}"


@pytest.mark.parametrize(
    "text",
    [
        "{oops",
        "[]",
        '{"agent": []}',
        '{"agents": {}}',
        '{"agents": [17]}',
        '{"agents": [{"name": "x"}]}',
        '{"agents": [{"id": "a"}, {"id": "a"}]}',
        '{"agents": [], "agents": []}',
        f'{{"agents": {[0] * 51}}}',
    ],
)
def test_broken_file(text: str) -> None:
    """An unreadable file may have forbidden searches, so no agent searches."""
    Path("agents.json").write_text(text, encoding="utf-8")

    loaded = Agents.load()

    assert [one.can_search for one in loaded.profiles] == [False]
    assert len(loaded.rejected) == 1


def test_example() -> None:
    """The example is without mistakes, and shows an agent without search."""
    Path("agents.json").write_text(EXAMPLE.read_text(encoding="utf-8"))

    loaded = Agents.load()

    assert not loaded.rejected
    assert {one.can_search for one in loaded.profiles} == {True, False}


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
