"""The Markdown of an answer, as it is sent to the page."""

import pytest

from agent.events import SearchFinished
from citations import Source
from ui.markup import Markup
from websearch.errors import AuthError, BadGateway, EngineFailure, Timeout
from websearch.settings import Settings

SOURCES = [
    Source(n, f"Title {n}", f"https://s{n}.example/", f"Snippet {n}")
    for n in range(1, 4)
]


def markup(*pieces: str, sources: list[Source] | None = None) -> Markup:
    made = Markup("zh-CN", Settings.load())
    made.take_sources(SOURCES if sources is None else sources)
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


def test_streamed_is_final() -> None:
    """What was streamed is the beginning of what is sent at the end."""
    made = Markup("zh-CN", Settings.load())
    made.take_sources(SOURCES)
    streamed = "".join(made.feed(c) for c in "答案[1][3] 与 `x[1]`，re:Invent。\n\n完")

    assert made.whole("", is_notice=True).startswith(streamed.rstrip())


@pytest.mark.spec("B4", "B5", "B6")
@pytest.mark.parametrize(
    ("error", "words"),
    [
        (Timeout("x"), "秒内没有回应"),
        (AuthError("x", detail_code="json_disabled"), "未启用 JSON"),
        (BadGateway("x", detail_code="http_502"), "SearXNG 没有"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.code,
)
def test_trouble(error: Exception, words: str) -> None:
    """A failed search has title, cause, steps and a page to read on."""
    trouble = markup().trouble(error)  # type: ignore[arg-type]

    assert words in trouble.title
    assert "本次回答未使用搜索结果" in trouble.notice
    assert "](/help/troubleshooting.zh-CN#" in trouble.notice
    assert "1. " in trouble.details


def test_strangers_words_are_no_markup() -> None:
    """What a server says of itself is shown, not obeyed."""
    engines = [EngineFailure("![x](http://evil.example/p.png)", "[a](b)")]
    error = BadGateway("x", detail_code="engines_failed", engines=engines)
    finished = SearchFinished("q", SOURCES, "searxng", 5, problems=[error])

    for text in (markup().trouble(error).details, markup().found(finished)):
        assert "![x](" not in text
        assert "[a](b)" not in text
