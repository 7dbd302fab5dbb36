"""The panel takes what it can have sent, and nothing else."""

from typing import Any

import pytest
from support.sessions import offline_session

from agent import Mode
from agent.profiles import AgentProfile, Agents
from ui.panel.panel import Panel


@pytest.fixture
def panel() -> Panel:
    return Panel(offline_session(), "zh-CN")


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"mode": "root"},
        {"mode": None, "search": "yes"},
        {"mode": ["agent"], "search": 1},
        {"mode": {"a": 1}, "search": None, "other": "x" * 9_999},
        {"search": {"$ne": False}},
    ],
    ids=str,
)
def test_foreign_payloads(panel: Panel, sent: dict[str, Any]) -> None:
    """Unknown keys and wrong types change neither mode nor switch."""
    mode, _ = panel._read(sent)

    assert mode is Mode.CHAT
    assert panel._draft is False


TWO = Agents(
    (
        AgentProfile("a", "Twin"),
        AgentProfile("b", "Twin", can_search=False),
        AgentProfile("c", "Third"),
    )
)


def panel_of(agents: Agents) -> Panel:
    return Panel(offline_session(agents=agents), "zh-CN")


def test_agents_are_offered() -> None:
    """Agent mode offers the agents by name, Chat mode does not; twins show their id."""
    offered = panel_of(TWO)

    _, select, _ = offered._widgets(Mode.AGENT).inputs

    assert select.items == {"Twin (a)": "a", "Twin (b)": "b", "Third": "c"}
    assert select.initial == "a"
    assert len(offered._widgets(Mode.CHAT).inputs) == 2


def test_one_agent_is_no_choice(panel: Panel) -> None:
    """A single agent is not offered as a choice."""
    assert len(panel._widgets(Mode.AGENT).inputs) == 2


@pytest.mark.parametrize(("chosen", "kept"), [("b", "b"), ("x", "a"), (["b"], "a")])
def test_agent_is_read(chosen: Any, kept: str) -> None:
    """An agent that is offered is taken; anything else is left out."""
    offered = panel_of(TWO)

    offered._read({"mode": "agent", "agent": chosen, "search_locked": False})

    assert offered._agent == kept


def test_state_is_what_was_confirmed() -> None:
    """A changed agent in the open panel is not yet the chosen one."""
    offered = panel_of(TWO)
    offered._session.choose(Mode.AGENT, search=False)

    offered._read({"agent": "b"})

    assert offered.state() == "Agent 模式下由 AI 自动决策搜索"
