"""The events of an answer, drawn: what stands on the page, in which order."""

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest
from support.browser.screen import (
    ONE,
    TWO,
    Screen,
    drawn,
    failed,
    found,
    scripted,
    started,
    stopped,
)

from agent.causes import ModelProblem
from agent.events import (
    Answer,
    Aside,
    Event,
    Failed,
    Notice,
    NoticeKind,
    Recalled,
    Thought,
    Token,
)
from citations import Source
from ui.answer import evidence, streaming
from ui.answer.draw import draw
from ui.answer.evidence import AnswerEvidence, SourceTexts
from ui.server.settings import EvidenceMode
from websearch.config.settings import Settings
from websearch.errors import WebBlocked

ROUNDS = (
    Token("我先搜索一下[1]。"),
    Aside("我先搜索一下[1]。"),
    started("北京 天气", "a"),
    started("上海 天气", "b"),
    found("上海 天气", "b", TWO),
    found("北京 天气", "a", ONE),
    Token("晴[1]。"),
    Answer("晴[1]。"),
)


@pytest.mark.spec("E10")
async def test_order(screen: Screen) -> None:
    """Aside, searches in the order of their beginning, answer: as it happened."""
    await drawn(*ROUNDS)

    assert screen.lines == [
        "我先搜索一下\\[1\\]。",
        "“北京 天气” 找到 1 条 · SearXNG · 0.8 s",
        "“上海 天气” 找到 1 条 · SearXNG · 0.8 s",
        '晴[[1]](https://s1.example/ "[1] Title 1 — s1.example")。',
    ]
    assert screen.is_quiet


async def test_aside_has_no_links(screen: Screen) -> None:
    """An aside has neither links nor lists."""
    words = "见[1]，![x](http://evil.example/p)。"
    await drawn(
        Recalled({1: ONE}), Token(words), Aside(words), Token("好"), Answer("好")
    )

    assert "](" not in screen.messages[0]
    assert "####" not in screen.messages[0]


async def test_blank_aside(screen: Screen) -> None:
    """An aside without words leaves no empty message behind."""
    await drawn(Token("\n"), Aside("\n"), started("q", "a"), found("q", "a"))

    assert screen.lines == ["“q” 没有找到相关结果 · SearXNG · 0.8 s"]


@pytest.mark.spec("E8")
async def test_rounds_below_the_answer(screen: Screen) -> None:
    """One list below the answer has every source under the query of its search."""
    await drawn(*ROUNDS)

    answer = screen.messages[-1]
    assert answer.count("####") == 3
    listed = answer.partition("#### 搜索来源")[2]
    first, second = listed.split("#####")[1:]
    assert first.startswith(" 第 1 轮 · “北京 天气”\n")
    assert "https://s1.example/" in first
    assert "*已引用*" in first
    assert second.startswith(" 第 2 轮 · “上海 天气”\n")
    assert "https://s2.example/" in second
    assert "*已引用*" not in second


async def test_all_failed(screen: Screen) -> None:
    """Failed searches are reported once; each cause opens the first of its steps."""
    blocked = WebBlocked("x", detail_code="captcha_required")
    await drawn(
        *(started(f"q{n}", str(n)) for n in range(4)),
        *(failed(f"q{n}", str(n)) for n in range(3)),
        failed("q3", "3", blocked),
        Token("凭记忆。"),
        Answer("凭记忆。"),
    )

    answer = screen.messages[-1]
    assert answer.count("本次回答未使用搜索结果") == 1
    assert answer.endswith("凭记忆。")
    assert [step["autoCollapse"] for step in screen.steps] == [False, True, True, False]
    assert all("下一步" in step["output"] for step in screen.steps)


async def test_failed_but_recalled(screen: Screen) -> None:
    """An answer that cites earlier sources has no notice of unused ones."""
    await drawn(
        Recalled({1: ONE}),
        started("q", "a"),
        failed("q", "a"),
        Token("晴[1]"),
        Answer("晴[1]"),
    )

    assert "只使用了此前搜索的结果" in screen.messages[-1]
    assert "未使用搜索结果" not in screen.messages[-1]


async def test_notice_stands_above_the_answer(screen: Screen) -> None:
    """A notice comes once, with the answer, below the steps and asides before it."""
    notice = Notice(NoticeKind.SEARCH_LIMIT, 5)
    await drawn(
        started("q", "a"),
        found("q", "a", ONE),
        notice,
        notice,
        Token("再想想。"),
        Aside("再想想。"),
        Token("好"),
        Answer("好"),
    )

    step, aside, answer = screen.lines
    assert step.startswith("“q” 找到")
    assert aside == "再想想。"
    assert answer.startswith("> **搜索次数已用完** 本次回答已搜索 5 次")
    assert screen.messages[-1].count("搜索次数已用完") == 1


async def test_thoughts_between_searches(screen: Screen) -> None:
    """Thoughts before a search and after it are two steps, each at its place."""
    await drawn(
        Thought("一"),
        started("q", "a"),
        found("q", "a", ONE),
        Thought("二"),
        Token("好"),
        Answer("好"),
    )

    assert [step["output"] for step in screen.steps if "思考" in step["name"]] == [
        "一",
        "二",
    ]
    assert screen.lines[0] == screen.lines[2] == "思考过程"
    assert screen.is_quiet


async def test_hostile_query(screen: Screen) -> None:
    """A query written by a model is one short visible line in its step."""
    query = "\u202e" + "长" * 500 + "\n{x}"
    await drawn(started(query, "a"), found(query, "a", ONE))

    name = screen.steps[0]["name"]
    assert len(name) < 120
    assert "\u202e" not in name
    assert "\n" not in name


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


async def test_model_fails_between_searches(screen: Screen) -> None:
    """A failed model ends the searches; the problem is above the list."""
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
    monkeypatch.setattr(streaming, "AWAY_SECONDS", 0)
    monkeypatch.setattr(streaming.sio.manager, "is_connected", lambda *_: is_there)
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


WRONG = "塔高 64 米[1]。"
TOWER = Source(1, "塔", "https://s1.example/", "塔高 62 米。")
SEARCHED = (started("塔", "a"), found("塔", "a", TOWER))


async def drawn_with_evidence(
    mode: EvidenceMode, *events: Event, hang: bool = False
) -> None:
    finder = AnswerEvidence(SourceTexts(), "zh-CN", mode)
    await draw(
        scripted(*SEARCHED, *events, hang=hang),
        *("zh-CN", Settings.load(), finder, "塔多高？"),
    )


async def test_evidence(screen: Screen) -> None:
    """The note stands between answer and sources; the page is sent the sentences."""
    await drawn_with_evidence("values", Token(WRONG), Answer(WRONG))

    answer = screen.messages[-1]
    note = "\n\n> **有 1 个数值在所引来源里没有找到**"
    assert answer.index("。") < answer.index(note) < answer.index("#### ")
    (sent,) = screen.asked
    assert sent["id"] == screen.all[-1]["id"]
    assert sent["citations"][0]["quote"] == "塔高 62 米。"


@pytest.mark.parametrize(
    ("mode", "messages"), [("values", 1), ("sentence", 1), ("off", 0)]
)
async def test_no_note(screen: Screen, mode: EvidenceMode, messages: int) -> None:
    """The answer is the same if nothing is missing, or nothing is looked for."""
    words = "塔高 62 米[1]。" if mode == "values" else WRONG
    await drawn_with_evidence(mode, Token(words), Answer(words))
    with_evidence = screen.messages[-1]
    await drawn(*SEARCHED, Token(words), Answer(words))

    assert with_evidence == screen.messages[-1]
    assert len(screen.asked) == messages


@pytest.mark.spec("P7")
async def test_evidence_delays_no_word(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts are indexed in a thread while the answer is written, which goes on."""
    begun, released = threading.Event(), threading.Event()
    threads: list[int] = []

    def index(words: str) -> Any:
        threads.append(threading.get_ident())
        begun.set()
        released.wait(30)
        return real(words)

    real = evidence.index
    monkeypatch.setattr(evidence, "index", index)

    async def answer() -> AsyncIterator[Event]:
        yield Token(WRONG)
        await asyncio.to_thread(begun.wait, 30)  # before the answer is complete
        for word in "它在河边。":
            yield Token(word)
        await asyncio.sleep(0.2)
        assert screen.messages[-1].endswith("它在河边。")
        assert not released.is_set()
        released.set()
        yield Answer("")

    events = joined(scripted(*SEARCHED), answer())
    texts = AnswerEvidence(SourceTexts(), "zh-CN", "values")
    await draw(events, "zh-CN", Settings.load(), texts)

    assert threading.get_ident() not in threads
    assert "没有找到" in screen.messages[-1]


async def joined(*parts: AsyncIterator[Event]) -> AsyncIterator[Event]:
    for part in parts:
        async for event in part:
            yield event


async def test_evidence_of_a_failed_answer(screen: Screen) -> None:
    """The text of an answer that broke off has its evidence too."""
    await drawn_with_evidence("values", Token(WRONG), Failed(ModelProblem.CUT_OFF))

    answer = screen.messages[-1]
    assert answer.index("回答中途断开") < answer.index("没有找到")
    assert [one["number"] for one in screen.asked[-1]["citations"]] == [1]
    assert screen.is_quiet


async def test_evidence_of_an_empty_answer(screen: Screen) -> None:
    """Without an answer there is nothing to look up."""
    await drawn_with_evidence("values", Failed(ModelProblem.UNREACHABLE))

    assert screen.asked == []


async def test_evidence_of_a_stopped_answer(screen: Screen) -> None:
    """A stopped answer has the evidence of the sentences that were written."""
    words = WRONG + "它建于[1"
    answer = drawn_with_evidence("values", Token(words), hang=True)
    task = asyncio.create_task(answer)
    await asyncio.sleep(0.2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    closed = screen.messages[-1]
    assert closed.index("已停止生成") < closed.index("没有找到") < closed.index("#### ")
    assert [one["number"] for one in screen.asked[-1]["citations"]] == [1]
    assert screen.is_quiet
