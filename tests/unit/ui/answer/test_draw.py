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
    Completion,
    Event,
    Failed,
    Notice,
    NoticeKind,
    Recalled,
    SearchStarted,
    Thought,
    Token,
)
from citations import Source
from ui.answer import evidence
from ui.answer.again import Asking
from ui.answer.draw import AnswerPage, draw
from ui.answer.evidence import AnswerEvidence, SourceTexts
from ui.server.settings import EvidenceMode
from ui.texts import text
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
FOUND_ONE = "1 次搜索 · 1 条结果 · 0.8 s"


@pytest.mark.parametrize(
    ("events", "lines"),
    [
        pytest.param(
            ROUNDS,
            [
                "2 次搜索 · 2 条结果 · 0.8 s",
                '晴[[1]](https://s1.example/ "[1] Title 1 — s1.example")。',
            ],
            id="one line for the searches",
            marks=pytest.mark.spec("E10"),
        ),
        pytest.param(
            (Token("\n"), Aside("\n"), started("q", "a"), found("q", "a")),
            ["1 次搜索 · 没有找到结果 · 0.8 s"],
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
            [FOUND_ONE, "> **搜索次数已用完** 本次回答已搜索 5 次"],
            id="a notice stands above the answer, once",
        ),
        pytest.param(
            (Thought("一"), *SEARCHED_ONE, Thought("二"), Token("好")),
            ["思考过程", FOUND_ONE, "好"],
            id="thoughts before a search and after it are one step",
        ),
    ],
)
async def test_order(screen: Screen, events: list[Event], lines: list[str]) -> None:
    """One line for the work and one for thoughts stand above the answer; nothing goes
    on blinking."""
    await drawn(*events)

    assert [a[: len(b)] for a, b in zip(screen.lines, lines, strict=True)] == lines
    assert str(screen.messages).count("搜索次数已用完") == (LIMIT in events)
    thoughts = [step["output"] for step in screen.steps if "思考" in step["name"]]
    written = [one.text for one in events if isinstance(one, Thought)]
    assert thoughts == (["\n\n".join(written)] if written else [])
    assert screen.is_quiet


BLOCKED = WebBlocked("x", detail_code="captcha_required")
ADDED = Completion("肺癌的症状？", "它的症状？", ((0, 2),))
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
                *("晴[[1]](", "#### 搜索来源", "##### 第 1 次搜索 · “北京 天气”\n"),
                *("https://s1.example/", "*已引用*"),
                *("##### 第 2 次搜索 · “上海 天气”\n", "https://s2.example/"),
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


@pytest.mark.spec("E10", "X3")
async def test_the_line_counts_up(screen: Screen) -> None:
    """The line names what runs and counts what was done; opened, it has each search
    with its query and state, a page once, and the words in between."""
    seen = list[str]()

    async def watched() -> AsyncIterator[Event]:
        for event in (
            *ROUNDS[2:5],
            found("北京 天气", "a", ONE),
            *(Token("再看[1]。"), Aside("再看[1]。"), started("都有", "c")),
            *(found("都有", "c", TWO, ONE, THREE, cached=True), Token("好")),
            Answer("好"),
        ):
            yield event
            seen.append(screen.steps[0]["name"])
            assert len(screen.steps) == 1

    await draw(watched(), AnswerPage("zh-CN", Settings.load()))

    names = list(dict.fromkeys(seen))
    assert names == [
        "搜索中 “北京 天气” …",
        "搜索中 “北京 天气” “上海 天气” …",
        "1 次搜索 · 1 条结果 · 搜索中 “北京 天气” …",
        "2 次搜索 · 2 条结果",
        "2 次搜索 · 2 条结果 · 0.8 s",
        "2 次搜索 · 2 条结果 · 搜索中 “都有” …",
        "3 次搜索 · 1 次来自缓存 · 3 条结果",
        "3 次搜索 · 1 次来自缓存 · 3 条结果 · 0.8 s",
    ]
    body = screen.steps[0]["output"].split("\n\n")
    assert [part.split("](")[0] for part in body] == [
        "**“北京 天气”** 1 条结果 · SearXNG · 0.8 s",
        "- **[1]** [Title 1",
        "**“上海 天气”** 1 条结果 · SearXNG · 0.8 s",
        "- **[2]** [Title 2",
        "> 再看\\[1\\]。",
        "**“都有”** 3 条结果 · SearXNG · 缓存",
        "- **[3]** [Title 3",
        "再次找到 **[2]** **[1]**",
    ]


async def test_an_aside_stays_until_other_words_come(screen: Screen) -> None:
    """Below the line nothing moves when words turn out to be none of the answer."""
    kept = list[str]()

    async def watched() -> AsyncIterator[Event]:
        for event in (*SEARCHED_ONE, Token("再想[1]。"), Aside("再想[1]。")):
            yield event
        kept.extend(screen.messages)
        for event in (started("r", "b"), found("r", "b", TWO)):
            yield event
        kept.extend(screen.messages)
        yield Token("晴")
        yield Answer("晴")

    await draw(watched(), AnswerPage("zh-CN", Settings.load()))

    assert [words[:2] for words in kept] == ["再想", "再想"]
    assert screen.messages[0].startswith("晴\n\n#### ")


@pytest.mark.parametrize(
    ("events", "line"),
    [
        ((started("q"), found("q", "", ONE)), "1 条结果 · 0.8 s"),
        ((started("q"), found("q", "")), "没有找到结果 · 0.8 s"),
        ((started("q"), found("q", "", ONE, cached=True)), "1 条结果 · 缓存 · 0.8 s"),
        ((started("q"), failed("q")), "搜索失败 · 5.0 s"),
        (FAILED, "4 次搜索 · 4 次失败 · 5.0 s"),
        (
            (SearchStarted("q", completion=ADDED), found("q", "", ONE)),
            "实际搜索：「肺癌」的症状？ · 1 条结果 · 0.8 s",
        ),
    ],
    ids=["found", "nothing", "cached", "failed", "all failed", "completed"],
)
async def test_a_quiet_line(screen: Screen, events: list[Event], line: str) -> None:
    """The question is not repeated, a completed one stands once, and a failure, which
    the notice explains, makes no noise."""
    await drawn(*events, Token("好"))

    (step,) = screen.steps
    assert (step["name"], step["isError"], step["defaultOpen"]) == (line, False, False)
    assert "实际搜索" not in "".join(screen.messages)


async def test_failed_steps(screen: Screen) -> None:
    """The line opens to the cause and the next step of each kind of failure, once."""
    await drawn(*FAILED)

    assert screen.steps[0]["output"].count("搜索失败 · ") == 4
    assert screen.steps[0]["output"].count("下一步") == 2


async def test_aside_has_no_links(screen: Screen) -> None:
    """An aside has neither links nor lists."""
    words = "见[1]，![x](http://evil.example/p)。"
    await drawn(Recalled({1: ONE}), Token(words), Aside(words), *SEARCHED_ONE)

    aside = screen.steps[0]["output"].split("\n\n")[0]
    assert aside.startswith("> 见")
    assert "](" not in aside
    assert "![" not in aside


@pytest.mark.parametrize("kind", [NoticeKind.NO_SEARCH, NoticeKind.NO_CITATION])
@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
async def test_answer_without_sources(
    screen: Screen, kind: NoticeKind, language: str
) -> None:
    """It says so, links no address, and offers to search first; a search without
    citations is told above the text, and none at all in a quiet line below it."""
    words = "In 1904, see https://made-up.example/x [9]."
    events = (Token(words), Notice(kind), Notice(kind), Answer(words))
    asking = Asking("How old?")
    page = AnswerPage(language, Settings.load(), asking=asking)
    await draw(scripted(*events), page)

    (message,) = screen.all
    shown = "In 1904, see `https://made-up.example/x` \\[9\\]."
    if kind is NoticeKind.NO_SEARCH:
        line = text("notice_no_search", language)
        assert message["output"] == f"{shown}\n\n{line}"
    else:
        head, words = message["output"].split("\n\n")
        assert head.startswith("> **")
        assert words == shown
    button, again = screen.buttons
    sent = {"question": "How old?", "how": "as_chat", "model": ""}
    assert (button["payload"], again["payload"]["how"]) == (sent, "again")
    assert button["label"] == text("as_chat", language)


async def test_hostile_query(screen: Screen) -> None:
    """A query written by a model is one short visible line in its step."""
    query = "\u202e" + "长" * 500 + "\n{x}"
    await drawn(started(query, "a"), found(query, "a", ONE))

    (step,) = screen.steps
    query = step["output"].split("\n\n")[0]
    assert len(query) < 120
    assert not {"\u202e", "\n"} & {*query, *step["name"]}


@pytest.mark.spec("M6")
async def test_stop_between_parallel_searches(screen: Screen) -> None:
    """Stopped, every open search ends as stopped; what was found stays."""
    begun = (started(query, call) for query, call in zip("甲乙丙", "abc", strict=True))
    await stopped(*begun, found("乙", "b", ONE))

    (step,) = screen.steps
    states = [line for line in step["output"].split("\n\n") if line.startswith("**")]
    assert states == [
        "**“甲”** 搜索已停止",
        "**“乙”** 1 条结果 · SearXNG · 0.8 s",
        "**“丙”** 搜索已停止",
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


async def test_stop_button_of_a_page_that_is_opened(screen: Screen) -> None:
    """A late end of the opening of the page leaves an answer its stop button."""
    await drawn(Token("晴"), Token("，有风。"), Answer("晴，有风。"))

    assert screen.names.count("task_start") == 1
