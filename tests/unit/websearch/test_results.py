"""Items of any backend come out uniform."""

import logging
from typing import Any

import pytest

from websearch.models import SearchItem
from websearch.results import clean_date, normalize
from websearch.routing.parallel import fuse

LINK = "http://www.baidu.com/link?url=k1"


def item(url: str, title: str = "t", snippet: str = "s", **more: Any) -> SearchItem:
    return SearchItem(title, url, snippet, "test", **more)


@pytest.mark.spec("H1")
@pytest.mark.parametrize("order", [1, -1])
def test_twins(order: int) -> None:
    """Addresses of one page are one result: https, the longest snippet, and an engine's
    own redirect to it."""
    safe = item("https://example.org/page", snippet="short")
    plain = item("http://www.example.org/page/", "t", "a longer snippet", link=LINK)
    twins = [safe, plain][::order]

    (kept,) = normalize(twins, 10)
    (fused,) = fuse([[twin] for twin in twins])

    assert (kept.url, kept.snippet) == (safe.url, plain.snippet)
    assert kept.link == fused.link == LINK


@pytest.mark.parametrize("link", ["javascript:alert(1)", "https://u:p@x.example/", ""])
def test_unsafe_link(link: str) -> None:
    """A redirect that is no safe address is not kept."""
    (clean,) = normalize([item("https://a.example/", link=link)], 10)

    assert not clean.link


@pytest.mark.spec("H1", "B7", "N3")
def test_ranks(caplog: pytest.LogCaptureFixture) -> None:
    """Ranks run from 1 without gaps in the given order, whatever a backend wrote; a
    page without title and snippet counts, and an unusable address is only counted."""
    items = [
        item("https://b.example/", rank=9),
        item("javascript:canary"),
        item("https://a.example/", "", "", rank=3),
    ]

    with caplog.at_level(logging.WARNING):
        ranked = normalize(items, 10)

    assert [(i.rank, i.url, i.title) for i in ranked] == [
        (1, "https://b.example/", "t"),
        (2, "https://a.example/", ""),
    ]
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
