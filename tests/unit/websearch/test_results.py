"""Items of any backend come out uniform."""

import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch.models import SearchItem
from websearch.results import clean_date, clean_url, normalize, page_key


def item(url: str, title: str = "t", snippet: str = "s", **more: Any) -> SearchItem:
    return SearchItem(title, url, snippet, "test", **more)


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
    """What is no plain http(s) address is no result."""
    assert clean_url(url) is None


@pytest.mark.spec("H1", "J3")
@pytest.mark.parametrize(
    ("url", "clean"),
    [
        ("https://example.org/a", "https://example.org/a"),
        ("HTTP://EXAMPLE.org:80/a", "http://example.org/a"),
        (
            "https://例子.测试/路径",
            "https://xn--fsqu00a.xn--0zwm56d/%E8%B7%AF%E5%BE%84",
        ),
        ("https://md.example.org/a b", "https://md.example.org/a%20b"),
        ("https://md.example.org/?x=<y>", "https://md.example.org/?x=%3Cy%3E"),
        (" https://example.org/ ", "https://example.org/"),
        ("http://[::1]:80/", "http://[::1]/"),
    ],
)
def test_clean_addresses(url: str, clean: str) -> None:
    """An address comes out as a browser would write it."""
    assert clean_url(url) == clean


@given(st.text())
def test_any_text_as_address(text: str) -> None:
    """No text raises, and what is taken is an http(s) address and stays as it is."""
    url = clean_url(text)

    assert url is None or (url.startswith(("http://", "https://")))
    assert url is None or clean_url(url) == url


@pytest.mark.spec("H1")
@pytest.mark.parametrize(
    "twin",
    [
        "http://example.org/page",
        "https://www.example.org/page",
        "https://m.example.org/page",
        "https://example.org/page/",
        "https://example.org/page#part",
        "https://example.org/page?utm_source=a&spm=1",
    ],
)
def test_twins(twin: str) -> None:
    """Addresses of one page are merged into the first of them."""
    first = item("https://example.org/page", snippet="short")

    (kept,) = normalize([first, item(twin, "other", "a longer snippet")], 10)

    assert kept.url == "https://example.org/page"
    assert (kept.title, kept.snippet) == ("t", "a longer snippet")


@pytest.mark.spec("H1")
@pytest.mark.parametrize(
    "other",
    [
        "https://example.org/page?id=1",
        "https://example.org/Page",
        "https://example.org/page#/route",
        "https://example.org:8443/page",
        "https://sub.example.org/page",
    ],
)
def test_different_pages(other: str) -> None:
    """Addresses that may be different pages are both kept."""
    assert page_key(other) != page_key("https://example.org/page")


def test_https_wins() -> None:
    """A page found under http and https is shown with https."""
    plain, safe = item("http://a.example/"), item("https://a.example/")

    (kept,) = normalize([plain, safe], 10)

    assert kept.url == "https://a.example/"


@pytest.mark.spec("H1")
def test_ranks() -> None:
    """Ranks run from 1 without gaps in the given order, whatever a backend wrote."""
    items = [
        item("https://b.example/", rank=9),
        item("nonsense"),
        item("https://a.example/", rank=3),
    ]

    ranked = normalize(items, 10)

    assert [(i.rank, i.url) for i in ranked] == [
        (1, "https://b.example/"),
        (2, "https://a.example/"),
    ]


@pytest.mark.spec("H1")
def test_empty_texts_are_kept() -> None:
    """A page without title and snippet is still a page."""
    (kept,) = normalize([item("https://a.example/", "", "")], 10)

    assert (kept.title, kept.snippet) == ("", "")


@pytest.mark.spec("B7", "N3")
def test_drops_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The log says how many results were dropped, and nothing of what was in them."""
    with caplog.at_level(logging.WARNING):
        normalize([item("javascript:canary"), item("https://a.example/")], 10)

    assert "Dropped 1 results" in caplog.text
    assert "canary" not in caplog.text


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("2026-08-01T12:30:00", "2026-08-01T12:30:00"),
        ("2026-08-01 12:30:00+0000", "2026-08-01T12:30:00+00:00"),
        ("2026-08-01", "2026-08-01T00:00:00"),
        ("3 minutes ago", None),
        ("3 分钟前", None),
        ("", None),
        (None, None),
        (20260801, None),
    ],
)
@pytest.mark.spec("B3")
def test_dates(value: object, date: str | None) -> None:
    """Dates come out as ISO 8601; an old server's words for them are left out."""
    assert clean_date(value) == date


@pytest.mark.spec("H1")
def test_other_encodings() -> None:
    """Queries that are no UTF-8 are told apart."""
    first, second = (
        f"https://a.example/?city=%B1%B1%{end}" for end in ("BE%A9", "BA%A3")
    )

    assert page_key(first) != page_key(second)
    assert page_key(first) == page_key(first.replace("%B1", "%b1"))
