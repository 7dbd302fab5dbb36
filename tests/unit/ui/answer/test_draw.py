"""The events of an answer, drawn: what stands on the page, in which order."""

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest
from support.browser.screen import (
    ONE,
    THREE,
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
from ui.answer import evidence
from ui.answer.again import Asking
from ui.answer.draw import AnswerPage, draw
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


LIMIT = Notice(NoticeKind.SEARCH_LIMIT, 5)
SEARCHED_ONE = (started("q", "a"), found("q", "a", ONE))
FOUND_ONE = "“q” 找到 1 条 · SearXNG · 0.8 s"


@pytest.mark.parametrize(
    ("events", "lines"),
    [
        pytest.param(
            ROUNDS,
            [
                "我先搜索一下\\[1\\]。",
                "“北京 天气” 找到 1 条 · SearXNG · 0.8 s",
                "“上海 天气” 找到 1 条 · SearXNG · 0.8 s",
                '晴[[1]](https://s1.example/ "[1] Title 1 — s1.example")。',
            ],
            id="searches in the order of their beginning",
            marks=pytest.mark.spec("E10"),
        ),
        pytest.param(
            (Token("\n"), Aside("\n"), started("q", "a"), found("q", "a")),
            ["“q” 没有找到相关结果 · SearXNG · 0.8 s"],
            id="an aside without words leaves no message",
        ),
        pytest.param(
            (
                *SEARCHED_ONE,
                LIMIT,
                LIMIT,
                Token("再想。"),
                Aside("再想。"),
                Token("好"),
            ),
            [FOUND_ONE, "再想。", "> **搜索次数已用完** 本次回答已搜索 5 次"],
            id="a notice stands above the answer, once",
        ),
        pytest.param(
            (Thought("一"), *SEARCHED_ONE, Thought("二"), Token("好")),
            ["思考过程", FOUND_ONE, "思考过程", "好"],
            id="thoughts before a search and after it are two steps",
        ),
    ],
)
async def test_order(screen: Screen, events: list[Event], lines: list[str]) -> None:
    """Steps, asides and the answer stand as they happened; nothing goes on blinking."""
    await drawn(*events)

    assert [a[: len(b)] for a, b in zip(screen.lines, lines, strict=True)] == lines
    assert str(screen.messages).count("搜索次数已用完") == (LIMIT in events)
    thoughts = [step["output"] for step in screen.steps if "思考" in step["name"]]
    assert thoughts == [one.text for one in events if isinstance(one, Thought)]
    assert screen.is_quiet


BLOCKED = WebBlocked("x", detail_code="captcha_required")
FAILED = (
    *(started(f"q{n}", str(n)) for n in range(4)),
    *(failed(f"q{n}", str(n)) for n in range(3)),
    failed("q3", "3", BLOCKED),
)


@pytest.mark.parametrize(
    ("events", "parts", "absent"),
    [
        pytest.param(
            ROUNDS,
            [
                *("晴[[1]](", "#### 搜索来源", "##### 第 1 轮 · “北京 天气”\n"),
                *("https://s1.example/", "*已引用*"),
                *("##### 第 2 轮 · “上海 天气”\n", "https://s2.example/"),
            ],
            "参考文献",
            id="one list has every source under the query of its search",
            marks=pytest.mark.spec("E8"),
        ),
        pytest.param(
            (*FAILED, Token("凭记忆。")),
            ["本次回答未使用搜索结果", "凭记忆。"],
            "####",
            id="failed searches are reported once",
        ),
        pytest.param(
            (Recalled({1: ONE}), started("q"), failed("q"), Token("晴[1]")),
            ["只使用了此前搜索的结果", "晴[[1]]("],
            "未使用搜索结果",
            id="a failed search beside earlier sources",
        ),
        pytest.param(
            (*SEARCHED_ONE, Failed(ModelProblem.UNREACHABLE)),
            ["连不上模型服务", "#### 搜索来源"],
            "已引用",
            id="a model that fails between searches",
        ),
        pytest.param(
            (
                *(Recalled({1: ONE, 3: THREE}), Token("[101] x | https://x.example")),
                *(Aside(""), Recalled({}), Notice(NoticeKind.NO_CALL)),
                *(started("q"), found("q", "", TWO), Token("好[2][3]")),
            ),
            ["> **已代为搜索**", "[[2]](https://s2.example/", "\\[3\\]"],
            "x.example",
            id="text is taken back, and numbers of earlier answers mean nothing",
        ),
    ],
)
async def test_answer(
    screen: Screen, events: list[Event], parts: list[str], absent: str
) -> None:
    """The last message has these parts in this order, and each failure once."""
    await drawn(*events)

    answer, at = screen.messages[-1], 0
    for part in parts:
        at = answer.index(part, at) + len(part)
    assert answer.count(parts[0]) == 1
    assert "*已引用*" not in answer[at:]
    assert absent not in answer
    assert screen.is_quiet


async def test_failed_steps(screen: Screen) -> None:
    """Each cause opens the first of its steps, and each step has the next step."""
    await drawn(*FAILED)

    assert [step["autoCollapse"] for step in screen.steps] == [False, True, True, False]
    assert all("下一步" in step["output"] for step in screen.steps)


async def test_aside_has_no_links(screen: Screen) -> None:
    """An aside has neither links nor lists."""
    words = "见[1]，![x](http://evil.example/p)。"
    await drawn(Recalled({1: ONE}), Token(words), Aside(words), Token("好"))

    assert "](" not in screen.messages[0]
    assert "####" not in screen.messages[0]


@pytest.mark.parametrize("kind", [NoticeKind.NO_SEARCH, NoticeKind.NO_CITATION])
@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
async def test_answer_without_sources(
    screen: Screen, kind: NoticeKind, language: str
) -> None:
    """It says so above the text, links no address, and offers to search first."""
    words = "In 1904, see https://made-up.example/x [9]."
    events = (Token(words), Notice(kind), Notice(kind), Answer(words))
    asking = Asking("How old?")
    page = AnswerPage(language, Settings.load(), asking=asking)
    await draw(scripted(*events), page)

    (message,) = screen.all
    head, text = message["output"].split("\n\n")
    assert head.startswith("> **")
    assert head.count("**") == 2
    assert text == "In 1904, see `https://made-up.example/x` \\[9\\]."
    button, again = screen.buttons
    sent = {"question": "How old?", "how": "as_chat", "model": ""}
    assert (button["payload"], again["payload"]["how"]) == (sent, "again")
    assert button["label"] in head


async def test_hostile_query(screen: Screen) -> None:
    """A query written by a model is one short visible line in its step."""
    query = "\u202e" + "长" * 500 + "\n{x}"
    await drawn(started(query, "a"), found(query, "a", ONE))

    name = screen.steps[0]["name"]
    assert len(name) < 120
    assert not {"\u202e", "\n"} & {*name}


@pytest.mark.spec("M6")
async def test_stop_between_parallel_searches(screen: Screen) -> None:
    """Stopped, every open search ends as stopped; what was found stays."""
    begun = (started(query, call) for query, call in zip("甲乙丙", "abc", strict=True))
    await stopped(*begun, found("乙", "b", ONE))

    assert [step["name"] for step in screen.steps] == [
        "“甲” 搜索已停止",
        "“乙” 找到 1 条 · SearXNG · 0.8 s",
        "“丙” 搜索已停止",
    ]
    assert screen.messages[-1].startswith("*已停止生成。*")
    assert "https://s1.example/" in screen.messages[-1]
    assert screen.is_quiet


async def test_unforeseen(screen: Screen) -> None:
    """Whatever breaks, nothing goes on blinking."""

    async def broken() -> AsyncIterator[Event]:
        yield started("甲", "a")
        yield Token("一半")
        raise ValueError("canary")

    with pytest.raises(ValueError, match="canary"):
        await draw(broken(), AnswerPage("zh-CN", Settings.load()))

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
    page = AnswerPage("zh-CN", Settings.load(), finder, Asking("塔多高？"))
    await draw(scripted(*SEARCHED, *events, hang=hang), page)


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
    await draw(events, AnswerPage("zh-CN", Settings.load(), texts))

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


async def test_stop_at_the_very_end(screen: Screen) -> None:
    """A stop while the evidence is looked for leaves the whole answer and its list."""
    texts, looking, going_on = SourceTexts(), threading.Event(), threading.Event()
    find = AnswerEvidence(texts, "zh-CN").find

    async def slow(*asked: Any) -> Any:
        looking.set()
        await asyncio.to_thread(going_on.wait)
        return await find(*asked)

    evidence = AnswerEvidence(texts, "zh-CN")
    evidence.find = slow  # type: ignore[method-assign]
    events = scripted(*SEARCHED_ONE, Token(WRONG), Answer(WRONG))
    task = asyncio.create_task(
        draw(events, AnswerPage("zh-CN", Settings.load(), evidence))
    )
    await asyncio.to_thread(looking.wait)
    task.cancel()
    await asyncio.sleep(0)
    going_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert "#### 搜索来源" in screen.messages[-1]
    assert "已停止生成" not in screen.messages[-1]
    assert screen.is_quiet
