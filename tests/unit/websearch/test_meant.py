"""What a language model meant, however it puts it."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from websearch.meant import meant_count, meant_country, meant_freshness, meant_query


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (3, 3),
        (50, 10),
        (0, 1),
        (-2, 1),
        (10**1000, 10),
        (2.9, 2),
        ("3", 3),
        (" 4.0 ", 4),
        ("1e400", 10),
        ("\uff13", 3),
        ("9" * 5000, 10),
        ("five", None),
        ("", None),
        ("nan", None),
        (float("nan"), None),
        (float("inf"), 10),
        (True, None),
        (None, None),
        ([3], None),
    ],
    ids=lambda value: repr(value)[:10],
)
def test_count(said: Any, meant: int | None) -> None:
    """A number is clipped, in whatever form it comes; anything else is left out."""
    assert meant_count(said, 10) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("CN", "CN"),
        (" cn ", "CN"),
        ("China", "CN"),
        ("\u4e2d\u56fd", "CN"),
        ("CHN", "CN"),
        ("zh-CN", "CN"),
        ("zh_Hans_CN", "CN"),
        ("en_US", "US"),
        ("U.S.A.", "US"),
        ("united  states", "US"),
        ("UK", "GB"),
        ("uk-UA", "UA"),
        ("Atlantis", None),
        ("\u00df", None),
        ("\u338f", None),
        ("zh-\ufb01", None),
        ("any", None),
        ("", None),
        (5, None),
        (None, None),
        (["CN"], None),
        ("x" * 100_000, None),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_country(said: Any, meant: str | None) -> None:
    """Codes, tags and names of countries are understood; anything else is left out."""
    assert meant_country(said) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        *[(text, "day") for text in ("day", "pd", "d", "24h", "1 hour", "today")],
        *[(text, "day") for text in ("oneDay", "past 24 hours", "last_24_hours")],
        *[(text, "day") for text in ("daily", "qdr:d", "\u4eca\u5929")],
        *[(text, "day") for text in ("24\u5c0f\u65f6", "1\u4e2a\u5c0f\u65f6")],
        *[(text, "week") for text in ("week", "pw", "Past Week", "7d", "3 days")],
        *[(text, "week") for text in ("48h", "past few days", "\u672c\u5468")],
        *[
            (text, "week")
            for text in ("\u4e00\u661f\u671f", "\u6700\u8fd1\u51e0\u5929")
        ],
        *[(text, "month") for text in ("month", "pm", "30d", "2 weeks", "1mo")],
        *[
            (text, "month")
            for text in ("monthly", "\u4e24\u5468", "\u4e00\u4e2a\u6708")
        ],
        *[(text, "year") for text in ("year", "py", "1y", "12 months", "3mo")],
        *[(text, "year") for text in ("three months", "\u534a\u5e74", "6\u4e2a\u6708")],
        *[(text, None) for text in ("", "any", "noLimit", "recent", "most recent")],
        *[(text, None) for text in ("2 years", "2025\u5e74", "2025-01-01", "all time")],
        *[(text, None) for text in (7, None, ["day"], "9" * 50 + "d")],
    ],
    ids=lambda value: ascii(value)[:24],
)
def test_freshness(said: Any, meant: str | None) -> None:
    """The shortest range that holds what was said; no limit where that is not clear."""
    assert meant_freshness(said) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [("a b", "a b"), (["a", "b"], "a b"), (5, "5"), (None, ""), ({"q": "a"}, "")],
    ids=repr,
)
def test_query(said: Any, meant: str) -> None:
    """Words, a list of words or a number are a query; anything else is a blank one."""
    assert meant_query(said) == meant


@given(st.text(st.characters()))
@example("\u00df")
@example("\ufb01")
def test_any_text(said: str) -> None:
    """No text makes an error."""
    assert meant_freshness(said) in {None, "day", "week", "month", "year"}
    assert meant_country(said) is None or len(said) >= 2
    assert meant_count(said, 5) in {None, 1, 2, 3, 4, 5}
