"""The Markdown of an answer, as it is sent to the page."""

import pytest

from agent.events import Notice, NoticeKind, SearchFinished
from citations import Source
from ui.answer.markup import Markup
from ui.answer.search_errors import explain_error
from ui.answer.sources import AnswerSources
from websearch.config.settings import Settings
from websearch.errors import Timeout

SOURCES = [
    Source(n, f"Title {n}", f"https://s{n}.example/", f"Snippet {n}")
    for n in range(1, 4)
]


def markup(*pieces: str, sources: list[Source] | None = None) -> Markup:
    findings = AnswerSources("zh-CN")
    found = SOURCES if sources is None else sources
    findings.add(SearchFinished("q", found, "searxng", 5))
    made = Markup("zh-CN", findings)
    for piece in pieces:
        made.feed(piece)
    return made


@pytest.mark.spec("D4", "C7")
def test_lists() -> None:
    """Cited sources stand under 参考文献, the others below them."""
    whole = markup("一[2]，二[", "2]。").whole("", is_notice=True)

    head, references, others = whole.split("#### ")
    assert head.count("](https://s2.example/") == 2
    assert references.startswith("参考文献")
    assert "https://s2.example/" in references
    assert "Snippet 2" in references
    assert "https://s1.example/" not in references
    assert others.startswith("其他搜索来源")
    assert "https://s1.example/" in others
    assert "https://s3.example/" in others


@pytest.mark.spec("D4", "C7")
def test_nothing_cited() -> None:
    """No citation, no references; what was found is shown all the same."""
    whole = markup("一。").whole("", is_notice=True)

    assert "参考文献" not in whole
    assert whole.count("https://s") == 3


@pytest.mark.spec("C7", "D2")
def test_no_sources() -> None:
    """Without a search nothing is added, and no marker becomes a link."""
    whole = markup("一[1]。", sources=[]).whole("", is_notice=True)

    assert "](" not in whole
    assert "####" not in whole


@pytest.mark.parametrize("notice", [None, Notice(NoticeKind.SEARCH_LIMIT, 5)])
def test_streamed_is_final(notice: Notice | None) -> None:
    """The streamed text is the beginning of the final text."""
    made = markup()
    if notice:
        made.notice(notice)
    streamed = "".join(made.feed(c) for c in "答案[1][3] 与 `x[1]`，re:Invent。\n\n完")

    assert made.whole("", is_notice=True).startswith(streamed.rstrip())


def test_failure_at_the_head() -> None:
    """A failed search is told above the answer, where none found anything."""
    trouble = explain_error(Timeout("x"), Settings.load(), "zh-CN")
    failed, fine = markup(sources=[]), markup()
    for made in (failed, fine):
        made.fail(trouble)
        made.feed("好")

    assert failed.whole("", is_notice=True).startswith("> **")
    assert "本次回答未使用搜索结果" in failed.whole("", is_notice=True)
    assert fine.whole("", is_notice=True).startswith("好")


@pytest.mark.spec("E7")
def test_aside() -> None:
    """An aside is made harmless, and the answer after it is linked by itself."""
    made = markup("先搜[1]![x](http://evil.example/)")

    aside = made.aside("先搜[1]![x](http://evil.example/)")
    made.feed("晴[2]")
    whole = made.whole("", is_notice=True)

    assert aside == "先搜\\[1\\]\\[图片已屏蔽\\] x"
    assert "先搜" not in whole
    assert whole.startswith("晴[[2]](https://s2.example/")
    assert whole.partition("参考文献")[2].index("s2") < whole.index("其他搜索来源")


def test_definitions_redirect_nothing() -> None:
    """A list or a definition that the answer brings along changes no number."""
    text = "晴[1]。\n\n#### 参考文献\n\n[1]: http://evil.example/\n- [1] http://evil.example/"
    whole = markup(text).whole("", is_notice=True)

    assert "\n[1]:" not in whole
    assert "](http://evil.example" not in whole
    assert whole.startswith("晴[[1]](https://s1.example/")
