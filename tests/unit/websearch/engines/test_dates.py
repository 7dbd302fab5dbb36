"""The date before a snippet, as engines write it."""

from datetime import UTC, datetime

import pytest

from websearch.engines.dates import leading_date

NOW = datetime(2026, 11, 19, 12, tzinfo=UTC)
UNDERSTOOD = {
    "Jun 20, 2024 — x": "2024-06-20",
    "June 2, 2024 ... x": "2024-06-02",
    "20 Jun 2024 · x": "2024-06-20",
    "2024-06-20 - x": "2024-06-20",
    "2024/06/20 - x": "2024-06-20",
    "2024年6月20日 — x": "2024-06-20",
    "2024年6月20日—x": "2024-06-20",
    "2024년 6월 20일 — x": "2024-06-20",
    "20.06.2024 — x": "2024-06-20",
    "20. Juni 2024 – x": "2024-06-20",
    "1er juil. 2024 — x": "2024-07-01",
    "20 juin 2024 - x": "2024-06-20",
    "20 de jun. de 2024 — x": "2024-06-20",
    "20 июн. 2024 г. — x": "2024-06-20",
    # days and hours before the moment, over midnight
    "3 days ago — x": "2026-11-16",
    "3天前 - x": "2026-11-16",
    "3 日前 — x": "2026-11-16",
    "vor 3 Tagen — x": "2026-11-16",
    "il y a 3 jours — x": "2026-11-16",
    "昨天 · x": "2026-11-18",
    "Yesterday · x": "2026-11-18",
    "13 hours ago — x": "2026-11-18",
    "2小时前 — x": "2026-11-19",
}
# The whole text; a date without a year is the last one.
ALONE = {
    "2024年6月20日": "2024-06-20",
    "Jun 20, 2024": "2024-06-20",
    "20.06.2024 ": "2024-06-20",
    "2024年06月20日 18:03": "2024-06-20",
    "2024 年 6 月 20 日": "2024-06-20",
    "2024.06.20": "2024-06-20",
    "2月28日": "2026-02-28",
    "12月31日": "2025-12-31",
    "昨天18:03": "2026-11-18",
    "5个小时前": "2026-11-19",
    "13小时前": "2026-11-18",
    "刚刚": "2026-11-19",
}


@pytest.mark.parametrize("text", [*UNDERSTOOD, *ALONE])
def test_understood(text: str) -> None:
    """A date that is understood leaves the text."""
    expected = (UNDERSTOOD[text], "x") if text in UNDERSTOOD else (ALONE[text], "")

    assert leading_date(text, NOW) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "words", "2024年6月20日，公司发布", "Jun 20, 2024 was a Thursday"),
        *("06/20/2024 — x", "31 juin 2024 - x", "20 things 2024 - x", "2019-2020 - x"),
        *("vor 2 Jahren — x", "2 weeks ago — x", "2周前", "3个月前", "2年前"),
        *("2024年", "2027年1月1日", "2月30日", "第 5 天"),
    ],
)
def test_left_alone(text: str) -> None:
    """A sentence, and a date without a certain day of the past, stay as they are."""
    assert leading_date(text, NOW) == (None, text)
