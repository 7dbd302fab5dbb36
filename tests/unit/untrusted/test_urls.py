"""Addresses of strangers come out plain, and two pages are never taken for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untrusted.urls import clean_url, page_key, safe_url


@pytest.mark.spec("H1")
@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,<b>x</b>",
        "ftp://ftp.example.org/pub",
        "file:///etc/hosts",
        "mailto:a@example.org",
        "//relative.example.org/x",
        "example.org/no-scheme",
        "/relative",
        "",
        "http://",
        "http:///lost/host",
        "https:example.org",
        "http://[bad/",
        "https://sp ace.example.org/",
        "https://user:secret@cred.example.org/",
        "https://good.example.org\\@evil.example.org/",
        "https://example.org:99999/",
        "https://example.org/\x00",
        "https://example.org/\ud83d",
        "https://long.example.org/?q=" + "a" * 3000,
        "https://long.example.org/?q=" + "汉" * 1000,
        None,
        7,
    ],
)
def test_unsafe_addresses(url: object) -> None:
    """An address that is no plain http(s) address is no result."""
    assert clean_url(url) is None


CLEAN = {
    "https://example.org/a": "https://example.org/a",
    "HTTP://EXAMPLE.org:80/a": "http://example.org/a",
    "https://例子.测试/路径": "https://xn--fsqu00a.xn--0zwm56d/%E8%B7%AF%E5%BE%84",
    "https://md.example.org/a b": "https://md.example.org/a%20b",
    "https://md.example.org/?x=<y>": "https://md.example.org/?x=%3Cy%3E",
    " https://example.org/ ": "https://example.org/",
    "http://[::1]:80/": "http://[::1]/",
}


@pytest.mark.spec("H1", "J3")
@pytest.mark.parametrize(("url", "clean"), CLEAN.items())
def test_clean_addresses(url: str, clean: str) -> None:
    """An address comes out as a browser would write it."""
    assert clean_url(url) == clean


@given(st.text())
def test_any_text_as_address(text: str) -> None:
    """No text raises, and what is taken is an http(s) address and stays as it is."""
    url = clean_url(text)

    assert url is None or (url.startswith(("http://", "https://")))
    assert url is None or clean_url(url) == url


PAGE = "https://example.org/page"


@pytest.mark.spec("H1", "E6", "N5")
@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        (PAGE, "http://example.org/page", True),
        (PAGE, "https://www.example.org/page", True),
        (PAGE, "https://example.org/page/", True),
        (PAGE, "https://EXAMPLE.org:443/page#part", True),
        (PAGE, f"{PAGE}?utm_source=a&spm=1", True),
        (f"{PAGE}?q=%b1%e6%99", f"{PAGE}?q=%B1%E6%99", True),
        (PAGE, f"{PAGE}?id=1", False),
        (PAGE, "https://example.org/Page", False),
        (PAGE, f"{PAGE}#/route", False),
        (PAGE, "https://example.org:8443/page", False),
        (PAGE, "https://sub.example.org/page", False),
        (PAGE, "https://m.example.org/page", False),
        (f"{PAGE}?city=%B1%B1%BE%A9", f"{PAGE}?city=%B1%B1%BA%A3", False),
        (f"{PAGE}?%B1=1", f"{PAGE}?%B2=1", False),
    ],
)
def test_page_key(one: str, other: str, *, is_same: bool) -> None:
    """One page has one key in all its usual spellings; what may be another page keeps
    its own, or a claim would get the number of a wrong one."""
    assert (page_key(one) == page_key(other)) is is_same


@pytest.mark.spec("D8")
@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://example.org/a(b) [c]", "https://example.org/a%28b%29%20%5Bc%5D"),
        (
            "https://x.example/<d>\"e`f|g{i}'j?k=)&l=*",
            "https://x.example/%3Cd%3E%22e%60f%7Cg%7Bi%7D'j?k=%29&l=*",
        ),
        ("http://[::1]/[1]", "http://[::1]/%5B1%5D"),
        ("https://example.org/?a&lt;b", "https://example.org/?a&lt%3Bb"),
        ('https://quote".example.org/', None),
        ("https://example.org/\x85", None),
    ],
    ids=["brackets", "signs", "ipv6", "entity", "host", "control"],
)
def test_safe_addresses(url: str, safe: str | None) -> None:
    """An address in a link holds nothing that Markdown could read."""
    assert safe_url(url) == safe
