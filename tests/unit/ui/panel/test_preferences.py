"""The user's choices survive a reload, and nothing else does."""

import json
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pytest
from support.browser.screen import Screen
from support.sessions import offline_resources

from agent import Mode, Session
from agent.profiles import AgentProfile, Agents
from ui.panel.panel import Panel
from ui.panel.preferences import Preferences

AGENTS = Agents((AgentProfile("a", "A"), AgentProfile("b", "B")))
UNCHANGED = Preferences(Mode.CHAT, True, True, "a", "", "auto", "sentence")


def opened() -> tuple[Session, Panel]:
    resources = offline_resources(agents=AGENTS)
    resources.models.names = ("first", "通义/千问; 2")
    session = Session(resources)
    return session, Panel(session, "zh-CN", "sentence")


def cookie(value: Any) -> dict[str, str]:
    return {"HTTP_COOKIE": f"a=1; websearch={quote(json.dumps(value))}; b=2"}


CHOSEN = {
    "mode": "agent",
    "search": True,
    "reading": False,
    "agent": "b",
    "model": "通义/千问; 2",
    "follow_ups": "off",
    "evidence": "off",
}


async def test_there_and_back(screen: Screen) -> None:
    """All choices come back as they were."""
    _, before = opened()
    session, after = opened()

    await before.take(CHOSEN)
    (sent,) = (one for one in screen.asked if one.startswith("websearch:keep "))
    await after.restore(
        {"HTTP_COOKIE": f"websearch={sent.removeprefix('websearch:keep ')}"}
    )

    expected = replace(UNCHANGED, **(CHOSEN | {"mode": Mode.AGENT}))
    assert Preferences.of(session, after.evidence) == expected


FOREIGN = {
    "list": ["agent"],
    "empty": {},
    "wrong types": {"mode": "root", "search": "yes", "agent": 5, "evidence": ["off"]},
    "unknown": {"mode": None, "agent": "nobody", "model": "gone", "evidence": "x"},
    "numbers": {"mode": ["agent"], "search": 1, "reading": 0, "follow_ups": 2},
    "objects": {"mode": {"a": 1}, "search": {"$ne": False}, "other": "x" * 999},
}


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
        *map(cookie, FOREIGN.values()),
    ],
    ids=["none", "nothing", "bare", "no json", "long", "deep", "no text", *FOREIGN],
)
async def test_foreign_cookies(screen: Screen, environ: dict[str, str]) -> None:
    """A cookie that is not ours, or names what is not there, changes nothing."""
    session, panel = opened()

    await panel.restore(environ)
    for sent in [*FOREIGN.values()][1:]:  # nor do such values of the panel
        await panel.take(sent)

    assert Preferences.of(session, panel.evidence) == UNCHANGED
