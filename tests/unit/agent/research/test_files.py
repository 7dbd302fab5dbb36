"""The files of a report: strangers' text is text, and addresses are checked."""

from html.parser import HTMLParser

import pytest
from support.markdown import PARSER

from agent.events import PageOutcome, SearchFailed
from agent.research import Budget, Ended, Report, as_html, as_markdown
from agent.research.report import (
    Difference,
    Section,
    Statement,
)
from citations import Source
from websearch import Timeout

HOSTILE = (
    "<script>alert(1)</script> <img src=x onerror=alert(1)> [7] [a](http://evil.test) "
    '![b](http://evil.test/x.png) "quoted" `code` **bold** \u202eright to left'
)


class Elements(HTMLParser):
    """The elements of a page, with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def statement(text: str = HOSTILE, number: int = 1) -> Statement:
    return Statement(text, (number,), {number: text})


def report(**changes: object) -> Report:
    """A report in which every text is a stranger's."""
    sources = {
        1: Source(1, HOSTILE, "https://one.example.org/", text=HOSTILE),
        2: Source(2, HOSTILE, "javascript:alert(1)", snippet=HOSTILE),
    }
    parts: dict[str, object] = {
        "sections": [
            Section(HOSTILE, (statement(), statement(number=2))),
            Section("nothing was found of this"),
        ],
        "differences": [Difference((HOSTILE, "2"), (statement(), statement(number=2)))],
        "failed": [SearchFailed(HOSTILE, Timeout("late", provider="searxng"), 0)],
        "unread": [
            PageOutcome(
                Source(0, HOSTILE, "https://evil.test/`x`"), error=Timeout("late")
            )
        ],
        "sources": sources,
        "ended": Ended.COMPLETE,
    }
    return Report(HOSTILE, Budget(), **(parts | changes))  # type: ignore[arg-type]


@pytest.mark.spec("Q5")
def test_html_holds_nothing_that_acts() -> None:
    """No script, picture or handler, and no link but to a page and within the file."""
    page = Elements()
    page.feed(as_html(report()))

    tags = {tag for tag, _ in page.found}
    assert tags.isdisjoint(
        {"script", "img", "iframe", "object", "form", "link", "base"}
    )
    names = {name for _, found in page.found for name in found}
    assert not [name for name in names if name.startswith("on") or name == "src"]
    links = {str(found["href"]) for tag, found in page.found if tag == "a"}
    assert links == {"#s1", "#s2", "https://one.example.org/"}


def test_html_says_how_it_was_made() -> None:
    """Text that turns the reading direction is gone, and other text is kept."""
    page = as_html(report())

    assert "\u202e" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "Spent: 0/12 searches" in page


def test_markdown_links_nothing_but_sources() -> None:
    """Markers and links of pages stay text; only numbers of the report are links."""
    words = as_markdown(report())

    links = {
        str(part.attrs["href"])
        for block in PARSER.parse(words)
        for part in block.children or ()
        if part.type in {"link_open", "image"}
    }
    assert links == {"https://one.example.org/"}
    assert "javascript:" not in words


@pytest.mark.spec("Q3")
def test_reasons() -> None:
    """Sub-questions, searches and pages without a result stand there with reasons."""
    for words in (as_markdown(report()), as_html(report())):
        assert "What was not found" in words
        assert "nothing was found of this" in words
        assert words.count("took too long") == 2


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("ended", [None, *Ended])
def test_never_empty(language: str, ended: Ended | None) -> None:
    """A report without anything says so, at each moment and for each end."""
    question = "塔有多高？" if language == "zh" else "How high is it?"
    empty = Report(question, Budget(), ended=ended)

    for words in (as_markdown(empty), as_html(empty)):
        assert len(words) > len(question) + 20
