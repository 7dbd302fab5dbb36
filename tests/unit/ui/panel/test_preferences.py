"""The user's choices survive a reload, and nothing else does."""

import json
from typing import Any
from urllib.parse import quote

import pytest
from support.screen import Screen
from support.sessions import offline_resources

from agent import Mode, Session
from agent.profiles import AgentProfile, Agents
from ui.panel.preferences import evidence_of, keep, restore

AGENTS = Agents((AgentProfile("a", "A"), AgentProfile("b", "B")))


def session() -> Session:
    resources = offline_resources(agents=AGENTS)
    resources.models.names = ("first", "通义/千问; 2")
    return Session(resources)


def cookie(value: Any) -> dict[str, str]:
    return {"HTTP_COOKIE": f"a=1; websearch={quote(json.dumps(value))}; b=2"}


def state(one: Session) -> tuple[Mode, bool, bool, str, str]:
    return one.mode, one.wants_search, one.wants_reading, one.agent.id, one.model


async def test_there_and_back(screen: Screen) -> None:
    """Mode, switches, agent, model and evidence come back as they were."""
    before, after = session(), session()
    before.choose(
        Mode.AGENT, search=True, reading=False, agent="b", model="通义/千问; 2"
    )

    await keep(before, "off")
    (sent,) = screen.asked
    environ = {"HTTP_COOKIE": f"websearch={sent.removeprefix('websearch:keep ')}"}
    restore(after, environ)

    assert state(after) == state(before)
    assert state(after) == (Mode.AGENT, True, False, "b", "通义/千问; 2")
    assert evidence_of(environ) == "off"


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"HTTP_COOKIE": ""},
        {"HTTP_COOKIE": "websearch"},
        {"HTTP_COOKIE": "websearch=%7Bnot json"},
        {"HTTP_COOKIE": "websearch=" + "%5B" * 100_000},
        {"HTTP_COOKIE": "websearch=" + "[" * 1_400},
        {"HTTP_COOKIE": "websearch=%ff%fe"},
        cookie(["agent"]),
        cookie({"mode": "root", "search": "yes", "agent": 5, "evidence": ["off"]}),
        cookie({"mode": None, "agent": "nobody", "model": "gone", "evidence": "x"}),
        cookie({"mode": {}}),
    ],
    ids=[
        *("none", "empty", "bare", "no json", "long", "deep", "no text"),
        *("list", "wrong types", "unknown", "object"),
    ],
)
def test_foreign_cookies(environ: dict[str, str]) -> None:
    """A cookie that is not ours, or names what is not there, changes nothing."""
    fresh = session()

    restore(fresh, environ)

    assert state(fresh) == (Mode.CHAT, False, True, "a", "")
    assert evidence_of(environ) is None
