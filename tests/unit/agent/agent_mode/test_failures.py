"""Agent mode where something goes wrong: models, calls, limits, searches."""

from typing import Any

import pytest
from support.model.agent_mode import AGENT, BOTH, asked, found
from support.model.model_server import Brain, Call, Turn, fails, says, script, search
from support.servers.loopback import Answer as Reply
from support.world import failure_of, world

from agent.events import Answer, SearchFailed, SearchStarted, Token


@pytest.mark.parametrize(
    ("turn", "problem"),
    [
        pytest.param(
            Turn(calls=[search("北京 天气")], cut_calls_after=2, finish=None),
            "cut_off",
            id="ends-in-arguments",
        ),
        pytest.param(
            Turn(calls=[search("北京 天气")], cut_calls_after=2, finish="length"),
            "too_long_answer",
            id="length-in-arguments",
        ),
        pytest.param(
            Turn(calls=[Call("web_search", '{"query": "北京')]),
            "cut_off",
            id="half-a-query",
        ),
        pytest.param(Turn([" "]), "silent", id="silent"),
    ],
)
async def test_bad_ends(turn: Turn, problem: str) -> None:
    """A stream that was cut is told; nothing is searched with half a query."""
    async with world(lambda _: turn, **AGENT) as w:
        events = await w.ask("问")

    assert failure_of(events).problem == problem
    assert w.search.queries == []


@pytest.mark.spec("M4")
@pytest.mark.parametrize(
    ("brain", "problem"),
    [
        pytest.param(fails(401, "bad key sk-canary"), "wrong_key", id="key"),
        pytest.param(fails(500, "boom"), "server", id="server"),
    ],
)
async def test_failure_after_a_search(brain: Brain, problem: str) -> None:
    """A model that fails after its search leaves what it found, and no foreign text."""

    def one_search(request: dict[str, Any]) -> Turn:
        is_first = request["messages"][-1]["role"] == "user"
        return Turn(calls=[search("甲")]) if is_first else brain(request)

    async with world(one_search, **AGENT) as w:
        events = await w.ask("问")
        after = await asked(w, says("好"))

    assert failure_of(events).problem == problem
    assert [one.query for one in found(events)] == ["甲"]
    assert "canary" not in repr(events)
    assert isinstance(after[-1], Answer)


async def test_model_times_out() -> None:
    """A model that stalls in the middle is given up after its time."""
    stall = Turn(["一"], hang=True)
    options = {"OPENAI_TIMEOUT_S": 0.3}
    async with world(lambda _: stall, **AGENT, model_options=options) as w:
        events = await w.ask("问")

    assert failure_of(events).problem == "timeout"
    assert events[-2] == Token("一")


@pytest.mark.spec("J5")
async def test_failed_search() -> None:
    """A failed search is told to model and user, and ends nothing."""
    broken = lambda _: Reply("no", 500)  # noqa: E731  a script is a function
    async with world(BOTH, **AGENT | {"search": broken}) as w:
        events = await w.ask("问")

    failures = [e for e in events if isinstance(e, SearchFailed)]
    assert [e.query for e in failures] == ["甲", "乙"]
    assert "搜索失败（BadGateway）" in w.model.prompts[-1]
    assert isinstance(events[-1], Answer)


@pytest.mark.parametrize(
    "call",
    [
        Call("web_search", '{"query": }'),
        Call("web_search", "[1]"),
        Call("web_search", '{"q": "x"}'),
        Call("web_search", ""),
        Call("no_such", '{"query": "x"}'),
    ],
    ids=lambda call: f"{call.name} {call.arguments}",
)
async def test_wrong_calls(call: Call) -> None:
    """A call that can't be made is answered with what it lacks, and the run goes on."""
    brain = script(Turn(calls=[call]), Turn(calls=[search("甲")]), Turn(["好"]))
    async with world(brain, **AGENT) as w:
        events = await w.ask("问")

    assert isinstance(events[-1], Answer)
    assert w.search.queries == ["甲"]
    assert [e.query for e in events if isinstance(e, SearchStarted)] == ["甲"]
