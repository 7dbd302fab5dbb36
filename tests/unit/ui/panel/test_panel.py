"""Panel and pickers take what they can have sent, and nothing else; both show it."""

from typing import Any

import pytest
from support.browser.screen import Screen
from support.sessions import offline_resources, offline_session

from agent import Mode, Session
from agent.profiles import AgentProfile, Agents
from ui.panel.panel import Panel
from ui.panel.pickers import How
from ui.panel.preferences import Preferences
from websearch import create_reader

TWINS = Agents(
    (
        AgentProfile("a", "Twin"),
        AgentProfile("b", "Twin", can_search=False),
        AgentProfile("c", "Third"),
    )
)


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

    await offered.take({"mode": "agent"})

    select = screen.panel["agent"]
    assert [item["value"] for item in select["items"]] == ["a", "b", "c"]
    labels = [item["label"] for item in select["items"]]
    assert labels == ["Twin (a)", "Twin (b)", "Third"]
    assert select["initial"] == "a"

    await panel.take({"mode": "agent"})  # a single agent is no choice
    assert "agent" not in screen.panel


# What is done, the way to answer that the first picker shows then, and the switch.
TOGGLES = [
    ({"mode": "agent"}, How.AGENT, None),
    ({"mode": "agent", "search": False}, How.AGENT, None),  # a press that came late
    ({"search_locked": True}, How.AGENT, None),
    ({"mode": "chat", "search_locked": False}, How.QUICK, True),
    ({"search": False}, How.OFFLINE, False),
    ({"how": "agent"}, How.AGENT, None),
    ({"how": "report"}, How.REPORT, None),
    ({"mode": "agent"}, How.REPORT, None),  # confirmed, without a change
    ({"mode": "chat"}, How.OFFLINE, False),
    ({"how": "研究报告"}, How.REPORT, False),  # an option by its name
    ({"how": "quick"}, How.QUICK, True),
    ({"how": "offline", "time": "week"}, How.OFFLINE, False),
    ({"how": "agent"}, How.AGENT, None),
    ({"mode": "chat"}, How.OFFLINE, False),
]


@pytest.mark.spec("X1", "A6")
async def test_one_state(screen: Screen, panel: Panel) -> None:
    """Whichever is used, panel and picker show the same; Agent mode locks the switch,
    which is as it was when Chat mode is back."""
    await panel.restore({})
    for done, how, switch in TOGGLES:
        await (panel.pick(done) if "how" in done else panel.take(done))

        assert screen.picked["how"] == panel.how == how, done
        (shown,) = (one for name, one in screen.panel.items() if "search" in name)
        assert (shown["id"] == "search") is (switch is not None), done
        assert shown["initial"] is bool(switch), done


async def test_a_model_that_has_gone(screen: Screen) -> None:
    """After other settings were taken, panel and picker show the model that answers."""
    resources = offline_resources()
    resources.models.names = ("first", "second")
    panel = panel_of(Session(resources))
    await panel.pick({"model": "second"})
    assert screen.picked["model"] == "second"

    resources.models.names = ("first", "third")
    await panel.open()

    assert screen.picked["model"] == screen.panel["model"]["initial"] == "first"


@pytest.mark.spec("X2", "A6")
@pytest.mark.parametrize(
    ("kept", "is_on"),
    [
        ("", True),
        ("%7B%22mode%22:%22agent%22%7D", False),
        ("%7B%22search%22:false%7D", False),
    ],
    ids=["new", "begun in Agent mode", "switched off before"],
)
async def test_first_state_of_the_switch(
    screen: Screen, panel: Panel, kept: str, is_on: bool
) -> None:
    """A conversation begins with search on, with a model too, unless the user chose
    otherwise; one that begins in Agent mode has no state to restore."""
    await panel.restore({"HTTP_COOKIE": f"websearch={kept}"})
    await panel.take({"mode": "chat"})

    assert screen.panel["search"]["initial"] is is_on


@pytest.mark.spec("X1")
async def test_a_time_is_picked(screen: Screen) -> None:
    """The time is offered while search is on, holds for the conversation, and is not
    kept for the next one."""
    session = offline_session(agents=TWINS)
    panel = panel_of(session)
    await panel.open()
    assert screen.picked["time"] == "any"

    await panel.pick({"how": "quick", "time": "week"})
    await panel.pick({"how": "offline"})
    assert "time" not in screen.picked
    await panel.pick({"how": "agent"})
    assert screen.picked["time"] == session.state.time_range == "week"
    await panel.take({"agent": "b"})  # which can't search
    assert "time" not in screen.picked
    await panel.pick({"how": "quick"})
    await panel.pick({"how": "quick", "time": "不限时间"})
    assert session.state.time_range is None
    assert "time_range" not in "".join(map(str, screen.asked))


FOREIGN: list[dict[str, Any]] = [
    {},
    {"how": "root", "model": "gone", "time": "decade"},
    {"how": ["agent"], "model": {"a": 1}, "time": None},
    {"mode": "agent", "search": False},
]


@pytest.mark.spec("X1")
@pytest.mark.parametrize("sent", FOREIGN, ids=str)
async def test_unknown_choices(screen: Screen, sent: dict[str, Any]) -> None:
    """An option that is not offered is left out; the page is shown what holds."""
    resources = offline_resources()
    resources.models.names = ("first", "second")
    session = Session(resources)
    panel = panel_of(session)
    before = Preferences.of(session, panel.evidence)

    await panel.pick(sent)

    assert Preferences.of(session, panel.evidence) == before
    assert screen.picked == {"how": "quick", "model": "first", "time": "any"}


async def test_what_has_changed(screen: Screen) -> None:
    """The panel's confirmation names what changed, and nothing else."""
    resources = offline_resources(agents=TWINS)
    resources.models.names = ("first", "second")
    panel = panel_of(Session(resources))

    assert await panel.take({"mode": "chat", "search": True}) == ""
    assert await panel.take({"model": "second"}) == "模型 second"
    off = await panel.take({"search": False, "evidence": "off"})
    assert off == "🔍 联网搜索 已关闭、🔎 引用预览 只有摘要"
    assert await panel.take({"mode": "agent"}) == "对话模式 Agent 模式"
    assert panel.state() == "Agent 模式下由 AI 自动决策搜索"
    assert await panel.take({"agent": "b"}) == "智能体 Twin (b)"
    assert panel.state() == "此智能体未启用联网搜索"


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.spec("O8")
async def test_reading_is_a_choice_of_both_modes(screen: Screen, mode: Mode) -> None:
    """The user switches reading off in the panel; the confirmation says so."""
    session = offline_session(agents=Agents(), reader=create_reader())
    session.choose(mode, search=False)
    offered = panel_of(session)
    await offered.open()
    assert screen.panel["reading"]["initial"] is True

    changed = await offered.take({"mode": mode, "reading": False})

    assert not session.reader.is_enabled
    assert changed == "📄 阅读网页 已关闭"
    assert screen.panel["reading"]["initial"] is False


@pytest.mark.spec("O8")
async def test_reading_that_the_operator_forbids(screen: Screen, panel: Panel) -> None:
    """The switch is disabled and says so if the operator forbids reading."""
    await panel.open()
    switch = screen.panel["reading_none"]

    assert switch["disabled"]
    assert not switch["initial"]
    assert "部署者已关闭网页阅读" in switch["description"]


@pytest.mark.parametrize("mode", Mode)
async def test_evidence_is_a_choice_of_both_modes(
    screen: Screen, panel: Panel, mode: Mode
) -> None:
    """A choice holds, is shown and is kept at once."""
    await panel.open()
    items = screen.panel["evidence"]["items"]
    assert [item["value"] for item in items] == ["values", "sentence", "off"]

    await panel.take({"mode": mode, "evidence": "values"})

    assert panel.evidence == "values"
    assert screen.panel["evidence"]["initial"] == "values"
    (kept,) = (one for one in screen.asked if one.startswith("websearch:keep"))
    assert "evidence%22%3A%20%22values" in kept
