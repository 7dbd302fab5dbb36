"""Agent mode: the model searches by itself, against real servers on loopback."""

import asyncio
from typing import Any

import pytest
from support.model.agent_mode import AGENT, BOTH, asked, found, numbers
from support.model.model_server import Turn, fails, says, script, search
from support.servers.loopback import Answer as Reply
from support.servers.searxng_pages import own_pages
from support.world import answer_of, kinds, world

from agent.events import Answer, Aside, Recalled, SearchFinished, SearchStarted, Token


@pytest.mark.spec("E4", "E5", "E6")
async def test_search_and_answer() -> None:
    """The model's own queries are searched; it gets the results with their numbers."""
    async with world(BOTH, **AGENT) as w:
        events = await w.ask("北京和上海天气怎么样？")

    assert kinds(events) == [
        *(Token, Aside, SearchStarted, SearchFinished),
        Answer,
    ]
    assert w.search.queries == ["甲", "乙"]
    assert numbers(events) == [[1, 2, 3], [4, 5, 6]]
    first, second = w.model.requests
    assert [m["role"] for m in second["messages"]] == [
        *("system", "user", "assistant", "tool", "tool")
    ]
    assert first["messages"][1]["content"] == "北京和上海天气怎么样？"
    assert "\n[4] 乙 1 | https://pages.example.org/" in second["messages"][4]["content"]
    end = answer_of(events)
    assert end.text == "晴[1]雨[4]"
    assert [one.query for one in found(events)] == ["甲", "乙"]
    assert end.sources[4].title == "乙 1"
    assert end.usage == {"input_tokens": 14, "output_tokens": 10}


@pytest.mark.spec("E8")
async def test_no_search() -> None:
    """Without a search there are no rounds, no sources, and one request."""
    async with world(says("你好"), **AGENT) as w:
        events = await w.ask("你好")

    assert kinds(events) == [Token, Answer]
    assert events[-1] == Answer("你好", usage=events[-1].usage)  # type: ignore[union-attr]
    assert w.search.requests == []


@pytest.mark.spec("E6", "F1", "F2")
async def test_next_turn() -> None:
    """Numbers go on rising; a query of an earlier turn asks nobody, and keeps them."""
    async with world(BOTH, **AGENT) as w:
        await w.ask("一")
        brain = script(
            Turn(calls=[search("丙")]), Turn(calls=[search("甲")]), Turn(["好[1][7]"])
        )
        events = await asked(w, brain, "二")

    assert w.search.queries == ["甲", "乙", "丙"]
    assert numbers(events) == [[7, 8, 9], [1, 2, 3]]
    assert [one.cached for one in found(events)] == [False, True]
    assert isinstance(events[0], Recalled)
    assert [*events[0].sources] == [1, 2, 3, 4, 5, 6]


async def test_thirty_turns() -> None:
    """After thirty turns each number still means its page, the first ones included."""
    async with world(**AGENT) as w:
        for turn in range(30):
            brain = script(
                Turn(calls=[search(f"q{turn}")]), Turn([f"答{turn}[{3 * turn + 1}]"])
            )
            await asked(w, brain, f"t{turn}")
        events = await asked(w, says("见[1][88]"), "总结 [2] 和 [90]")

    sources = answer_of(events).sources
    for turn in range(30):
        for n in (1, 2, 3):
            assert sources[3 * turn + n].title == f"q{turn} {n}"
    asked_last = w.model.requests[-1]["messages"]
    assert "[2] q0 2 | https://pages.example.org/q0/2" in asked_last[0]["content"]
    assert asked_last[-2]["content"] == "答29[88]"


@pytest.mark.slow
async def test_parallel_runs() -> None:
    """Through the whole run, parallel calls of any latency are numbered alike."""

    def unsteady(request: Any) -> Reply:
        answer = own_pages(request)
        delay = hash((request.target, len(w.search.requests))) % 7 / 1000
        return Reply(answer.body, delay=delay)

    brain = script(
        Turn(calls=[search(q) for q in "甲乙丙丁"], interleave=True), Turn(["好"])
    )
    seen = set()
    patience = {"WEB_SEARCH_TIMEOUT_MS": 30_000}
    async with world(brain, **AGENT | {"search": unsteady} | patience) as w:
        for _ in range(5):
            sessions = [w.another() for _ in range(20)]
            runs = await asyncio.gather(*(one.ask("问") for one in sessions))
            seen |= {str([(e.query, numbers([e])) for e in found(r)]) for r in runs}

    assert seen == {
        str([(q, [[n, n + 1, n + 2]]) for q, n in zip("甲乙丙丁", (1, 4, 7, 10))])  # noqa: B905  four each
    }


async def test_reasoning_is_sent_back() -> None:
    """A model that wants its thoughts back within a turn gets them, and no later."""

    def brain(request: dict[str, Any]) -> Turn:
        calling = [m for m in request["messages"] if m.get("tool_calls")]
        if any(not m.get("reasoning_content") for m in calling):
            return fails(400, "The `reasoning_content` must be passed back")(request)
        return Turn(["好"]) if calling else Turn(reasoning=["想"], calls=[search("甲")])

    async with world(brain, **AGENT) as w:
        events = [*await w.ask("一"), *await w.ask("二")]

    assert [type(e) for e in events].count(Answer) == 2
    assert all("reasoning_content" not in m for m in w.model.requests[2]["messages"])
