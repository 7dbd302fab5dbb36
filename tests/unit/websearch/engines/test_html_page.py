"""Reading a page: its text, its rows, a part of it."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from websearch.engines.html_page import Page, attribute, first_inside, label_of, text_of
from websearch.errors import WebParseError
from websearch.network.response import Reply


def page(text: str | bytes, since: bytes = b"", **headers: str) -> Page:
    body = text if isinstance(text, bytes) else text.encode()
    return Page.of(Reply(200, headers, body), since)


def shown(markup: str) -> str:
    return text_of(LexborHTMLParser(f"<p>{markup}</p>").css_first("p"))


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("plain words", "plain words"),
        (" one\n  <b>two</b>\tthree ", "one two three"),
        ("a<b>b</b>c", "abc"),
        ("a\u3000b\u00a0c", "a b c"),
        ("\ue612icon \uf8ffletters", "icon letters"),
        ("北京 <em>天气</em>", "北京 天气"),
        ("two  blanks", "two blanks"),
        ("&lt;b&gt; &amp;", "<b> &"),
        ("", ""),
    ],
)
def test_text(markup: str, text: str) -> None:
    """A node's text is one line of words, without the letters of icon fonts."""
    assert shown(markup) == text


def test_no_node() -> None:
    """Where there is no node, there is no text and no attribute."""
    assert (text_of(None), attribute(None, "href")) == ("", "")


def test_attributes() -> None:
    """An attribute without a value is like none."""
    node = LexborHTMLParser("<a x y='' z=1>").css_first("a")

    assert [attribute(node, name) for name in "xyzw"] == ["", "", "1", ""]


def test_since() -> None:
    """A page can be read from certain words on; where they are missing, whole."""
    text = "<p>one</p><ul id=x><p>two</p></ul>"

    assert text_of(page(text, b"<ul").first("body")) == "two"
    assert text_of(page(text, b"<ol").first("body")) == "onetwo"


@pytest.mark.parametrize(
    ("end", "is_whole"),
    [
        ("</html>", True),
        ("</HTML\n >\n<!-- x -->", True),
        ("", False),
        ("</htm", False),
    ],
)
def test_whole(end: str, is_whole: bool) -> None:
    """A page is whole where its end has come, however it is written."""
    assert page(f"<html>x{end}").is_whole is is_whole


@pytest.mark.parametrize(
    "text",
    [
        "<div>" * 50_000,
        "".join(f"<html a{n} b{n} c{n} d{n} e{n} f{n}>" for n in range(5_000)),
    ],
    ids=["open elements", "attributes of one element"],
)
def test_tangled(text: str) -> None:
    """A page that would cost too much is refused, with words of ours."""
    with pytest.raises(WebParseError, match="too tangled") as caught:
        page(text)

    assert caught.value.detail_code == "too_deep"


def test_children() -> None:
    """Children are the elements right inside the first match, up to a bound."""
    text = "<!-- --><p>1</p>x<p>2<b>3</b></p><div id=a><i>4</i></div>" + "<p>5" * 100

    found = page(f"<div id=a>{text}</div>").children("#a")
    assert [text_of(node) for node in found[:4]] == ["1", "23", "4", "5"]
    assert len(found) == 60
    assert page(text).children("#b") == []


@pytest.mark.parametrize(
    ("markup", "label"),
    [
        ("ad", "ad"),
        ("<i>\ue612</i>\n  <b>a</b>d<!-- -->", "ad"),
        ("<b>two</b>  words", "two words"),
        (f"{' ' * 200}ad", "ad"),
        ("x" * 101, ""),
        ("<b>x</b>" * 10, ""),
        ("", ""),
    ],
)
def test_label(markup: str, label: str) -> None:
    """A label is told like a text; what is longer is none, and is not read."""
    node = LexborHTMLParser(f"<p>{markup}</p><p>behind</p>").css_first("p")

    assert node is not None
    assert label_of(node) == label


ROWS = """
<div class="row"><a class="link" href="1">1</a><i class="note">a</i></div>
<div class="row other"><a class="link" href="2">2</a></div>
<div class="row"><i class="note">b</i><a class="link">3</a><a class="link">4</a></div>
<div class="row"></div>
"""


def test_rows() -> None:
    """Each row has the first of its parts; rows that are none have no parts."""
    rows = page(ROWS).rows(
        ":is(.row, .link, .note)", ("link", "note"), frozenset({"other"})
    )

    assert [{name: text_of(node) for name, node in row.items()} for row in rows] == [
        {"link": "1", "note": "a"},
        {"link": "3", "note": "b"},
        {},
    ]


def test_nested_rows() -> None:
    """A part belongs to the row that began last."""
    nested = '<div class="row"><div class="row"><a class="link">x</a></div></div>'

    rows = page(nested).rows(":is(.row, .link)", ("link",), frozenset())
    assert [list(row) for row in rows] == [[], ["link"]]


def test_first_inside() -> None:
    """The first match counts, in whichever of the outer nodes it stands."""
    node = page("<h3>x</h3><h3><b><a>1</a></b></h3><a>2</a>").first("body")
    assert node is not None

    assert text_of(first_inside(node, "h3", "a")) == "1"
    assert first_inside(node, "h4", "a") is None


@pytest.mark.parametrize(
    "body", [b"<p>a\xff\xe4\xb8b", b"\xef\xbb\xbf<p>a\xff\xe4\xb8b"], ids=["", "mark"]
)
def test_broken_bytes(body: bytes) -> None:
    """Bytes that are wrong in UTF-8 are replaced one by one, as Python does it."""
    read = page(body, **{"content-type": "text/html; charset=utf-8"})

    assert text_of(read.first("p")) == "a\ufffd\ufffdb"
