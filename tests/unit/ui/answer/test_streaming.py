"""Pieces for the browser are put together, in order, and none is lost."""

import asyncio

import pytest

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
    """The reader sees the first word when it is there."""
    browser = Browser()
    stream = Coalescer(browser.take)

    await stream.add("a")

    assert browser.pieces == ["a"]


async def test_together() -> None:
    """A quick stream becomes few pieces with the same text."""
    browser = Browser()
    stream = Coalescer(browser.take)

    for _ in range(500):
        await stream.add("字")
    await stream.flush()

    assert "".join(browser.pieces) == "字" * 500
    assert len(browser.pieces) < 50


async def test_nothing_waits_for_the_next() -> None:
    """When the model pauses, what it wrote is shown all the same."""
    browser = Browser()
    stream = Coalescer(browser.take)
    await stream.add("a")
    await stream.add("b")

    await asyncio.sleep(MIN_INTERVAL * 3)

    assert browser.pieces == ["a", "b"]


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
