"""Chat mode: search, prompt, answer, against real servers on loopback."""

import pytest
from support.model.model_server import Brain, fails, says
from support.servers.faults import FAULTS
from support.servers.searxng_pages import page
from support.world import answer_of, failure_of, kinds, stopped, world

from agent import Mode, Session
from agent.events import (
    Answer,
    Failed,
    SearchFailed,
    SearchFinished,
    SearchStarted,
    Thought,
    Token,
)


@pytest.mark.spec("C1", "C2", "C5")
async def test_search_and_answer() -> None:
    """The user's words are the query; results reach prompt and page with one number."""
    async with world(says("晴", "[1]", "。")) as w:
        events = await w.ask("北京 今天天气?")

    assert kinds(events) == [SearchStarted, SearchFinished, Token, Answer]
    assert w.search.queries == ["北京 今天天气?"]
    finished = events[1]
    assert isinstance(finished, SearchFinished)
    assert [(s.number, s.title) for s in finished.sources] == [
        (n, f"Title {n}") for n in range(1, 6)
    ]
    assert "[5] Title 5" in w.model.prompts[0]
    answer = answer_of(events)
    assert answer.text == "晴[1]。"
    assert answer.usage == {"input_tokens": 7, "output_tokens": 5}


@pytest.mark.spec("N4")
async def test_prompts_keep_their_beginning() -> None:
    """A question that is asked again has the same prompt, which its server knows; in
    another conversation the line around the results is another."""
    async with world() as w:
        other_session = Session(w.resources)
        other_session.choose(Mode.CHAT, search=True)
        for session in (w.session, w.session, other_session):
            async for _ in session.ask("问", again=True, as_typed=True):
                pass

    first, again, other = w.model.prompts
    assert first == again != other
    assert first.partition("=====")[0] == other.partition("=====")[0]


@pytest.mark.spec("A8")
async def test_search_off() -> None:
    """With the switch off no search request leaves, and the question goes as it is."""
    async with world(on=False) as w:
        events = await w.ask("你好")

    assert kinds(events) == [Token, Answer]
    assert w.search.requests == []
    assert w.model.prompts == ["你好"]


@pytest.mark.spec("C3")
async def test_nothing_found() -> None:
    """Nothing found is said to the model, which answers by itself."""
    async with world(search=lambda _: page()) as w:
        events = await w.ask("北京")

    assert kinds(events) == [SearchStarted, SearchFinished, Token, Answer]
    assert "没有找到相关结果" in w.model.prompts[0]


@pytest.mark.spec("C6", "B4", "B5", "B9")
@pytest.mark.parametrize(
    "fault", ["json off", "limiter", "engines blocked", "hangs up", "another web page"]
)
async def test_search_failed(fault: str) -> None:
    """A failed search is told, and the answer is made without it."""
    async with world(search=FAULTS[fault][0]) as w:
        events = await w.ask("你好")

    assert kinds(events) == [SearchStarted, SearchFailed, Token, Answer]
    assert w.model.prompts == ["你好"]


@pytest.mark.spec("B4", "C6")
async def test_search_timeout() -> None:
    """A search that takes too long is given up, and the answer goes on."""
    async with world(
        search=lambda _: lambda: iter([30.0]), WEB_SEARCH_TIMEOUT_MS=200
    ) as w:
        events = await w.ask("你好")

    failed = events[1]
    assert isinstance(failed, SearchFailed)
    assert failed.error.code == "Timeout"
    assert isinstance(events[-1], Answer)


async def test_blank_search() -> None:
    """A question without anything to search for is answered all the same."""
    async with world() as w:
        events = await w.ask("\u200b\u200b")

    assert kinds(events) == [SearchStarted, SearchFailed, Token, Answer]
    assert w.search.requests == []


async def test_reasoning() -> None:
    """A model's thoughts are separate from its answer."""
    brain = says("好", reasoning=["想", "一想"])
    async with world(brain, on=False) as w:
        events = await w.ask("你好")

    assert [e.text for e in events if isinstance(e, Thought)] == ["想", "一想"]
    assert answer_of(events).text == "好"


@pytest.mark.spec("M4")
@pytest.mark.parametrize(
    ("brain", "problem"),
    [
        pytest.param(fails(401, "bad key sk-canary"), "wrong_key", id="key"),
        pytest.param(fails(400, "does not support tools"), "no_tools", id="tools"),
        pytest.param(fails(500, "boom"), "server", id="server"),
        pytest.param(says(), "silent", id="silent"),
        pytest.param(says("", "  "), "silent", id="blank"),
        pytest.param(says("字", "字", finish=None), "cut_off", id="no-finish"),
        pytest.param(says("字", "字", cut_after=1), "cut_off", id="cut"),
        pytest.param(says("字", finish="length"), "too_long_answer", id="length"),
        pytest.param(says("字", finish="content_filter"), "filtered", id="filter"),
    ],
)
async def test_model_fails(brain: Brain, problem: str) -> None:
    """Each fault of the model has its name, and no text of it comes out."""
    async with world(brain, on=False) as w:
        events = await w.ask("你好")

    assert failure_of(events).problem == problem
    assert "canary" not in repr(events)


@pytest.mark.spec("M4")
async def test_partial_text_stays() -> None:
    """The text before a failure of the model is kept."""
    async with world(says("一", "二", "三", cut_after=2), on=False) as w:
        events = await w.ask("你好")

    assert isinstance(events[-1], Failed)
    assert "".join(e.text for e in events if isinstance(e, Token)) == "一二"


@pytest.mark.parametrize("after", [0.05, 0.3])
async def test_stop(after: float) -> None:
    """A stopped answer keeps what was written, and the next question works."""
    brain = says(*["字"] * 50, delay=0.02)
    async with world(brain, on=False) as w:
        seen = await stopped(w, after)
        w.model.brain = says("好")
        events = await w.ask("二")

    assert isinstance(events[-1], Answer)
    spoken = [m["content"] for m in w.model.requests[-1]["messages"][1:]]
    written = "".join(e.text for e in seen if isinstance(e, Token))
    assert spoken == (["一", written, "二"] if written else ["二"])
