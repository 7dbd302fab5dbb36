"""The panel takes what it can have sent, and nothing else."""

from typing import Any

import pytest
from support.screen import Screen
from support.sessions import offline_session

from agent import Mode
from agent.profiles import AgentProfile, Agents
from ui.panel.panel import Panel
from websearch import create_reader


def panel_of(agents: Agents, **more: Any) -> Panel:
    return Panel(offline_session(agents=agents, **more), "zh-CN")


@pytest.fixture
def panel() -> Panel:
    return panel_of(Agents())


def widget(panel: Panel, mode: Mode, name: str) -> Any:
    """The widget whose id begins with *name*."""
    return next(w for w in panel._widgets(mode).inputs if w.id.startswith(name))


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"mode": "root"},
        {"mode": None, "search": "yes"},
        {"mode": ["agent"], "search": 1},
        {"mode": {"a": 1}, "search": None, "other": "x" * 9_999},
        {"search": {"$ne": False}},
        {"evidence": "all"},
        {"evidence": ["off"]},
    ],
    ids=str,
)
def test_foreign_payloads(panel: Panel, sent: dict[str, Any]) -> None:
    """Unknown keys and wrong types change neither mode nor switch nor choice."""
    mode, _ = panel._read(sent)

    assert mode is Mode.CHAT
    assert panel._draft is False
    assert widget(panel, Mode.CHAT, "evidence").initial == "sentence"


TWO = Agents(
    (
        AgentProfile("a", "Twin"),
        AgentProfile("b", "Twin", can_search=False),
        AgentProfile("c", "Third"),
    )
)


def test_agents_are_offered() -> None:
    """Agent mode offers the agents by name, Chat mode does not; twins show their id."""
    offered = panel_of(TWO)

    select = widget(offered, Mode.AGENT, "agent")

    assert select.items == {"Twin (a)": "a", "Twin (b)": "b", "Third": "c"}
    assert select.initial == "a"
    assert "agent" not in {w.id for w in offered._widgets(Mode.CHAT).inputs}


def test_one_agent_is_no_choice(panel: Panel) -> None:
    """A single agent is not offered as a choice."""
    assert "agent" not in {w.id for w in panel._widgets(Mode.AGENT).inputs}


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


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.spec("O8")
async def test_reading_is_a_choice_of_both_modes(screen: Screen, mode: Mode) -> None:
    """The user switches reading off in the panel; the confirmation says so."""
    offered = panel_of(Agents(), reader=create_reader())
    assert widget(offered, mode, "reading").initial is True

    await offered.commit({"mode": mode, "reading": False})

    assert not offered._session.reader.is_enabled
    assert offered.confirmation().endswith("阅读网页：已关闭")
    assert widget(offered, mode, "reading").initial is False


@pytest.mark.spec("O8")
def test_reading_that_the_operator_forbids(panel: Panel) -> None:
    """The switch is disabled and says so if the operator forbids reading."""
    switch = widget(panel, Mode.CHAT, "reading")

    assert switch.disabled
    assert not switch.initial
    assert "部署者已关闭网页阅读" in switch.description
    assert "阅读网页" not in panel.confirmation()


@pytest.mark.parametrize("mode", Mode)
async def test_evidence_is_a_choice_of_both_modes(
    screen: Screen, panel: Panel, mode: Mode
) -> None:
    """A confirmed choice holds from then on, stays in the panel, and is kept."""
    select = widget(panel, mode, "evidence")
    assert [*select.items.values()] == ["values", "sentence", "off"]

    await panel.commit({"mode": mode, "evidence": "values"})

    assert panel.evidence == "values"
    assert widget(panel, mode, "evidence").initial == "values"
    (kept,) = (one for one in screen.asked if one.startswith("websearch:keep"))
    assert "evidence%22%3A%20%22values" in kept


async def test_evidence_before_it_is_confirmed(screen: Screen, panel: Panel) -> None:
    """A choice in the open panel outlives a redrawing, and changes no answer."""
    await panel.edit({"mode": "agent", "evidence": "off"})

    assert widget(panel, Mode.AGENT, "evidence").initial == "off"
    assert panel.evidence == "sentence"
    await panel.open()
    assert widget(panel, Mode.AGENT, "evidence").initial == "sentence"
