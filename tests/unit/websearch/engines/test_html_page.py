"""Reading a page: its text, its nodes, its links."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from websearch.engines.html_page import (
    Page,
    absolute,
    attribute,
    first_inside,
    host_of,
    is_at,
    label_of,
    target,
    text_of,
)
from websearch.errors import WebParseError
from websearch.network.response import Reply

BASE = "https://html.engine.example/html/"
OWN = "engine.example"


def page(text: str | bytes, **headers: str) -> Page:
    body = text if isinstance(text, bytes) else text.encode()
    return Page.of(Reply(200, headers, body))


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
    """A missing node has no text and no attribute."""
    assert (text_of(None), attribute(None, "href")) == ("", "")


def test_attributes() -> None:
    """An attribute without a value is like none."""
    node = LexborHTMLParser("<a x y='' z=1>").css_first("a")

    assert [attribute(node, name) for name in "xyzw"] == ["", "", "1", ""]


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


def wrapped(value: str) -> str:
    return f"//engine.example/l/?u={value}&rut=1"


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("https://a.example/x?y=1#z", "https://a.example/x?y=1#z"),
        ("http://a.example", "http://a.example"),
        ("//a.example/x", "https://a.example/x"),
        ("/x", "https://html.engine.example/x"),
        (" https://a.example/ ", "https://a.example/"),
        ("HTTPS://A.example/", "https://A.example/"),
        ("https://a.example:8080/", "https://a.example:8080/"),
        ("https://例子.example/路", "https://例子.example/路"),
        ("javascript:alert(1)", ""),
        ("https://[x", ""),
        ("mailto:a@b.example", ""),
    ],
)
def test_absolute(href: str, url: str) -> None:
    """A link becomes an http(s) address with a host, or nothing."""
    assert absolute(href, BASE) == url


@pytest.mark.parametrize("url", ["https://[x", "no address", "", "mailto:a@b.example"])
def test_no_host(url: str) -> None:
    """An address without a host, or with a broken one, has none."""
    assert host_of(url) == ""


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("engine.example", True),
        ("www.engine.example", True),
        ("xengine.example", False),
    ],
)
def test_is_at(host: str, expected: bool) -> None:
    """A host is at its own domain and at those above it."""
    assert is_at(host, OWN) is expected


@pytest.mark.parametrize(
    ("href", "url"),
    [
        (wrapped("https%3A%2F%2Fa.example%2Fx%2Dy%3Fz%3D1%26b"), "https://a.example/x-y?z=1&b"),
        (wrapped("https%3a%2f%2fa.example%2f"), "https://a.example/"),
        (wrapped("https%3A%2F%2Fa.example%2F%253A%252F"), "https://a.example/%3A%2F"),
        (wrapped("https%3A%2F%2Fa.example%2Fb+c"), "https://a.example/b c"),
        (wrapped("https%3A%2F%2Fa.example%2F%E4%B8%AD"), "https://a.example/中"),
        (wrapped("javascript%3Aalert"), ""),
        (wrapped(""), "https://engine.example/l/?u=&rut=1"),
        ("https://engine.example/l/?x=1&u=https%3A%2F%2Fa.example", "https://a.example"),
        ("//engine.example/#?u=https%3A%2F%2Fa.example", "https://engine.example/#?u=https%3A%2F%2Fa.example"),
        ("https://a.example/?u=https%3A%2F%2Fb.example", "https://a.example/?u=https%3A%2F%2Fb.example"),
        ("//a.example/?u=https%3A%2F%2Fb.example", "https://a.example/?u=https%3A%2F%2Fb.example"),
        ("//engine.example.evil/?u=https%3A%2F%2Fb.example", "https://engine.example.evil/?u=https%3A%2F%2Fb.example"),
    ],
)  # fmt: skip
def test_target(href: str, url: str) -> None:
    """A redirect of the engine's own is opened, nobody else's."""
    assert target(href, BASE, OWN, "u") == url


def test_endless_link() -> None:
    """A link of a megabyte is not taken apart."""
    assert (
        target(wrapped("https%3A%2F%2Fa.example%2F" + "%41" * 300_000), BASE, OWN, "u")
        == ""
    )
