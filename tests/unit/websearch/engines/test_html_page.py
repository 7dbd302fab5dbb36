"""Reading a page: its text, its nodes, its links."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from websearch.engines.html_page import (
    Page,
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


def test_text() -> None:
    """A node's text is one line of words, without the letters of icon fonts."""
    nodes = LexborHTMLParser(
        "<p>plain  words\n <b>two</b>\tthree</p><p>a<b>b</b>c&lt;b&gt; &amp;</p>"
        "<p>a\u3000b\u00a0c</p><p>\ue612icon \uf8ffletters</p><p>北京 <em>天气</em></p>"
    ).css("p")

    assert [text_of(node) for node in nodes] == [
        "plain words two three",
        "abc<b> &",
        "a b c",
        "icon letters",
        "北京 天气",
    ]


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
        (" HTTPS://A.example:8080/ ", "https://A.example:8080/"),
        ("/x", "https://html.engine.example/x"),
        ("javascript:alert(1)", ""),
        ("https://[x", ""),
        ("mailto:a@b.example", ""),
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
    """A link is an http(s) address or nothing; the engine's own redirect is opened."""
    assert target(href, BASE, OWN, "u") == url


def test_endless_link() -> None:
    """A link of a megabyte is not taken apart."""
    assert (
        target(wrapped("https%3A%2F%2Fa.example%2F" + "%41" * 300_000), BASE, OWN, "u")
        == ""
    )
