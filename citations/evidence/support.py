"""Look a value up in the text of a source."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from citations.evidence.dates import Clock, Date
from citations.evidence.quantities import SIZES, Quantity
from citations.evidence.sentences import WRITTEN, Text
from citations.evidence.units import (
    CELSIUS,
    COUNT,
    DOLLAR,
    FAHRENHEIT,
    YUAN,
    comparable,
)
from citations.evidence.values import Value
from citations.evidence.versions import Version

_MOST: Final = 30  # places of one value that are looked at
_MOST_VERSIONS: Final = 300  # of a text: a list of more is hostile
_CONVERTED: Final = 0.006  # share that an amount in another unit may be off
_TINY: Final = 1e-9
_HALF_DAY: Final = 12 * 60
_OTHER_SCALE: Final = {CELSIUS: FAHRENHEIT, FAHRENHEIT: CELSIUS}
_HAN = re.compile("[\u3400-\u9fff]")
_YEAR_BEFORE = re.compile(
    r"上年|去年|前一年|同比|上一年|\b(?:previous|prior|last) year"
    r"|year[- ](?:over[- ]year|earlier|ago|on[- ]year)|a year (?:ago|earlier)",
    re.IGNORECASE,
)
_LEAST_SIZED: Final = 1_000.0
_SIZE = re.compile(
    r"[(] ?(?:单位:? ?)?(?:in )?(?:US)?[$€£]? ?(thousand|million|billion|百万|万|亿)s?"
    r"[^()]{0,8}[)]",
    re.IGNORECASE,
)
# Months of a range are no dates: they may be those of a year so far.
_RANGE_OF_MONTHS = re.compile(
    r"(?<!\d)(1[0-2]|[1-9]) ?(?:月|(?=[-\u2013\u2014~至到、,] ?\d{1,2} ?月))"
)
_YEAR_AFTER = re.compile(
    r"翌年|次年|第二年|下一年|来年|明年|隔年|\b(?:following|next) year|a year later",
    re.IGNORECASE,
)


def holds(text: Text, value: Value) -> bool:
    """Tell whether *text* holds *value*, or could not be expected to."""
    match value:
        case Quantity():
            return (
                bool(equal(text, value))
                or _in_digits(text, value)
                or _is_on_other_scale(text, value)
                or _is_in_table(text, value)
            )
        case Date():
            return _holds_date(text, value)
        case Clock():
            return not text.clocks or any(_same_time(value, one) for one in text.clocks)
        case Version():
            return _holds_version(text, value)


def stands(text: Text, value: Value) -> bool:
    """Tell whether *value* is written in *text*, with all its parts."""
    if isinstance(value, Date):
        parts = (value.year, value.month, value.day)
        return any(parts == (one.year, one.month, one.day) for one in text.dates)
    return bool(places(text, value)) or (
        isinstance(value, Quantity) and _in_digits(text, value)
    )


def places(text: Text, value: Value) -> list[int]:
    """Return places of *text* where *value* stands."""
    match value:
        case Quantity():
            return [one.start for one in equal(text, value)]
        case Date():
            same = (one.start for one in text.dates if _overlap(value, one))
            return list(islice(same, _MOST))
        case Clock():
            return [one.start for one in text.clocks if _same_time(value, one)][:_MOST]
        case Version():
            some = text.versions[:_MOST_VERSIONS]
            same = (one.start for one in some if value.is_part_of(one))
            return list(islice(same, _MOST))


def equal(text: Text, value: Quantity) -> list[Quantity]:
    """Return quantities of *text* that *value* can stand for."""
    if value.unit == COUNT:
        return [*_between(text, WRITTEN, value.low, value.high)]
    # A cell of a table often has its unit in the head of the column.
    low, high = value.low / value.unit.factor, value.high / value.unit.factor
    return [*_of_dimension(text, value), *_between(text, COUNT.dimension, low, high)]


def _of_dimension(text: Text, value: Quantity) -> Iterator[Quantity]:
    slack = _CONVERTED * abs(value.amount)
    low, high = value.low - slack, value.high + slack
    for dimension in _dimensions(text, value.unit.dimension):
        for one in _between(text, dimension, low, high):
            is_near = value.low - _TINY * abs(value.low) <= one.amount
            is_near = is_near and one.amount <= value.high + _TINY * abs(value.high)
            if is_near or one.unit.factor != value.unit.factor:
                yield one


def _dimensions(text: Text, dimension: str) -> tuple[str, ...]:
    """Return the dimensions to look in; `$` of a Chinese page may be called 元."""
    is_yuan = dimension == YUAN and _HAN.search(text.flat)
    return (*comparable(dimension), *((DOLLAR,) if is_yuan else ()))


def _between(text: Text, dimension: str, low: float, high: float) -> Iterator[Quantity]:
    amounts = text.amounts.get(dimension, ())
    first = bisect_left(amounts, (low - abs(low) * _TINY, -1))
    last = bisect_right(amounts, (high + abs(high) * _TINY, len(amounts)))
    for _, number in amounts[first : min(last, first + _MOST)]:
        yield text.quantities[number]


def _in_digits(text: Text, value: Quantity) -> bool:
    """Find a plain number among the digits of names and versions: Node 24."""
    return value.unit == COUNT and value.digits in text.digits


def _is_on_other_scale(text: Text, value: Quantity) -> bool:
    """Tell whether *text* has the temperature in °C only, and *value* is in °F."""
    other = _OTHER_SCALE.get(value.unit.dimension)
    return other in text.amounts and value.unit.dimension not in text.amounts


def _is_in_table(text: Text, value: Quantity) -> bool:
    """Find an amount in a table whose head has its size: `Viewers (millions)`."""
    size = _SIZE.search(text.flat) if value.amount >= _LEAST_SIZED else None
    if size is None:
        return False
    factor = value.unit.factor * SIZES[size[1].lower()]
    low, high = value.low / factor, value.high / factor
    return any(_between(text, COUNT.dimension, low, high))


def _holds_date(text: Text, date: Date) -> bool:
    if not text.dates:
        return True  # a text without dates is silent about them
    return _holds_year(text, date.year) and _holds_day(text, date)


def _holds_year(text: Text, year: int | None) -> bool:
    years = {one.year for one in text.dates if one.year}
    if year is None or not years or year in years or str(year) in text.digits:
        return True
    if year + 1 in years and _YEAR_BEFORE.search(text.flat):
        return True
    return year - 1 in years and bool(_YEAR_AFTER.search(text.flat))


def _holds_day(text: Text, date: Date) -> bool:
    if date.month is None and date.day is None:
        return True
    days = [one for one in text.dates if one.month or one.day]
    ways = list(_readings(date))
    if not days or any(
        _is_day(read, way) for one in days for read in _readings(one) for way in ways
    ):
        return True
    months = date.day is None and f"{date.month}"
    return bool(months) and months in _RANGE_OF_MONTHS.findall(text.flat)


def _readings(date: Date) -> Iterator[Date]:
    """Yield a date, and with day and month the other way round where it is unsure."""
    yield date
    if date.is_unsure:
        yield replace(date, month=date.day, day=date.month)


def _is_day(one: Date, date: Date) -> bool:
    """Tell whether *one* is the day or the month of *date*, of no other year."""
    if date.year and one.year not in (None, date.year):
        return False
    if date.month and one.month != date.month and (one.month or not date.day):
        return False
    return date.day in (None, one.day)


def _overlap(date: Date, other: Date) -> bool:
    """Tell whether two dates agree in all parts that both have."""
    pairs = [
        (date.year, other.year),
        (date.month, other.month),
        (date.day, other.day),
    ]
    both = [(one, two) for one, two in pairs if one and two]
    return bool(both) and all(one == two for one, two in both)


def _same_time(one: Clock, two: Clock) -> bool:
    return (one.minutes - two.minutes) % _HALF_DAY == 0


def _holds_version(text: Text, version: Version) -> bool:
    """Tell whether a version stands, or no other version of the same program does."""
    some = text.versions[:_MOST_VERSIONS]
    rivals = [one for one in some if version.is_rival(one)]
    is_other = version.letters and any(one.name == version.name for one in rivals)
    if not is_other and not text.digits.isdisjoint((version.text, version.whole)):
        return True
    return not rivals or any(
        version.is_part_of(one) or version.is_within(one, text.flat) for one in rivals
    )
