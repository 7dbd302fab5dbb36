"""Find the dates of a text."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from citations.evidence.numerals import chinese

_T = TypeVar("_T")

_NAMES = """
january jan,february feb,march mar,april apr,may,june jun,july jul,august aug,
september sept sep,october oct,november nov,december dec
"""
MONTHS: Final = {
    name: at
    for at, names in enumerate(_NAMES.split(","), start=1)
    for name in names.split()
}
_MONTH = "|".join(sorted((name.title() for name in MONTHS), key=len, reverse=True))
# `May` and `March` alone are words.
_ONLY_MONTH = (
    "January|February|April|June|July|August|September|October|November|December"
)
_YEAR = r"1[0-9]\d\d|20\d\d|2100"
_HAN_YEAR = f"{_YEAR}|[〇零一二三四五六七八九]{{4}}"
_ALONE = r"(?<![A-Za-z0-9_.])"  # behind Chinese, for one
_DASH = "[-\u2013\u2014~/至到]{1,2}"
_DAY = r"\d{1,2}|[一二三四五六七八九十]{1,3}"
_ENGLISH_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_ENGLISH_YEAR = rf"(?: ?,? (?P<y>{_YEAR})(?!\d))?"
_LATER_DAY = rf"(?: ?[日号]? ?{_DASH} ?(?P<d2>\d{{1,2}}))?"
_NO_MORE = r"(?= ?(?:[,。;:)](?!\d)|\Z))"

# 2024-05-06, 2024/5/6, 2024.5.6
_YEAR_FIRST = (
    rf"{_ALONE}(?P<y>{_YEAR})([-/.])(?P<m>\d{{1,2}})\2(?P<d>\d{{1,2}})(?!\d|\.\d)"
)
# 6/5/2024, 6.5.2024
_YEAR_LAST = (
    rf"{_ALONE}(?P<d>\d{{1,2}})([/.])(?P<m>\d{{1,2}})\2(?P<y>{_YEAR})(?!\d|\.\d)"
)
# 2024 年 5 月 6 日, 二〇二四年五月
_CHINESE = (
    rf"(?<!\d)(?P<y>{_HAN_YEAR}) ?年 ?(?P<m>{_DAY}) ?月"
    rf"(?: ?(?P<d>{_DAY})(?:{_LATER_DAY} ?[日号]|{_NO_MORE}))?"
)
# 5 月 6 日, 5 月 6-8 日
_CHINESE_DAY = (
    rf"(?<!\d)(?P<m>{_DAY}) ?月 ?(?P<d>{_DAY})(?:{_LATER_DAY} ?[日号]|{_NO_MORE})"
)
# 2018-19, 1961 至 1989 年
_YEARS = rf"{_ALONE}(?P<y>{_YEAR}) ?{_DASH} ?(?P<y2>{_YEAR}|\d\d)(?![\d.%])(?: ?年)?"
_CHINESE_YEAR = (
    rf"(?<!\d)(?P<y>{_HAN_YEAR}) ?年(?!代(?!表))(?: ?{_DASH} ?(?P<y2>{_YEAR}) ?年)?"
)
# May 6, 2024; 6 May 2024; May 2024
_MONTH_DAY = (
    rf"\b(?P<m>{_MONTH})\.? {_ENGLISH_DAY}(?![\d:])"
    rf"(?: ?{_DASH} ?(?P<d2>\d{{1,2}})(?!\d))?{_ENGLISH_YEAR}"
)
_DAY_MONTH = rf"{_ALONE}{_ENGLISH_DAY}(?: of)? (?P<m>{_MONTH})\b\.?{_ENGLISH_YEAR}"
_MONTH_YEAR = rf"\b(?P<m>{_MONTH})\b\.?,? (?:of )?(?P<y>{_YEAR})(?!\d)"
# A bare year: no unit and no Chinese follows, no name or currency precedes.
_BARE_YEAR = (
    r"(?<![\w.$€£¥#/+-])(?<!\d,)(?P<y>1[4-9]\d\d|20\d\d)"
    r"(?![^\W\u3400-\u9fff]|[%°]|[,.]\d| ?(?![和与及至到或])[\u3400-\u9fff])"
)
# The order matters: what one pattern found is hidden from the next.
_PATTERNS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        *(_YEAR_FIRST, _YEAR_LAST, _CHINESE, _CHINESE_DAY, _YEARS, _CHINESE_YEAR),
        *(_MONTH_DAY, _DAY_MONTH, _MONTH_YEAR, rf"\b(?P<m>{_ONLY_MONTH})\b"),
        r"(?<![\d.])(?P<m>1[0-2]|[1-9]) ?月(?!球|饼)",
        r"(?<![\d.])(?P<d>[12]\d|3[01]|[1-9]) ?日(?![均元本报])",
        _BARE_YEAR,
    )
)
_HAN_TENS = "[一二三四五六七八九十]"
# Centuries, decades, months of a year so far, times of a race: not compared.
_VAGUE = re.compile(
    rf"(?<!\d)(?:\d{{1,2}}|{_HAN_TENS}{{1,3}}) ?世纪"
    rf"(?: ?(?:\d0|{_HAN_TENS}十) ?年代(?!表)|[初末中])?|{_HAN_TENS}十年代(?!表)|"
    r"(?<!\d)(?:1\d|20)?\d0(?: ?年代(?!表)|'?s\b)"
    rf"|(?<!\d)\d{{1,2}} ?{_DASH} ?\d{{1,2}} ?月(?!\d)"
    r"|(?<!\d)\d{1,2}[、,] ?(?=\d{1,2} ?月)"
    r"|(?<![\d:])(?:\d{1,2}:){1,2}\d\d\.\d{1,3}(?!\d)"
)
_EITHER = re.compile(r"(?:0?[1-9]|1[0-2])([/.])(?:0?[1-9]|1[0-2])\1\d{4}")
_MONTHS_OF_YEAR, _DAYS_OF_MONTH = 12, 31
_LONGEST_RANGE: Final = 200  # years


@dataclass(frozen=True, slots=True)
class Date:
    """A date, or the parts of one that are written."""

    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    is_unsure: bool = False  # 3/5/2024: the day or the month may come first

    @property
    def parts(self) -> tuple[int | None, int | None, int | None]:
        """The year, the month and the day."""
        return self.year, self.month, self.day

    @property
    def readings(self) -> Iterator["Date"]:
        """The date, and with day and month the other way round where it is unsure."""
        yield self
        if self.is_unsure:
            yield replace(self, month=self.day, day=self.month)

    def agrees(self, other: "Date") -> bool:
        """Tell whether *other* has the same of all parts that both have."""
        pairs = zip(self.parts, other.parts, strict=True)
        both = [(mine, its) for mine, its in pairs if mine and its]
        return bool(both) and all(mine == its for mine, its in both)

    def is_day_of(self, other: "Date") -> bool:
        """Tell whether this is the day or the month of *other*, of no other year."""
        if other.year and self.year not in (None, other.year):
            return False
        if other.month and self.month != other.month and (self.month or not other.day):
            return False
        return other.day in (None, self.day)


def dates(text: str) -> tuple[list[Date], str]:
    """Find the dates of flat *text*; return them, and the text with them hidden."""
    found: list[Date] = []
    rest = _VAGUE.sub(hidden, text)
    for pattern in _PATTERNS:
        rest = taken(pattern, rest, _read, found)
    return found, rest


def taken(
    pattern: re.Pattern[str],
    text: str,
    read: Callable[[re.Match[str], str], Iterable[_T]],
    into: list[_T],
) -> str:
    """Read what *pattern* matches; return *text* with all that was read hidden."""

    def take(match: re.Match[str]) -> str:
        found = [*read(match, text)]
        into.extend(found)
        return hidden(match) if found else match[0]

    return pattern.sub(take, text)


def hidden(match: re.Match[str]) -> str:
    """Return signs that no pattern reads; a number may stand right behind 年 or 日."""
    last = match[0][-1]
    return "\0" * (len(match[0]) - 1) + (last if last in "年月日号" else "\0")


def _read(match: re.Match[str], _: str) -> Iterator[Date]:
    """Yield the dates of *match*: two for a range; none where there is no such day."""
    part = match.groupdict()
    year, month, day = (_number(part.get(name)) for name in "ymd")
    if month and day and month > _MONTHS_OF_YEAR >= day and "年" not in match[0]:
        month, day = day, month  # 25/12/2024 and 12/25/2024
    is_month = month is None or 1 <= month <= _MONTHS_OF_YEAR
    is_day = day is None or 1 <= day <= _DAYS_OF_MONTH
    if not (is_month and is_day):
        return
    later_day, later_year = _number(part.get("d2")), part.get("y2")
    if later_year and year:
        until = int(str(year)[: 4 - len(later_year)] + later_year)
        if not 0 < until - year < _LONGEST_RANGE:
            return
        yield Date(*match.span(), until)
    if later_day and later_day <= _DAYS_OF_MONTH:
        yield Date(*match.span(), year, month, later_day)
    is_unsure = bool(_EITHER.fullmatch(match[0]))
    yield Date(*match.span(), year, month, day, is_unsure)


def _number(part: str | None) -> int | None:
    if not part:
        return None
    if part.isdigit():
        return int(part)
    read = MONTHS.get(part.lower()) or chinese(part)
    return None if read is None else int(read)
