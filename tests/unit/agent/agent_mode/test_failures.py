"""Agent mode where something goes wrong, or at its limits."""

import json
from typing import Any

import pytest
from support.model.agent_mode import AGENT, BOTH, asked, found, numbers
from support.model.model_server import Brain, Call, Turn, fails, says, search
from support.servers.loopback import Answer as Reply
from support.world import answer_of, failure_of, kinds, world

from agent.events import (
    Answer,
    Notice,
    NoticeKind,
    Recalled,
    SearchFailed,
    SearchFinished,
    SearchStarted,
    Token,
)

HALF: Any = {"calls": [search("北京 天气")], "cut_calls_after": 2}


@pytest.mark.parametrize(
    ("turn", "problem"),
    [
        (Turn(**HALF, finish=None), "cut_off"),
        (Turn(**HALF, finish="length"), "too_long_answer"),
        (Turn(calls=[Call("web_search", '{"query": "北京')]), "cut_off"),
    ],
    ids=["ends in arguments", "length in arguments", "half a query"],
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
    [(fails(401, "bad key sk-canary"), "wrong_key"), (fails(500, "boom"), "server")],
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


@pytest.mark.parametrize("on", [False, True], ids=["chat", "agent"])
async def test_context_ends_in_the_answer(*, on: bool) -> None:
    """An answer that fills the context is not written again, and teaches nothing."""
    full = Turn(["一"], error_event={"message": "Context size has been exceeded."})
    options: dict[str, Any] = AGENT if on else {"on": False}
    async with world(lambda _: full, **options) as w:
        events = await w.ask("问")
        context = w.resources.models.default.context

    assert failure_of(events).problem == "too_long_answer"
    assert [one for one in events if isinstance(one, Token)] == [Token("一")]
    assert len(w.model.requests) == 1
    assert context.tokens is None


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


@pytest.mark.parametrize("at_once", [1, 2, 9])
async def test_limit(at_once: int) -> None:
    """When its searches are used up the model is told to answer, and has no tool."""

    def endless(request: dict[str, Any]) -> Turn:
        if request.get("tool_choice") == "none":
            return Turn(["就这些[1]"])
        step = len(request["messages"])
        return Turn(calls=[search(f"{step} {n}") for n in range(at_once)])

    options: dict[str, Any] = {"AGENT_MAX_SEARCHES": 4}
    async with world(endless, **AGENT, **options) as w:
        events = await w.ask("问")

    assert len(w.search.queries) == 4
    assert [e for e in events if isinstance(e, Notice)] == [
        Notice(NoticeKind.SEARCH_LIMIT, 4)
    ]
    assert answer_of(events).text == "就这些[1]"
    assert w.model.prompts[-1].endswith("并说明还有什么没能查到。")


async def test_endless_nonsense() -> None:
    """A model that only makes calls that can't be made is ended, and told to answer."""
    call = Call("no_such", "{}")
    stubborn = lambda asked: Turn(calls=[call]) if "tools" in asked else Turn(["好"])  # noqa: E731  a script is a function
    async with world(stubborn, **AGENT, AGENT_MAX_SEARCHES=50) as w:
        events = await w.ask("问")

    assert isinstance(events[-1], Answer)
    assert len(w.model.requests) == 11


@pytest.mark.spec("M4")
@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "gemma:2b does not support tools"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice to be set'),
        (500, "tools param requires --jinja flag"),
    ],
)
async def test_no_tools(status: int, words: str) -> None:
    """A model without tools gets Chat mode's search with a note; it is remembered."""
    refuse = fails(status, words)
    brain = lambda asked: refuse(asked) if "tools" in asked else Turn(["晴[1]"])  # noqa: E731  a script is a function
    async with world(brain, **AGENT) as w:
        first, second = await w.ask("北京天气"), await w.ask("那上海呢")

    for events, query in ((first, "北京天气"), (second, "那上海呢")):
        assert kinds(events) == [Notice, SearchStarted, SearchFinished, Token, Answer]
        assert events[0] == Notice(NoticeKind.NO_TOOLS)
        assert numbers(events) == [[1, 2, 3]]
        assert found(events)[0].query == query
        assert found(events)[0].call == ""
    with_tools = ["tools" in request for request in w.model.requests]
    assert with_tools == [*[True] * (2 if status == 500 else 1), False, False]


async def test_other_session_finds_out() -> None:
    """That another session finds the model without tools changes no running answer."""
    async with world(BOTH, **AGENT) as w:
        events = []
        async for event in w.session.ask("问"):
            events.append(event)
            w.resources.models.default.takes_tools = False

    assert [type(e) for e in events].count(Answer) == 1
    assert not any(isinstance(e, Notice) for e in events)


async def test_no_tools_in_the_middle() -> None:
    """A model that has called its tool takes tools, whatever its server says later."""
    refuse = fails(400, "This model does not support tools")

    def brain(asked: dict[str, Any]) -> Turn:
        is_first = asked["messages"][-1]["role"] == "user"
        return Turn(calls=[search("甲")]) if is_first else refuse(asked)

    async with world(brain, **AGENT) as w:
        events = await w.ask("问")

    assert failure_of(events).problem == "refused"
    assert w.resources.models.default.takes_tools


async def test_numbers_of_a_fallback() -> None:
    """The fallback's answer can cite only what it found itself."""
    async with world(BOTH, **AGENT) as w:
        await w.ask("一")
        refuse = fails(400, "does not support tools")
        brain = lambda asked: refuse(asked) if "tools" in asked else Turn(["晴[5]"])  # noqa: E731  a script is a function
        events = await asked(w, brain, "二")

    assert not any(isinstance(e, Recalled) for e in events)
    assert isinstance(events[-1], Answer)
    assert [*events[-1].sources] == [1, 2, 3]


async def test_odd_query_and_silence() -> None:
    """A guessed query is shown as it was searched; silence without a tool is told."""
    odd = Call("web_search", json.dumps({"query": ["甲", 2026]}))
    stubborn = lambda _: Turn(calls=[odd])  # noqa: E731  a script is a function
    async with world(stubborn, **AGENT, AGENT_MAX_SEARCHES=1) as w:
        events = await w.ask("问")

    (started,) = (e for e in events if isinstance(e, SearchStarted))
    assert w.search.queries == [started.query] == ["甲 2026"]
    assert numbers(events) == [[1, 2, 3]]
    assert failure_of(events).problem == "silent"
