"""Pieces for the browser are put together, in order, and none is lost."""

import asyncio

import pytest
from support.browser.screen import ONE, THREE, TWO

from agent.events import Notice, NoticeKind, SearchFinished
from ui.answer.markup import Markup
from ui.answer.sources import AnswerSources
from ui.answer.streaming import MIN_INTERVAL, Coalescer


class Browser:
    """Takes pieces slowly."""

    def __init__(self, delay: float = 0.0) -> None:
        self.pieces: list[str] = []
        self.delay = delay

    async def take(self, piece: str) -> None:
        await asyncio.sleep(self.delay)
        self.pieces.append(piece)


async def test_first_piece_at_once() -> None:
    """The first word is shown at once, and the last even where the model pauses."""
    browser = Browser()
    stream = Coalescer(browser.take)

    await stream.add("a")
    assert browser.pieces == ["a"]
    await stream.add("b")
    await asyncio.sleep(MIN_INTERVAL * 3)
    assert browser.pieces == ["a", "b"]


async def test_together() -> None:
    """A quick stream becomes few pieces with the same text."""
    browser = Browser()
    stream = Coalescer(browser.take)

    for _ in range(500):
        await stream.add("字")
    await stream.flush()

    assert "".join(browser.pieces) == "字" * 500
    assert len(browser.pieces) < 50


@pytest.mark.parametrize("delay", [0.0, 0.02])
async def test_order(delay: float) -> None:
    """A slow browser gets everything in order."""
    browser = Browser(delay)
    stream = Coalescer(browser.take)

    for n in range(60):
        await stream.add(f"{n} ")
        await asyncio.sleep(0.003)
    await stream.flush()

    assert "".join(browser.pieces).split() == [str(n) for n in range(60)]


@pytest.mark.parametrize("notice", [None, Notice(NoticeKind.SEARCH_LIMIT, 5)])
def test_streamed_is_final(notice: Notice | None) -> None:
    """The streamed text is the beginning of the final text."""
    findings = AnswerSources("zh-CN")
    findings.add(SearchFinished("q", [ONE, TWO, THREE], "searxng", 5))
    made = Markup("zh-CN", findings)
    if notice:
        made.notice(notice)
    streamed = "".join(made.feed(c) for c in "答案[1][3] 与 `x[1]`，re:Invent。\n\n完")

    assert made.whole("", is_notice=True).startswith(streamed.rstrip())
