"""Answers that fail or break off: quotations stand in, and the rest can be written."""

from collections.abc import Sequence

import pytest
from support.model.model_server import Brain, Turn, fails, says, script, search
from support.servers.searxng_pages import page, row
from support.world import World, answer_of, failure_of, kinds, world

from agent import Mode, ModelSettings
from agent.events import Answer, Event, Failed, SearchFinished, SearchStarted, Token
from agent.models.catalog import Models

TOWER = "北京塔高 62 米，建于 1904 年。"
ASKED = "北京塔有多高？"
SEARCHES = Turn(calls=[search("北京塔 高度")])


def found(_: object) -> object:
    return page(row(1, content=TOWER))


async def rest(w: World) -> list[Event]:
    return [event async for event in w.session.go_on()]


@pytest.mark.spec("X9", "M4")
@pytest.mark.parametrize(
    ("mode", "brain", "problem"),
    [
        (Mode.CHAT, fails(401), "wrong_key"),
        (Mode.CHAT, fails(429), "rate_limit"),
        (Mode.CHAT, fails(500), "server"),
        (Mode.CHAT, says(), "silent"),
        (Mode.AGENT, script(SEARCHES, Turn(status=402, error={})), "no_quota"),
    ],
)
async def test_quotations_stand_in(mode: Mode, brain: Brain, problem: str) -> None:
    """A model that fails before its first word leaves what was found, quoted."""
    async with world(brain, search=found, mode=mode) as w:
        events = await w.ask(ASKED)

    assert kinds(events) == [SearchStarted, SearchFinished, Failed, Token, Answer]
    assert failure_of(events).problem == problem
    assert failure_of(events).address == w.model.base_url
    answer = answer_of(events)
    assert f"“{TOWER}”[1]" in answer.text
    assert [*answer.sources] == [1]
    assert w.session.state.turns[-1].question == ASKED


@pytest.mark.parametrize(
    ("brain", "on"), [(fails(500), False), (says("字", "字", cut_after=1), True)]
)
async def test_nothing_stands_in(brain: Brain, on: bool) -> None:
    """Without sources, or behind a word of the model, a failure is all that follows."""
    async with world(brain, search=found, on=on) as w:
        events = await w.ask(ASKED)

    assert isinstance(events[-1], Failed)


@pytest.mark.spec("X4")
@pytest.mark.parametrize(
    ("mode", "turns"),
    [
        (Mode.CHAT, [Turn(["塔高 62 米[1]，", "建"], cut_after=1)]),
        (Mode.AGENT, [SEARCHES, Turn(["塔高 62 米[1]，"], finish="length")]),
    ],
)
async def test_go_on(mode: Mode, turns: Sequence[Turn]) -> None:
    """The rest of an answer that broke off has its sources, and becomes its turn."""
    async with world(script(*turns), search=found, mode=mode) as w:
        await w.ask(ASKED)
        assert w.session.can_go_on
        w.model.brain = says("建于 1904 年[1]。")
        events = await rest(w)

        assert answer_of(events).text == "塔高 62 米[1]，建于 1904 年[1]。"
        (turn,) = w.session.state.turns
        assert turn.answer == "塔高 62 米，建于 1904 年。"
        *_, asked, begun, _ = w.model.requests[-1]["messages"]
        assert TOWER in asked["content"]
        assert begun == {"role": "assistant", "content": "塔高 62 米[1]，"}
        assert w.search.queries == [w.search.queries[0]]
        assert not w.session.can_go_on
        assert await rest(w) == []


async def test_no_model_left_to_go_on() -> None:
    """No answer can be gone on with once its model has left the settings."""
    async with world(says("字", "字", cut_after=1)) as w:
        await w.ask(ASKED)
        assert w.session.can_go_on
        w.resources.models = Models(ModelSettings())
        assert not w.session.can_go_on


async def test_return_to() -> None:
    """Back at a question, all that was asked and found after it is forgotten."""
    brain = script(SEARCHES, Turn(["62 米[1]。"]))
    async with world(brain, search=found, mode=Mode.AGENT) as w:
        await w.ask("一")
        before = w.session.state
        await w.ask("二")
        w.session.choose(Mode.AGENT, search=False)
        w.session.return_to(before)
        assert w.session.state.turns == before.turns
        assert w.session.state.sources == before.sources
        assert not w.session.state.search

        await w.ask("三")
        spoken = [m["content"] for m in w.model.requests[-1]["messages"]]
        assert "二" not in spoken
