"""What an answer leaves for the next one."""

import pytest
from fakes.model_server import Turn, says, script, search
from fakes.searxng_pages import own_pages
from fakes.world import World, world

from agent import Mode
from agent.events import Aside, Recalled, SearchFinished, Token
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

    assert sent(w) == ["一", "晴[1]，无[9]", "二", "雨", "三"]


def test_aside_is_left_out() -> None:
    """The answer is kept, not what was said before a search."""
    notes = Notes()
    for event in (Token("我先"), Aside("我先"), Token("晴")):
        notes.take(event)

    assert notes.turn().text == "晴"


def test_stopped_after_an_aside() -> None:
    """Where nothing else was said, what was said before the search is kept."""
    notes = Notes()
    for event in (Token("我先"), Aside("我先")):
        notes.take(event)

    assert notes.text == "我先"


@pytest.mark.parametrize(
    ("call", "marked"), [("", ""), ("call_1", "晴[1]")], ids=["chat", "agent"]
)
def test_numbers(call: str, marked: str) -> None:
    """Only numbers that last are kept."""
    notes = Notes()
    notes.take(SearchFinished("q", [PAGE], "p", 1, call=call))
    notes.take(Token("晴[1]"))

    assert (notes.turn().text, notes.turn().marked) == ("晴", marked)


def test_recalled_numbers() -> None:
    """An answer that searches nothing may cite what an earlier one found."""
    notes = Notes()
    notes.take(Recalled({1: PAGE}))
    notes.take(Token("晴[1]"))

    assert (notes.turn().text, notes.turn().marked) == ("晴", "晴[1]")
