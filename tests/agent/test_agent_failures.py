"""Agent mode where something goes wrong: models, calls, limits, searches."""

from typing import Any

import pytest
from fakes.loopback import Answer as Reply
from fakes.model_server import Brain, Call, Turn, fails, says, script, search
from fakes.searxng_pages import own_pages
from fakes.world import World, kinds, world

from agent import Mode
from agent.events import (
    Answer,
    Event,
    Failed,
    Notice,
    NoticeKind,
    SearchFailed,
    SearchFinished,
    SearchStarted,
    Token,
)

AGENT: dict[str, Any] = {"mode": Mode.AGENT, "search": own_pages, "on": False}
BOTH = script(
    Turn(["我先", "搜索。"], calls=[search("甲"), search("乙")]),
    Turn(["晴[1]", "雨[4]"]),
)


def found(events: list[Event]) -> list[SearchFinished]:
    return [event for event in events if isinstance(event, SearchFinished)]


def numbers(events: list[Event]) -> list[list[int]]:
    return [[source.number for source in one.sources] for one in found(events)]


async def asked(w: World, brain: Brain, question: str = "问") -> list[Event]:
    w.model.brain = brain
    return await w.ask(question)


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
        pytest.param(Turn(["字"], finish=None), "cut_off", id="ends-in-text"),
        pytest.param(Turn(["字", "字"], cut_after=1), "cut_off", id="hangs-up"),
        pytest.param(Turn([" "]), "silent", id="silent"),
        pytest.param(Turn(["字"], finish="content_filter"), "filtered", id="filtered"),
    ],
)
async def test_bad_ends(turn: Turn, problem: str) -> None:
    """A stream that was cut is told; nothing is searched with half a query."""
    async with world(lambda _: turn, **AGENT) as w:
        events = await w.ask("问")

    assert isinstance(events[-1], Failed)
    assert events[-1].problem == problem
    assert w.search.queries == []


@pytest.mark.spec("M4")
@pytest.mark.parametrize(
    ("brain", "problem"),
    [
        pytest.param(fails(401, "bad key sk-canary"), "wrong_key", id="key"),
        pytest.param(fails(402, "Insufficient Balance"), "no_quota", id="balance"),
        pytest.param(fails(404, "no such model"), "unknown_model", id="model"),
        pytest.param(fails(429, "slow down"), "rate_limit", id="rate"),
        pytest.param(
            fails(400, "maximum context length"), "context_too_long", id="context"
        ),
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

    failed = events[-1]
    assert isinstance(failed, Failed)
    assert failed.problem == problem
    assert [one.query for one in failed.rounds] == ["甲"]
    assert "canary" not in repr(events)
    assert isinstance(after[-1], Answer)


async def test_model_times_out() -> None:
    """A model that stalls in the middle is given up after its time."""
    stall = Turn(["一"], hang=True)
    options = {"OPENAI_TIMEOUT_S": 0.3}
    async with world(lambda _: stall, **AGENT, model_options=options) as w:
        events = await w.ask("问")

    assert isinstance(events[-1], Failed)
    assert (events[-1].problem, events[-1].text) == ("timeout", "一")


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
        Call("web_search", '{"query": '),
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


@pytest.mark.parametrize("at_once", [1, 2, 9])
async def test_limit(at_once: int) -> None:
    """When its searches are used up the model is told to answer, and has no tool."""

    def endless(request: dict[str, Any]) -> Turn:
        if "tools" not in request:
            return Turn(["就这些"])
        step = len(request["messages"])
        return Turn(calls=[search(f"{step} {n}") for n in range(at_once)])

    options = {"AGENT_MAX_SEARCHES": 4}
    async with world(endless, **AGENT, model_options=options) as w:
        events = await w.ask("问")

    assert len(w.search.queries) == 4
    assert [e for e in events if isinstance(e, Notice)] == [
        Notice(NoticeKind.SEARCH_LIMIT, 4)
    ]
    assert isinstance(events[-1], Answer)
    assert events[-1].text == "就这些"
    assert w.model.prompts[-1].endswith("并说明还有什么没能查到。")


async def test_endless_nonsense() -> None:
    """A model that only makes calls that can't be made is ended, and told to answer."""
    call = Call("no_such", "{}")
    stubborn = lambda asked: Turn(calls=[call]) if "tools" in asked else Turn(["好"])  # noqa: E731  a script is a function
    async with world(stubborn, **AGENT, model_options={"AGENT_MAX_SEARCHES": 50}) as w:
        events = await w.ask("问")

    assert isinstance(events[-1], Answer)
    assert len(w.model.requests) == 10


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


async def test_not_enabled() -> None:
    """Where search is switched off for it, the model can't see that there is a tool."""
    async with world(says("好"), **AGENT, WEB_SEARCH_ENABLED=False) as w:
        events = await w.ask("问")

    assert isinstance(events[-1], Answer)
    assert "tools" not in w.model.requests[0]


async def test_no_model() -> None:
    """Without a model the next step is told."""
    async with world(**AGENT) as w:
        events = [event async for event in w.without_model().ask("问")]

    assert [type(e) for e in events] == [Failed]
    assert events[0].problem == "no_model"  # type: ignore[union-attr]
