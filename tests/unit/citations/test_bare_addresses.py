"""No bare address becomes a link on the page, however it is written."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.markdown import FORMS, HIDDEN_ADDRESSES, PARSER

from citations import PageLinker, Source, page_form

ONE = "https://one.example/a?id=1"
SOURCES = {1: Source(1, "T", ONE), 2: Source(2, "w", "http://two.example/")}
SIGNS = r"""
&#46; &#58; &colon; &#47; &sol; &#x40; &commat; &period; &lt; &amp; &#119; &#104; \. \:
\/ \@ \- \_ \\ \ @ www http https : / // . - _ + evil.example www.evil.example
https://evil.example admin@evil.example mailto: xmpp: a ww w s 中 ` `` * ** ~~ ( ) [ ]
[1] ](http://evil.example) ](javascript:x) ](https://one.example/a?id=1) ![ | < > <b> <i
$ ! # https:// https:/ @evil.example .evil.example (www.evil.example) 【1】 : &
"""
BREAKS = (" ", "\n", "\n\n", "\n|-|\n", "\n> ", "\n# ")
TEXTS = st.lists(
    st.sampled_from([*SIGNS.split(), *FORMS, *BREAKS]),
    max_size=12,
).map("".join)
# mdast-util-gfm-autolink-literal 2.0, and a little more of what may stand before.
_WEB = re.compile(
    r"(?<![A-Za-z0-9])(?:https?://|www(?=\.))[-.\w]*[-\w][^ \t\r\n]*",
    re.IGNORECASE | re.ASCII,
)
_MAIL = re.compile(r"[-.\w+]+@[-\w]+(?:\.[-\w]+)+", re.ASCII)


def texts(markdown: str) -> Iterator[str]:
    """Each run of plain text outside links, as a reader sees it."""
    for token in PARSER.parse(markdown):
        words, links = "", 0
        for child in token.children or []:
            links += child.nesting if child.type.startswith("link_") else 0
            if child.type == "text" and not links:
                words += child.content
            elif words:
                yield words
                words = ""
        yield words


def autolinks(markdown: str) -> list[str]:
    """Text that a parser would link although nobody wrote a link."""
    found = [
        pattern.findall(text) for text in texts(markdown) for pattern in (_WEB, _MAIL)
    ]
    return [address for addresses in found for address in addresses]


def page(text: str) -> str:
    return page_form(text, SOURCES)


def test_checker() -> None:
    """The checker finds an address where the page's parser would."""
    assert autolinks("a www&#46;evil.example") == ["www.evil.example"]
    assert autolinks(r"a https\://evil.example\.") == ["https://evil.example."]
    assert autolinks("admin&#64;evil.example") == ["admin@evil.example"]
    assert autolinks("`www.evil.example` [a@evil.example](http://x.example/)") == []


@pytest.mark.spec("N5")
@pytest.mark.parametrize("text", HIDDEN_ADDRESSES)
@pytest.mark.parametrize("block", ["{}", "# {}", "> - {}", "|a|b|\n|-|-|\n|{}|c|"])
def test_hidden(caplog: pytest.LogCaptureFixture, text: str, block: str) -> None:
    """An address behind entities, backslashes or brackets is no link in any block."""
    assert autolinks(page(block.format(text))) == []
    assert not caplog.records


@pytest.mark.spec("N5")
@given(TEXTS)
def test_nothing_hidden(text: str) -> None:
    """No text makes the page link what is no source."""
    assert autolinks(page(text)) == []


def streamed(chunks: list[str]) -> str:
    linker = PageLinker(SOURCES)
    return "".join([linker.feed(chunk) for chunk in chunks]) + linker.close()


@pytest.mark.spec("N5", "D5")
@given(TEXTS)
def test_failure(text: str) -> None:
    """A failed conversion shows no address that could become a link."""
    linker = PageLinker(SOURCES)

    whole = linker.unlinked(text)
    pieces = "".join(linker.unlinked(char) for char in text)

    assert autolinks(whole) == autolinks(pieces) == []


@pytest.mark.spec("N5")
@pytest.mark.parametrize(
    "text",
    [
        "[a](http://www.one.example/a?id=1&utm_source=secret)",
        "[a](https://one.example/a?id=1#secret)",
        "https://one.example/a?id=1&spm=secret",
        "<http://one.example/a?utm_x=secret&id=1>",
    ],
)
def test_our_address(text: str) -> None:
    """A link to a source has the address that was found, not what the model made."""
    assert page(text) == (f"[a]({ONE})" if text.startswith("[") else f"<{ONE}>")


@pytest.mark.spec("N5")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("`a|b` c\n", "`a|b` c\n"),
        ("`a|b` c\nd|e", "`a|b` c\nd|e"),
        ("`a|www.x`\n|-|-|\n", "`a`|`www.x`\n|-|-|\n"),
        ("|``a`|b``|\n|-|-|\n", "|`` a` ``|``b``|\n|-|-|\n"),
        ("`a\\|b`\n|-|\n", "`a\\|b`\n|-|\n"),
        ("<b x='|www.x'>|\n|-|-|\n", "\\<b x='|`www.x`'>|\n|-|-|\n"),
    ],
)
def test_first_row(text: str, shown: str) -> None:
    """Code of a table's first row is code in each cell; elsewhere it stays."""
    assert page(text) == shown
    assert streamed(list(text)) == shown


@pytest.mark.spec("N1", "N5")
@pytest.mark.parametrize(
    ("text", "apart"),
    [("![!](http://evil.example)[1]", "! ["), ("![<https:/e](x)>", "/e >")],
    ids=["a link makes no image", "a sign ends no angle bracket"],
)
def test_words_of_an_image(text: str, apart: str) -> None:
    """The words of an image make nothing of what stands behind them."""
    assert apart in page(text)
