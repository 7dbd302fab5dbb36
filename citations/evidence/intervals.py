"""Work a duration out from two dates."""

from calendar import monthrange
from collections.abc import Sequence
from datetime import date as Day  # noqa: N812 -- a date here may lack its parts
from itertools import combinations, product
from typing import Final

from citations.evidence.dates import Date
from citations.evidence.quantities import Quantity
from citations.evidence.units import DAY, YEAR

_MOST: Final = 8  # dates
_LAST: Final = 8  # dates of the sentences before
_MONTHS: Final = 12
_LAST_YEAR: Final = 9_999


def is_between(wanted: Quantity, said: Sequence[Date], before: Sequence[Date]) -> bool:
    """
    Tell whether *wanted* is the time between two dates, give or take a day.

    Both are *said* with it, or one of them *before*; without any said, the last ones
    before count.
    """
    if wanted.unit.dimension != "duration":
        return False
    before = before[-_MOST:]
    # Who is 25 has lived for 25 years, and up to a year more.
    high = max(wanted.high, wanted.amount + wanted.place) if _is_years(wanted) else 0
    pairs = [*combinations(said[:_MOST], 2), *product(said[:_MOST], before)]
    return any(
        low * DAY <= max(high, wanted.high) and wanted.low <= most * DAY
        for one, other in pairs or combinations(before[-_LAST:], 2)
        for low, most in _days_between(one, other)
    )


def is_counted_from(
    year: Date, said: Sequence[Date], durations: Sequence[Quantity]
) -> bool:
    """Tell whether *year* is some years before or after one of *said*."""
    if not year.year or year.month or year.day:
        return False
    spans = {round(one.written) for one in durations if _is_years(one)}
    return any(one.year and abs(one.year - year.year) in spans for one in said)


def _is_years(one: Quantity) -> bool:
    return one.unit == YEAR


def _days_between(one: Date, other: Date) -> list[tuple[int, int]]:
    """Return the least and the most days between two dates; none if unknown."""
    year = one.year or other.year
    if year is None or not 1 <= max(one.year or 1, other.year or 1) < _LAST_YEAR:
        return []
    first, last = sorted((_days(one, year), _days(other, other.year or year)))
    if first == last:
        return []
    return [(max(0, last[0] - first[1] - 1), last[1] - first[0] + 1)]


def _days(date: Date, year: int) -> tuple[int, int]:
    """Return the first and the last day that *date* can be."""
    year = date.year or year
    first_month, last_month = date.month or 1, date.month or _MONTHS
    longest = monthrange(year, last_month)[1]
    day = min(date.day, longest) if date.day else None
    first = Day(year, first_month, day or 1)
    return first.toordinal(), Day(year, last_month, day or longest).toordinal()
