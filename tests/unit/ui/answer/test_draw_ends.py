"""However an answer ends: nothing goes on running, and what there is stays."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from support.screen import ONE, TWO, Screen, drawn, found, started, stopped

from agent.events import Answer, Aside, Event, Failed, ModelProblem, Token
from ui.answer import presence
from ui.answer.draw import draw
from websearch.config.settings import Settings


@pytest.mark.spec("M6")
async def test_stop_between_parallel_searches(screen: Screen) -> None:
    """Stopped, every open search ends as stopped; what was found stays."""
    await stopped(
        started("甲", "a"),
        started("乙", "b"),
        started("丙", "c"),
        found("乙", "b", ONE),
    )

    assert [step["name"] for step in screen.steps] == [
        "“甲” 搜索已停止",
        "“乙” 找到 1 条 · SearXNG · 0.8 s",
        "“丙” 搜索已停止",
    ]
    assert screen.messages[-1].startswith("*已停止生成。*")
    assert "https://s1.example/" in screen.messages[-1]
    assert screen.is_quiet


@pytest.mark.spec("M6")
async def test_stop_after_an_aside(screen: Screen) -> None:
    """An aside is no partial answer: stopped after it, it stays as it is."""
    await stopped(Token("我找找。"), Aside("我找找。"), started("甲", "a"))

    assert screen.lines == ["我找找。", "“甲” 搜索已停止", "*已停止生成。*"]


@pytest.mark.spec("M6")
async def test_stop_in_the_answer(screen: Screen) -> None:
    """Stopped while it writes, the answer keeps its words, links and list."""
    await stopped(started("甲", "a"), found("甲", "a", ONE, TWO), Token("晴[1]，"))

    answer = screen.messages[-1]
    assert answer.startswith("晴[[1]](https://s1.example/")
    assert "以上内容不完整" in answer
    assert "https://s2.example/" in answer
    assert screen.is_quiet


async def test_model_fails_between_searches(screen: Screen) -> None:
    """Where the model fails, searches end, and the problem stands above the list."""
    await drawn(
        started("甲", "a"), found("甲", "a", ONE), Failed(ModelProblem.UNREACHABLE)
    )

    answer = screen.messages[-1]
    assert answer.index("连不上模型服务") < answer.index("#### 搜索来源")
    assert screen.is_quiet


@pytest.mark.parametrize("is_there", [True, False])
async def test_nobody_reads(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    """An answer that nobody reads any more is ended, and its model stopped."""
    monkeypatch.setattr(presence, "AWAY_SECONDS", 0)
    monkeypatch.setattr(presence.sio.manager, "is_connected", lambda *_: is_there)
    ended: list[str] = []

    async def long_answer() -> AsyncIterator[Event]:
        for _ in range(3):
            yield Token("字")
            await asyncio.sleep(0.01)
        ended.append("by itself")
        yield Answer("字字字")

    await draw(long_answer(), "zh-CN", Settings.load())

    assert bool(ended) is is_there
    assert ("已停止生成" in screen.messages[-1]) is not is_there
    assert screen.is_quiet


async def test_unforeseen(screen: Screen) -> None:
    """Whatever breaks, nothing goes on blinking."""

    async def broken() -> AsyncIterator[Event]:
        yield started("甲", "a")
        yield Token("一半")
        raise ValueError("canary")

    with pytest.raises(ValueError, match="canary"):
        await draw(broken(), "zh-CN", Settings.load())

    assert screen.is_quiet
    assert "生成回答时出错" in screen.messages[-1]
    assert "canary" not in "".join(screen.messages)
