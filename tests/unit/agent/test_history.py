"""The history fits the model, and misleads nobody."""

import pytest
from support.model.model_server import Turn as Reply
from support.model.model_server import says, script, search
from support.servers.searxng_pages import own_pages
from support.world import World, world

from agent import Mode
from agent.events import (
    Aside,
    Event,
    Notice,
    NoticeKind,
    Recalled,
    SearchFinished,
    Token,
)
from agent.history import Turn, TurnRecorder, recent
from agent.models.context import count_tokens
from citations import Source


def turns(count: int, length: int = 10) -> list[Turn]:
    words = "字" * length
    return [Turn(f"{n:03}{words}", f"{n:03}{words}") for n in range(count)]


def test_recent_fits() -> None:
    """The last turns are kept whole, oldest out first."""
    kept = recent(turns(10), 60)

    assert [turn.question[:3] for turn in kept] == ["008", "009"]


def test_last_turn_is_kept() -> None:
    """A last turn that is too long keeps the beginnings and the ends of its words."""
    (kept,) = recent(turns(4, length=9_000), 1_000)

    assert kept.question.startswith("003")
    assert kept.answer.startswith("003")
    assert sum(count_tokens(words) for _, words in kept.messages()) <= 1_010


SOURCES = {n: Source(n, "t", f"https://s{n}.example/a(b)") for n in (1, 2)}


@pytest.mark.spec("Y4")
@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("天气晴[1]，气温低[2][1]。", "天气晴，气温低。"),
        ("见【1】与[9]", "见与[9]"),
        ("`print(a[1])` 与 m[1][2]=3", "`print(a[1])` 与 m[1][2]=3"),
        ("[abc] 不动", "[abc] 不动"),
        (
            "晴[citation:1][[citation:2]]【1†source】[cite: 1, 9]【4:2†source】。",
            "晴[9]。",
        ),
        ("晴[1, 9]，[[2]](http://x.example/)，[2024](/x)", "晴[9]，，[2024](/x)"),
    ],
)
def test_old_markers(text: str, left: str) -> None:
    """Markers of an answer are taken out, and nothing that only looks like one."""
    recorder = TurnRecorder("q", keeps_numbers=False)
    for event in (Recalled(SOURCES), Token(text)):
        recorder.add(event)

    assert recorder.turn().answer == left


PAGE = Source(1, "t", "https://one.example/")
SEARCHING = script(Reply(calls=[search("甲")]), Reply(["晴[1]，无[9]"]))


def sent(w: World) -> list[str]:
    """The conversation that the model saw last, without the system's words."""
    messages = w.model.requests[-1]["messages"][1:]
    return [m["content"] for m in messages if m["role"] in ("user", "assistant")]


@pytest.mark.spec("E9")
async def test_agent_then_chat() -> None:
    """Chat mode counts from 1 for itself, and sees no number of Agent mode."""
    async with world(SEARCHING, mode=Mode.AGENT, search=own_pages) as w:
        await w.ask("一")
        w.model.brain = says("雨[1]")
        w.session.choose(Mode.CHAT, search=True)
        await w.ask("二")
        first = w.model.prompts[-1]
        w.session.choose(Mode.CHAT, search=False)
        await w.ask("三")

    assert "[1] 二 1\n" in first
    assert sent(w)[:4] == ["一", "晴，无[9]", "二", "雨"]


async def test_chat_then_agent() -> None:
    """Agent mode sees its own numbers again, and none of Chat mode's."""
    async with world(SEARCHING, mode=Mode.AGENT, search=own_pages) as w:
        await w.ask("一")
        w.session.choose(Mode.CHAT, search=True)
        w.model.brain = says("雨[1]")
        await w.ask("二")
        w.session.choose(Mode.AGENT, search=True)
        w.model.brain = says("好")
        await w.ask("三")

    assert sent(w) == ["一", "晴[1]，无", "二", "雨", "三"]


FOUND = SearchFinished("q", [PAGE], "p", 1)
EARLIER = Recalled({1: PAGE})


@pytest.mark.parametrize(
    ("events", "text", "marked"),
    [
        ([Token("我先"), Aside("我先"), Token("晴")], "晴", "晴"),
        ([Token("我先"), Aside("我先")], "我先", "我先"),
        ([FOUND, Token("晴[1]")], "晴", "晴[1]"),
        ([EARLIER, Token("晴[1]")], "晴", "晴[1]"),
        ([EARLIER, Token("晴[1][5]，`a[5]`")], "晴[5]，`a[5]`", "晴[1]，`a[5]`"),
        ([EARLIER, Token("[1]")], "…", "[1]"),
        ([Notice(NoticeKind.NO_TOOLS), FOUND, Token("晴[1]")], "晴", ""),
    ],
    ids=[
        *("an aside is left out", "an aside alone is kept", "numbers last"),
        *("earlier numbers too", "an unknown number can't come to mean a later page"),
        *("a message without words is none", "numbers of Chat mode don't last"),
    ],
)
def test_recorded(events: list[Event], text: str, marked: str) -> None:
    """A turn is kept in the words of its answer, with and without lasting numbers."""
    recorder = TurnRecorder("q", keeps_numbers=True)
    for event in events:
        recorder.add(event)

    assert (recorder.turn().answer, recorder.turn().marked) == (text, marked)
