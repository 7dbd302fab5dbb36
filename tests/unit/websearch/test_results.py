"""Items of any backend come out uniform."""

import logging
from typing import Any

import pytest

from websearch.models import SearchItem
from websearch.results import clean_date, normalize


def item(url: str, title: str = "t", snippet: str = "s", **more: Any) -> SearchItem:
    return SearchItem(title, url, snippet, "test", **more)


@pytest.mark.spec("H1")
def test_twins() -> None:
    """Addresses of one page are merged into the first of them."""
    first = item("https://example.org/page", snippet="short")
    twin = item("http://www.example.org/page/", "other", "a longer snippet")

    (kept,) = normalize([first, twin], 10)

    assert kept.url == "https://example.org/page"
    assert (kept.title, kept.snippet) == ("t", "a longer snippet")


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
