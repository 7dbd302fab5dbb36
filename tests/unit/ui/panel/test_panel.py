"""The panel takes what it can have sent, and nothing else."""

import pytest
from support.browser.screen import Screen
from support.sessions import offline_session

from agent import Mode, Session
from agent.profiles import AgentProfile, Agents
from ui.panel.panel import Panel
from websearch import create_reader

TWINS = Agents(
    (
        AgentProfile("a", "Twin"),
        AgentProfile("b", "Twin", can_search=False),
        AgentProfile("c", "Third"),
    )
)
AGENT_MODE = {"mode": "agent", "search": False}


def panel_of(session: Session) -> Panel:
    return Panel(session, "zh-CN", "sentence")


@pytest.fixture
def panel() -> Panel:
    return panel_of(offline_session(agents=Agents()))


async def test_agents_are_offered(screen: Screen, panel: Panel) -> None:
    """Agent mode offers the agents by name, Chat mode does not; twins show their id."""
    offered = panel_of(offline_session(agents=TWINS))
    await offered.open()
    assert "agent" not in screen.panel

    await offered.edit(AGENT_MODE)

    select = screen.panel["agent"]
    assert [item["value"] for item in select["items"]] == ["a", "b", "c"]
    labels = [item["label"] for item in select["items"]]
    assert labels == ["Twin (a)", "Twin (b)", "Third"]
    assert select["initial"] == "a"

    await panel.edit(AGENT_MODE)  # a single agent is no choice
    assert "agent" not in screen.panel


@pytest.mark.spec("A6")
async def test_the_switch_of_an_open_panel(screen: Screen, panel: Panel) -> None:
    """Locked by Agent mode, it comes back as it was turned; cancelled, as it was."""
    await panel.edit({"mode": "agent", "search": True})
    (locked,) = (name for name in screen.panel if name.startswith("search"))
    assert screen.panel[locked]["initial"] is False
    await panel.edit({"mode": "chat", locked: False})
    assert screen.panel["search"]["initial"] is True

    session = offline_session(agents=Agents())
    session.choose(Mode.AGENT, search=False)
    panel = panel_of(session)
    await panel.open()
    first = {name: widget["initial"] for name, widget in screen.panel.items()}
    await panel.edit(first | {"mode": "chat"})
    await panel.edit({"mode": "chat", "search": True})
    await panel.edit(first | {"mode": "chat"})  # cancelled, and opened again
    assert screen.panel["search"]["initial"] is False


async def test_state_is_what_was_confirmed(screen: Screen) -> None:
    """A changed agent in the open panel is not yet the chosen one."""
    session = offline_session(agents=TWINS)
    session.choose(Mode.AGENT, search=False)
    offered = panel_of(session)

    await offered.edit({"mode": "agent", "agent": "b"})

    assert offered.state() == "Agent 模式下由 AI 自动决策搜索"
    await offered.commit({"mode": "agent", "agent": "b"})
    assert offered.state() == "此智能体未启用联网搜索"


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.spec("O8")
async def test_reading_is_a_choice_of_both_modes(screen: Screen, mode: Mode) -> None:
    """The user switches reading off in the panel; the confirmation says so."""
    session = offline_session(agents=Agents(), reader=create_reader())
    session.choose(mode, search=False)
    offered = panel_of(session)
    await offered.open()
    assert screen.panel["reading"]["initial"] is True

    await offered.commit({"mode": mode, "reading": False})

    assert not session.reader.is_enabled
    assert offered.confirmation().endswith("阅读网页：已关闭")
    assert screen.panel["reading"]["initial"] is False


@pytest.mark.spec("O8")
async def test_reading_that_the_operator_forbids(screen: Screen, panel: Panel) -> None:
    """The switch is disabled and says so if the operator forbids reading."""
    await panel.open()
    switch = screen.panel["reading_none"]

    assert switch["disabled"]
    assert not switch["initial"]
    assert "部署者已关闭网页阅读" in switch["description"]
    assert "阅读网页" not in panel.confirmation()


@pytest.mark.parametrize("mode", Mode)
async def test_evidence_is_a_choice_of_both_modes(
    screen: Screen, panel: Panel, mode: Mode
) -> None:
    """A choice outlives a redrawing; it holds, and is kept, once it is confirmed."""
    await panel.open()
    items = screen.panel["evidence"]["items"]
    assert [item["value"] for item in items] == ["values", "sentence", "off"]

    await panel.edit({"mode": mode, "evidence": "values"})
    assert screen.panel["evidence"]["initial"] == "values"
    assert panel.evidence == "sentence"
    await panel.open()
    assert screen.panel["evidence"]["initial"] == "sentence"

    await panel.commit({"mode": mode, "evidence": "values"})
    assert panel.evidence == "values"
    assert screen.panel["evidence"]["initial"] == "values"
    (kept,) = (one for one in screen.asked if one.startswith("websearch:keep"))
    assert "evidence%22%3A%20%22values" in kept
