"""Dates in Chinese words, read at a known time."""

from datetime import UTC, datetime

import pytest

from websearch.engines.chinese_dates import CHINA, day_of

NOON = datetime(2026, 3, 1, 12, tzinfo=CHINA)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2024年6月20日", "2024-06-20"),
        ("2024年06月20日 18:03", "2024-06-20"),
        ("2024 年 6 月 20 日", "2024-06-20"),
        ("2024-6-20", "2024-06-20"),
        ("2024.06.20", "2024-06-20"),
        ("2月28日", "2026-02-28"),
        ("12月31日", "2025-12-31"),
        ("今天", "2026-03-01"),
        ("昨天18:03", "2026-02-28"),
        ("前天", "2026-02-27"),
        ("3天前", "2026-02-26"),
        ("5小时前", "2026-03-01"),
        ("13小时前", "2026-02-28"),
        ("30分钟前", "2026-03-01"),
        ("刚刚", "2026-03-01"),
    ],
)
def test_days(text: str, day: str) -> None:
    """A date is read as a day, whatever it is counted from."""
    assert day_of(text, NOON) == day


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2周前",
        "3个月前",
        "2年前",
        "2024年",
        "2024年6月31日",
        "2027年1月1日",
        "2月30日",
        "2024年6月20日，国务院发布",
        "第 5 天",
        "9999天前后",
    ],
)
def test_no_day(text: str) -> None:
    """A text that names no past day, or more than a day, is no date."""
    assert day_of(text, NOON) is None


def test_china() -> None:
    """Days begin at midnight in China, wherever the app runs."""
    late = datetime(2026, 2, 28, 17, tzinfo=UTC)

    assert day_of("今天", late) == "2026-03-01"
