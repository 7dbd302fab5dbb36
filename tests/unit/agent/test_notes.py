"""What an answer leaves for the next one."""

import pytest
from support.model_server import Turn, says, script, search
from support.searxng_pages import own_pages
from support.world import World, world

from agent import Mode
from agent.events import (
    Aside,
    Notice,
    NoticeKind,
    Recalled,
    SearchFinished,
    Token,
)
from agent.notes import Notes
from citations import Source

PAGE = Source(1, "t", "https://one.example/")
SEARCHING = script(Turn(calls=[search("甲")]), Turn(["晴[1]，无[9]"]))


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


def test_aside_is_left_out() -> None:
    """The answer is kept, not what was said before a search."""
    notes = Notes(lasting=True)
    for event in (Token("我先"), Aside("我先"), Token("晴")):
        notes.take(event)

    assert notes.turn().text == "晴"


def test_stopped_after_an_aside() -> None:
    """Where nothing else was said, what was said before the search is kept."""
    notes = Notes(lasting=True)
    for event in (Token("我先"), Aside("我先")):
        notes.take(event)

    assert notes.text == "我先"


@pytest.mark.parametrize(("lasting", "marked"), [(False, ""), (True, "晴[1]")])
def test_numbers(lasting: bool, marked: str) -> None:
    """Only numbers that last are kept."""
    notes = Notes(lasting=lasting)
    notes.take(SearchFinished("q", [PAGE], "p", 1))
    notes.take(Token("晴[1]"))

    assert (notes.turn().text, notes.turn().marked) == ("晴", marked)


def test_fallback() -> None:
    """Where the model takes no tools the numbers are Chat mode's, and do not last."""
    notes = Notes(lasting=True)
    notes.take(Notice(NoticeKind.NO_TOOLS))
    notes.take(Token("晴[1]"))

    assert notes.turn().marked == ""


def test_unknown_number() -> None:
    """A number without a source can't come to mean a page that is found later."""
    notes = Notes(lasting=True)
    notes.take(Recalled({1: PAGE}))
    notes.take(Token("晴[1][5]，`a[5]`"))

    assert notes.turn().marked == "晴[1]，`a[5]`"


def test_nothing_but_a_number() -> None:
    """A message without words is none that servers take."""
    notes = Notes(lasting=True)
    notes.take(Recalled({1: PAGE}))
    notes.take(Token("[1]"))

    assert notes.turn().text == "…"


def test_recalled_numbers() -> None:
    """An answer that searches nothing may cite what an earlier one found."""
    notes = Notes(lasting=True)
    notes.take(Recalled({1: PAGE}))
    notes.take(Token("晴[1]"))

    assert (notes.turn().text, notes.turn().marked) == ("晴", "晴[1]")
