"""Markers become links, and nothing else changes."""

import logging
import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from citations import Linker, PageLinker, Source, link, page_form

SOURCES = {
    1: Source(1, "One", "https://one.example/a(b)"),
    2: Source(2, "二", "http://two.example/路径?q=[x]"),
    3: Source(3, "Three", "https://three.example/"),
}
LINKS = {
    1: "[[1]](https://one.example/a%28b%29)",
    2: "[[2]](http://two.example/%E8%B7%AF%E5%BE%84?q=%5Bx%5D)",
    3: "[[3]](https://three.example/)",
}


def cases() -> list[tuple[str, str]]:
    lines = (Path(__file__).parent / "cases.txt").read_text("utf-8").splitlines()
    found = [line.split(" ==> ") for line in lines if " ==> " in line[2:]]
    return [
        (text, text if linked == "same" else linked)
        for text, linked in found
        if not text.startswith("# ")
    ]


def whole(text: str) -> str:
    filled = re.sub(r"\{([0-9])\}", lambda match: LINKS[int(match[1])], text)
    return filled.replace("⏎", "\n").replace("⇥", "\t")


@pytest.mark.spec("D1", "D2", "D6", "N5")
@pytest.mark.parametrize(
    ("text", "linked"), cases(), ids=[f"case-{n}" for n, _ in enumerate(cases())]
)
def test_cases(text: str, linked: str) -> None:
    """Each line of cases.txt comes out as it says."""
    assert link(whole(text), SOURCES) == whole(linked)


@pytest.mark.spec("D2", "N3")
def test_unknown_number(caplog: pytest.LogCaptureFixture) -> None:
    """An unknown number stays, others link, and one line of the log names them."""
    sources = {5: Source(1, "One", "https://one.example/")}  # the key is its number
    linker = Linker(sources)

    linked = [linker.feed(char) for char in "秘密 [9] [5] [9] [citation:101]"]
    linked += [linker.close(), linker.close()]
    page_form("[9]", None)

    shown = "秘密 [9] [[5]](https://one.example/) [9] [citation:101]"
    assert "".join(linked) == shown
    assert [record.getMessage() for record in caplog.records] == [
        "No source has the number 9, 101"
    ]
    assert caplog.records[0].levelno == logging.WARNING


@pytest.mark.spec("D5")
@pytest.mark.parametrize("text", ["晴[1]。", "[a]: http://x.example/", "", "\ud83d[1]"])
def test_no_sources(text: str) -> None:
    """Without sources a text without definitions of numbers stays byte-identical."""
    assert link(text, {}) == text


@pytest.mark.spec("N5")
@pytest.mark.parametrize("sources", [{}, SOURCES], ids=["no sources", "sources"])
@pytest.mark.parametrize(
    "label", ["[9]", "[^9]", "[ 9 ]", "[^９]", "[９]", "[8, 9]", "[^\n9]"]
)
@pytest.mark.parametrize(
    "target",
    [
        " https://evil.example/",
        "\nhttps://evil.example/",
        " //evil.example/",
        " <https://evil.example/>",
        " javascript:alert(1)",
        " ht&#116;ps://evil.example/",
        " https\\://evil.example/",
        " &#104;ttps://evil.example/ 'title'",
        " www.evil.example",
    ],
)
def test_no_definition_of_a_number(
    sources: dict[int, Source], label: str, target: str
) -> None:
    """No definition turns a number into a link, with or without sources."""
    text = f"{label}:{target}\n\n晴{label}"

    linked = link(text, sources)

    environment: dict[str, dict[str, object]] = {}
    MarkdownIt("commonmark").parse(linked, environment)
    assert linked == "\\" + text
    assert not environment.get("references")


@pytest.mark.spec("D5", "N3")
@pytest.mark.parametrize(
    "place",
    [
        "citations.citing.PlainForm._cite",
        "citations.citing.PlainForm._link",
        "citations.citing.PlainForm._code_span",
        "citations.markdown.reader.Line",
        "citations.markdown.inline.Inline.finish",
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_failure_while_streaming(
    place: str,
    size: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A failure in the middle loses nothing, and the log says nothing of the text."""

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("晴")

    text = "秘密 [x [1] y](http://x.example/) `c`\n> [2\n\n|a|[2]|\n\n- [3"
    linker = Linker(SOURCES)
    monkeypatch.setattr(place, fail)
    chunks = [text[at : at + size] for at in range(0, len(text), size)]
    shown = "".join([linker.feed(chunk) for chunk in chunks]) + linker.close()

    for number, linked in LINKS.items():
        shown = shown.replace(linked, f"[{number}]")
    assert shown == text
    assert not linker.works
    assert "晴" not in caplog.text


@pytest.mark.spec("D5")
@pytest.mark.parametrize("linker", [Linker(SOURCES), PageLinker(SOURCES)])
def test_empty_chunks(linker: Linker | PageLinker) -> None:
    """Nothing in, nothing out."""
    assert linker.feed("") + linker.close() == linker.whole("") == ""
