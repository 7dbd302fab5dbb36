"""Dates as Chinese sites write them: 2024年6月20日, 昨天, 5小时前."""

import re
from datetime import date, datetime, timedelta, timezone
from typing import Final

CHINA: Final = timezone(timedelta(hours=8))

_CLOCK: Final = r"(?:\s*[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)?"
_FULL: Final = re.compile(
    r"([12][0-9]{3})(?:\s*年\s*|[-/.])([0-9]{1,2})(?:\s*月\s*|[-/.])([0-9]{1,2})\s*日?"
    + _CLOCK
)
_OF_THIS_YEAR: Final = re.compile(r"([0-9]{1,2})月([0-9]{1,2})日" + _CLOCK)
_NAMED: Final = re.compile("(刚刚|今天|昨天|前天)" + _CLOCK)
_AGO: Final = re.compile(r"([0-9]{1,4})\s*(秒|秒钟|分钟|小时|个小时|天)前")
_DAYS_OF_NAME: Final = {"刚刚": 0, "今天": 0, "昨天": 1, "前天": 2}
_LENGTHS: Final = {
    "秒": timedelta(seconds=1),
    "秒钟": timedelta(seconds=1),
    "分钟": timedelta(minutes=1),
    "小时": timedelta(hours=1),
    "个小时": timedelta(hours=1),
    "天": timedelta(days=1),
}


def day_of(text: str, now: datetime) -> str | None:
    """
    Read a text that is a past day and nothing else, as an ISO 8601 day in China.

    A date without a year is the last such day. Weeks, months and years ago name no
    day, so they are no date here.
    """
    here = now.astimezone(CHINA)
    try:
        day = _absolute(text, here.date()) or _relative(text, here)
    except ValueError:  # such as the 31st of June
        return None
    return day.isoformat() if day and day <= here.date() else None


def _absolute(text: str, today: date) -> date | None:
    if found := _FULL.fullmatch(text):
        return date(*map(int, found.groups()))
    if found := _OF_THIS_YEAR.fullmatch(text):
        month, day = int(found[1]), int(found[2])
        this_year = date(today.year, month, day)
        return this_year if this_year <= today else date(today.year - 1, month, day)
    return None


def _relative(text: str, now: datetime) -> date | None:
    if found := _NAMED.fullmatch(text):
        return now.date() - timedelta(days=_DAYS_OF_NAME[found[1]])
    if found := _AGO.fullmatch(text):
        return (now - int(found[1]) * _LENGTHS[found[2]]).date()
    return None
