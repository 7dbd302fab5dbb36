"""The step of pages that are read, and the marks of their sources."""

from collections.abc import Sequence
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

from agent.events import Answer, Event, Recalled, Token
from citations import Source
from websearch.causes import Cause
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
    pages = (page_of(ONE), unread(TWO, REFUSED), unread(THREE, SLOW))
    await drawn(*answered(reading(ONE, TWO, THREE), read(*pages)))

    step = screen.steps[1]
    assert step["name"] == "读了 1 页，2 页没读到 · 1.2 s"
    assert not step["isError"]
    assert step["autoCollapse"]
    lines = step["output"].splitlines()
    assert [line.rpartition("` ")[2] for line in lines] == [
        "*全文 · 550 字 · 2026-11-02 · 0.8 s*",
        "*拒绝了请求（403） · 0.3 s*",
        "*超时 · 0.3 s*",
    ]
    assert lines[1].startswith("- **[2]** [Title 2](https://s2.example/")


async def test_facts_of_pages(screen: Screen) -> None:
    """A line tells that a page was cut, came from the cache, or may be asked later."""
    cut, cached = page_of(ONE, truncated=True), page_of(TWO, cached=True)
    busy = WebBlocked("x", detail_code="http_429", retry_after=60.0)
    await drawn(
        *answered(reading(ONE, TWO, THREE), read(cut, cached, unread(THREE, busy)))
    )

    lines = screen.steps[1]["output"].splitlines()
    assert [line.rpartition("` ")[2] for line in lines] == [
        "*全文 · 550 字 · 2026-11-02 · 已截断 · 0.8 s*",
        "*全文 · 550 字 · 2026-11-02 · 缓存*",
        "*请求过多（429） · 60 秒后可再试 · 0.3 s*",
    ]


async def test_a_single_page_is_named(screen: Screen) -> None:
    """A step of one page names it, with what came of it."""
    await drawn(
        *answered(
            reading(ONE, call="a"),
            reading(TWO, call="b"),
            read(unread(TWO, SLOW), call="b"),
            read(page_of(ONE), call="a"),
        )
    )

    assert [step["name"] for step in screen.steps[1:]] == [
        "读了 s1.example · 全文 · 550 字 · 2026-11-02 · 0.8 s",
        "没读到 s2.example · 超时 · 0.3 s",
    ]
    assert [step["isError"] for step in screen.steps[1:]] == [False, True]


@pytest.mark.spec("O1")
async def test_each_source_tells_its_kind_of_text(screen: Screen) -> None:
    """Each card says whether the full text or the snippet of a source is known."""
    pages = (page_of(ONE), unread(TWO, SLOW))
    await drawn(*answered(reading(ONE, TWO), read(*pages)))

    answer = screen.messages[-1]
    assert "`s1.example · 全文`" in answer
    assert "`s2.example · 摘要`" in answer
    assert "`s3.example · 摘要`" in answer


async def test_without_reading_nothing_is_marked(screen: Screen) -> None:
    """Cards bear no mark if no page was to be read."""
    await drawn(*answered())

    assert "摘要" not in screen.messages[-1]
    assert "`s1.example`" in screen.messages[-1]


@pytest.mark.spec("O2")
async def test_an_address_of_the_user_is_a_source(screen: Screen) -> None:
    """A page that the user named is listed and linked like one that was found."""
    given = page_of(GIVEN)
    await drawn(
        *answered(reading(ONE, GIVEN), read(page_of(ONE), given), words="见[4]")
    )

    answer = screen.messages[-1]
    assert "](https://given.example/a" in answer.partition("####")[0]
    references = answer.partition("#### 参考文献")[2].partition("####")[0]
    assert "`given.example · 全文`" in references
    assert "> Long text." in references


async def test_an_address_of_the_user_among_rounds(screen: Screen) -> None:
    """In Agent mode a page that the user named has a heading of its own, once."""
    rounds = (started("q", "a"), found("q", "a", ONE), reading(GIVEN, call="b"))
    await drawn(
        *rounds, read(page_of(GIVEN), call="b"), Token("见[4]"), Answer("见[4]")
    )

    headings = [line for line in screen.messages[-1].splitlines() if "###" in line]
    assert headings == ["#### 您写的网址", "#### 搜索来源", "##### 第 1 轮 · “q”"]


async def test_an_unread_address_of_the_user_stays_in_sight(screen: Screen) -> None:
    """The step stays open if a page that the user named was not read."""
    pages = (page_of(ONE), unread(GIVEN, REFUSED))
    await drawn(*answered(reading(ONE, GIVEN), read(*pages)))

    assert not screen.steps[1]["autoCollapse"]
    assert "拒绝了请求" in screen.steps[1]["output"]
    assert "`given.example · 没读到`" in screen.messages[-1]


async def test_recalled_pages_are_full_text(screen: Screen) -> None:
    """A source of an earlier answer whose page was read then is marked so."""
    earlier = page_of(TWO).source
    await drawn(Recalled({2: earlier}), Token("高[2]。"), Answer("高[2]。"))

    assert "`s2.example · 全文`" in screen.messages[-1]


@pytest.mark.spec("M6")
async def test_stop_while_reading(screen: Screen) -> None:
    """A stop closes the step and says so."""
    await stopped(*SEARCH, reading(ONE, TWO))

    assert screen.steps[1]["name"] == "阅读已停止"
    assert screen.is_quiet


async def test_in_english(screen: Screen) -> None:
    """The step speaks English to readers of English."""
    scan = WebParseError("x", detail_code="scanned_pdf")
    pages = (page_of(ONE), unread(TWO, scan))
    await drawn(*answered(reading(ONE, TWO), read(*pages)), language="en-US")

    assert screen.steps[1]["name"] == "Pages read: 1, not read: 1 · 1.2 s"
    assert "a scan without text" in screen.steps[1]["output"]
    assert "`s1.example · Full text`" in screen.messages[-1]


@pytest.mark.spec("O6")
@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
def test_every_documented_cause_has_words(language: str) -> None:
    """Each detail code that docs/reading.md lists has a sentence of its own."""
    lines = Path(ROOT, "docs/reading.md").read_text("utf-8").splitlines()
    codes = [line.split("`")[1] for line in lines if line.startswith("| `")]

    assert len(codes) > 20
    assert all("short" in Cause.words(language)[code] for code in codes)
