"""The step of pages that are read, and the marks of their sources."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.browser.screen import (
    ONE,
    THREE,
    TWO,
    Screen,
    drawn,
    found,
    page_of,
    read,
    reading,
    started,
    stopped,
    unread,
)
from support.paths import ROOT

from agent.events import Answer, Event, PageEnded, PromptCut, Recalled, Token
from citations import Source
from ui.answer.draw import AnswerPage, draw
from websearch.causes import Cause
from websearch.config.settings import Settings
from websearch.errors import Timeout, WebBlocked, WebParseError

SEARCH = (started("塔多高"), found("塔多高", "", ONE, TWO, THREE))
SLOW = Timeout("x", detail_code="page_slow")
REFUSED = WebBlocked("x", detail_code="http_403")
GIVEN = Source(4, "", "https://given.example/a")


def answered(*events: Event, words: str = "高[1]。") -> Sequence[Event]:
    return (*SEARCH, *events, Token(words), Answer(words))


@pytest.mark.spec("O6")
async def test_each_page_has_a_line(screen: Screen) -> None:
    """The step counts the pages; inside, each page has its facts or its cause."""
    busy = WebBlocked("x", detail_code="http_429", retry_after=60.0)
    four, five, six = (
        Source(n, "", f"https://s{n}.example/", "Snippet") for n in (4, 5, 6)
    )
    pages = (
        page_of(ONE),
        page_of(TWO, truncated=True),
        page_of(THREE, cached=True),
        *(unread(four, REFUSED), unread(five, SLOW), unread(six, busy)),
    )
    sources = (ONE, TWO, THREE, four, five, six)
    search = (started("塔多高"), found("塔多高", "", *sources))
    await drawn(*search, reading(*sources), read(*pages), Token("高[1]。"))

    (step,) = screen.steps
    assert step["name"] == "6 条结果 · 读了 3 页，3 页打不开 · 1.2 s"
    lines = [line for line in step["output"].splitlines() if line.startswith("- ")]
    assert [line.rpartition("` ")[2] for line in lines] == [
        "*全文 · 550 字 · 2026-11-02 · 0.8 s*",
        "*全文 · 550 字 · 2026-11-02 · 已截断 · 0.8 s*",
        "*全文 · 550 字 · 2026-11-02 · 缓存*",
        "*拒绝了请求（403） · 0.3 s*",
        "*超时 · 0.3 s*",
        "*请求过多（429） · 60 秒后可再试 · 0.3 s*",
    ]
    assert lines[1].startswith("- **[2]** [Title 2](https://s2.example/")


async def test_pages_of_calls(screen: Screen) -> None:
    """Pages that the model opens one by one are counted; each has its line inside."""
    begun = reading(ONE, call="a"), reading(TWO, call="b")
    ended = read(unread(TWO, SLOW), call="b"), read(page_of(ONE), call="a")
    await drawn(*answered(*begun, *ended))

    (step,) = screen.steps
    assert step["name"] == "3 条结果 · 读了 1 页，1 页打不开 · 1.2 s"
    assert "*全文 · 550 字 · 2026-11-02 · 0.8 s*" in step["output"]
    assert "*超时 · 0.3 s*" in step["output"]


@pytest.mark.spec("X3")
async def test_letters_fill_as_pages_come(screen: Screen) -> None:
    """While pages are read, the line counts them, and the page's script is told of
    each as it ends."""
    ended = (PageEnded(page_of(TWO)), PageEnded(unread(ONE, SLOW)))
    names = list[str]()

    async def watched() -> AsyncIterator[Event]:
        for event in (*SEARCH, reading(ONE, TWO), *ended):
            yield event
            names.append(screen.steps[0]["name"])

    await draw(watched(), AnswerPage("zh-CN", Settings.load()))

    assert names == ["搜索中 …", "3 条结果", *["3 条结果 · 正在读 2 页 …"] * 3]
    states = [[page["state"] for page in told["pages"]] for told in screen.asked]
    expected = [["waiting", "waiting"], ["waiting", "read"], ["unread", "read"]]
    assert states == expected
    assert {told["id"] for told in screen.asked} == {screen.steps[0]["id"]}


@pytest.mark.spec("N2")
async def test_pages_that_a_busy_server_spares_are_told(screen: Screen) -> None:
    """Behind the pages that were read stands how many were not, and why."""
    ended = replace(read(page_of(ONE), page_of(TWO)), spared=3)
    await drawn(*answered(reading(ONE, TWO), ended))

    line = "3 条结果 · 读了 2 页 · 服务器正忙，少读了 3 页 · 1.2 s"
    assert screen.steps[0]["name"] == line


@pytest.mark.spec("Y2")
async def test_what_was_cut_is_told(screen: Screen) -> None:
    """A step tells what the model has no room for, and how to give it more; a second
    event takes the place of the first."""
    cuts = (PromptCut(4_096, 9_000, 12_000), PromptCut(2_048, 900, 12_000, 3))
    await drawn(*answered(reading(ONE), read(page_of(ONE)), *cuts))

    (step,) = screen.steps[1:]
    assert step["name"].split(" · ") == [
        "已按模型的 2,048 个 token 截短",
        "来源文字取 12,000 字中的 900 字",
        "省去以前的问题 3 个",
    ]
    assert "OLLAMA_CONTEXT_LENGTH" in step["output"]


EARLIER = page_of(TWO).source
AMONG_ROUNDS = (
    *(started("q", "a"), found("q", "a", ONE), reading(GIVEN, call="b")),
    *(read(page_of(GIVEN), call="b"), Token("见[4]")),
)


@pytest.mark.spec("O1", "O2")
@pytest.mark.parametrize(
    ("events", "parts"),
    [
        (
            answered(reading(ONE, TWO), read(page_of(ONE), unread(TWO, SLOW))),
            [
                "`s1.example · 全文 · 550 字 · 2026-11-02`",
                "`s2.example · 摘要 · 超时`",
                "`s3.example · 摘要`",
            ],
        ),
        (answered(), ["`s1.example`", "`s2.example`"]),
        (
            answered(
                *(reading(ONE, GIVEN), read(page_of(ONE), page_of(GIVEN))),
                words="见[4]",
            ),
            [
                *("](https://given.example/a", "#### 参考文献"),
                *("`given.example · 全文 · ", "> Long text.", "#### 其他"),
            ],
        ),
        (AMONG_ROUNDS, ["#### 您写的网址", "#### 搜索来源", "##### 第 1 次搜索 · “q”"]),
        ((Recalled({2: EARLIER}), Token("高[2]。")), ["`s2.example · 全文`"]),
    ],
    ids=[
        *("full text or snippet", "no mark where nothing was read", "address given"),
        *("address given among rounds", "page of an earlier answer"),
    ],
)
async def test_sources(screen: Screen, events: list[Event], parts: list[str]) -> None:
    """Each card says which text of a source is known; given addresses are listed."""
    await drawn(*events)

    answer, at = screen.messages[-1], 0
    for part in parts:
        at = answer.index(part, at) + len(part)
    assert answer.count("####") <= 3


@pytest.mark.spec("O2")
async def test_an_unread_address_of_the_user_is_named(screen: Screen) -> None:
    """The line names a page that the user wrote and that could not be opened."""
    for page in (unread(GIVEN, REFUSED), unread(TWO, REFUSED)):
        await drawn(*answered(reading(ONE, page.source), read(page_of(ONE), page)))

    assert [step["name"] for step in screen.steps] == [
        "3 条结果 · 读了 1 页 · 打不开 given.example · 1.2 s",
        "3 条结果 · 读了 1 页，1 页打不开 · 1.2 s",
    ]
    assert "拒绝了请求" in screen.steps[0]["output"]
    assert "`given.example · 打不开 · 拒绝了请求（403）`" in screen.messages[0]


@pytest.mark.spec("M6")
async def test_stop_while_reading(screen: Screen) -> None:
    """A stop ends the line with what was done."""
    await stopped(*SEARCH, reading(ONE, TWO))

    assert screen.steps[0]["name"] == "3 条结果 · 0.8 s"
    assert screen.is_quiet


async def test_in_english(screen: Screen) -> None:
    """The step speaks English to readers of English."""
    scan = WebParseError("x", detail_code="scanned_pdf")
    pages = (page_of(ONE), unread(TWO, scan))
    await drawn(*answered(reading(ONE, TWO), read(*pages)), language="en-US")

    line = "3 results · Pages read: 1, not opened: 1 · 1.2 s"
    assert screen.steps[0]["name"] == line
    assert "a scan without text" in screen.steps[0]["output"]
    assert "`s1.example · Full text · " in screen.messages[-1]


@pytest.mark.spec("O6")
@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
def test_every_documented_cause_has_words(language: str) -> None:
    """Each detail code that docs/reading.md lists has a sentence of its own."""
    lines = Path(ROOT, "docs/reading.md").read_text("utf-8").splitlines()
    codes = [line.split("`")[1] for line in lines if line.startswith("| `")]

    assert len(codes) > 20
    assert all("short" in Cause.words(language)[code] for code in codes)
