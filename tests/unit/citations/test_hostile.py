"""Texts of strangers: public collections, and sizes that hurt."""

import json
import re
from collections import Counter
from typing import Any

import ada_url
import pytest
from support.markdown import PARSER
from support.paths import SHARED

from citations import Linker, PageLinker, Source, link, page_form, source_list
from citations.markdown.blocks import Cursor
from citations.markdown.inline import Inline

CORPORA = SHARED / "corpora"
SOURCES = {n: Source(n, f"t{n}", f"https://s{n}.example/") for n in range(1, 10)}

needs_corpora = pytest.mark.skipif(
    not CORPORA.is_dir(), reason="the public collections are not in ../shared/corpora"
)

HEAVY = {
    "markers": "[1]" * 250,
    "named-markers": "[[citation:1]]" * 250,
    "open-brackets": "[" * 5_000,
    "close-brackets": "]" * 5_000,
    "nested-brackets": "[" * 1_250 + "]" * 1_250,
    "nested-links": "[" * 750 + "](x)" * 750,
    "nested-images": "![" * 250 + "](x)" * 250,
    "backticks": "`" * 2_500,
    "backtick-runs": " ".join("`" * size for size in range(1, 141)),
    "backtick-pairs": "`a`` " * 500,
    "long-number": f"[{'1' * 1_250}]",
    "long-list": "[1," * 825,
    "stars": "*" * 2_500,
    "underscores": "_" * 2_500,
    "angles": "<" * 2_500,
    "tags": '<a b="' * 400,
    "comments": "<!-- " * 500,
    "parentheses": "(" * 2_500,
    "half-links": "[a](" * 625,
    "half-titles": '[a](b "' * 350,
    "references": "[a][b" * 500,
    "definitions": "[1]: x\n" * 350,
    "dollars": "$" * 2_500,
    "formulas": "\\[x " * 625,
    "backslashes": "\\" * 2_500,
    "quotes": ">" * 2_500,
    "lists": "- " * 750 + "\n" * 750,
    "addresses": "https://a" * 250,
    "table": "|a|b|\n|-|-|\n" + "|`a|[1]|\n" * 200,
    "spaces": " " * 2_500,
    "wide": "【" * 2_500,
    "half-forms": "[[citation:" * 250,
    "half-titles-of-markers": "【1†" * 800,
    "removed": "【4:1†source】" * 250,
    "half-lists": "[source 1, " * 250,
}


MOST_WORK = 24  # characters looked at and constructs read, for each character


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the characters that reading looks at, and the constructs it reads."""
    count: Counter[str] = Counter()
    scan, put, begin = Inline._scan, Inline._put, Cursor.__init__

    def counted_scan(self: Inline, **more: bool) -> str:
        count["characters"] += len(self._clean) - self._at
        return scan(self, **more)

    def counted_put(self: Inline, *some: Any, **more: Any) -> None:
        count["constructs"] += 1
        put(self, *some, **more)

    def counted_begin(self: Cursor, text: str, at: int, **more: bool) -> None:
        begin(self, text, at, **more)
        count["characters"] += self.end - at

    monkeypatch.setattr(Inline, "_scan", counted_scan)
    monkeypatch.setattr(Inline, "_put", counted_put)
    monkeypatch.setattr(Cursor, "__init__", counted_begin)
    return count


@pytest.mark.spec("D5", "D7")
@pytest.mark.parametrize("size", [1, 1_000_000])
@pytest.mark.parametrize("text", HEAVY.values(), ids=HEAVY)
def test_work(text: str, size: int, work: Counter[str]) -> None:
    """The work grows with the text and no faster, also in the smallest chunks."""
    for form in (Linker, PageLinker):
        work.clear()
        linker = form(SOURCES)
        for at in range(0, len(text), size):
            linker.feed(text[at : at + size])
        linker.close()

        assert linker.works
        assert work.total() <= MOST_WORK * len(text)


def naughty() -> list[str]:
    found: list[str] = json.loads((CORPORA / "blns/blns.json").read_text("utf-8"))
    return found + [
        path.read_text("utf-8", "replace")
        for path in sorted((CORPORA / "vercel-bypass").glob("*.md"))
    ]


@needs_corpora
@pytest.mark.spec("D8")
def test_titles() -> None:
    """With any title a reference is one line and one link, and leads to its source."""
    for title in naughty():
        source = Source(1, title, "https://s.example/")
        tokens = PARSER.parse(source_list([source]))
        children = tokens[3].children or []
        links = [child for child in children if child.type == "link_open"]
        marker = page_form("[1]", {1: source})
        chip = PARSER.parse(marker)[1].children or []

        assert [token.type for token in tokens] == [
            "bullet_list_open",
            "list_item_open",
            "paragraph_open",
            "inline",
            "paragraph_close",
            "list_item_close",
            "bullet_list_close",
        ]
        assert [one.attrs["href"] for one in links] == ["https://s.example/"]
        assert [child.type for child in chip] == [
            "link_open",
            "text",
            "link_close",
        ]
        assert str(chip[0].attrs["title"]).startswith("[1] ")


@needs_corpora
@pytest.mark.spec("N1", "N5", "D8")
def test_answers() -> None:
    """Bypass documents as answers: nothing loads, no foreign scheme, no definition."""
    ours = {source.url for source in SOURCES.values()}
    for text in naughty():
        environment: dict[str, object] = {}
        shown = page_form(f"晴[1]。\n\n{text}", SOURCES)
        tokens = PARSER.parse(shown, environment)
        children = [child for token in tokens for child in token.children or []]

        assert not environment.get("references"), text
        assert not [child for child in children if child.type == "image"], text
        for child in children:
            if child.type == "link_open":
                href = str(child.attrs["href"])
                assert re.match("https?://|mailto:", href, re.IGNORECASE), href
                assert href in ours or not child.attrs.get("title")
        assert page_form(shown, SOURCES) == shown


@needs_corpora
@pytest.mark.spec("D5", "D7")
def test_streamed_answers() -> None:
    """Streamed in small pieces they give the same, in both forms."""
    for text in naughty():
        for made, form in ((Linker, link), (PageLinker, page_form)):
            linker = made(SOURCES)
            chunks = [text[at : at + 9] for at in range(0, len(text), 9)]
            shown = "".join([linker.feed(chunk) for chunk in chunks]) + linker.close()
            assert shown == form(text, SOURCES)


@needs_corpora
@pytest.mark.spec("D8")
def test_addresses() -> None:
    """No address that must fail becomes a link; the others keep their host."""
    data = json.loads((CORPORA / "wpt-url/urltestdata.json").read_text("utf-8"))
    cases = [case for case in data if isinstance(case, dict)]
    linked = 0
    for case in cases:
        text = link("[1]", {1: Source(1, "t", case["input"])})
        if text == "[1]":
            continue
        linked += 1
        href = text.removeprefix("[[1]](").removesuffix(")")
        token = (PARSER.parse(text)[1].children or [])[0]
        assert not case.get("failure") or case.get("base"), case
        assert ada_url.URL(href).hostname == ada_url.URL(case["input"]).hostname
        assert ada_url.URL(href).protocol in ("http:", "https:")
        assert token.attrs["href"] == href

    assert len(cases) >= 891
    assert linked > 100
