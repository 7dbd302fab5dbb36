"""Look a value up in the text of a source, and what it says in its place."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from citations.evidence.dates import Date
from citations.evidence.quantities import SIZES, Quantity
from citations.evidence.text import WRITTEN, IndexedText
from citations.evidence.units import COUNT, DOLLAR, TIME, YUAN, comparable
from citations.evidence.values import Value
from citations.evidence.versions import Version
from text.language import HAN
from text.terms import is_character, words

_MOST: Final = 30  # places of one value that are looked at
_MOST_VERSIONS: Final = 300  # of a text: a list of more is hostile
_CONVERTED: Final = 0.006  # share that an amount in another unit may be off
_TINY: Final = 1e-9
_OTHER_SCALE: Final = {"Celsius": "Fahrenheit", "Fahrenheit": "Celsius"}
_LEAST_SIZED: Final = 1_000.0
_SIZE = re.compile(
    r"[(] ?(?:单位:? ?)?(?:in )?(?:US)?[$€£]? ?(thousand|million|billion|百万|万|亿)s?"
    r"[^()]{0,8}[)]",
    re.IGNORECASE,
)
# Words for a year that is told from another one, so many years after it.
_OTHER_YEAR: Final = {
    1: r"上年|去年|前一年|同比|上一年|\b(?:previous|prior|last) year"
    r"|year[- ](?:over[- ]year|earlier|ago|on[- ]year)|a year (?:ago|earlier)",
    -1: r"翌年|次年|第二年|下一年|来年|明年|隔年|\b(?:following|next) year"
    r"|a year later",
}
# Months of a range are no dates: they may be those of a year so far.
_RANGE_OF_MONTHS = re.compile(
    r"(?<!\d)(1[0-2]|[1-9]) ?(?:月|(?=[-\u2013\u2014~至到、,] ?\d{1,2} ?月))"
)
_AROUND: Final = 5  # words on each side of a value
_FAR: Final = 20.0  # times: an amount further off is another thing
_CLOSE: Final = 0.5  # share of the other amount that one must be, to be named unasked


def holds(text: IndexedText, value: Value) -> bool:
    """Tell whether *text* holds *value*, or could not be expected to."""
    match value:
        case Quantity():
            return (
                stands(text, value)
                or _is_silent(text, value)
                or _is_in_table(text, value)
            )
        case Date():
            return _holds_date(text, value)
        case Version():
            return _holds_version(text, value)


def stands(text: IndexedText, value: Value) -> bool:
    """Tell whether *value* is written in *text*, with all its parts."""
    if isinstance(value, Quantity) and value.unit == COUNT:
        # Digits of names and versions count too: Node 24.
        return value.digits in text.digits or bool(places(text, value))
    if isinstance(value, Date):
        return any(one.parts == value.parts for one in text.dates)
    return bool(places(text, value))


def places(text: IndexedText, value: Value) -> list[int]:
    """Return places of *text* where *value* stands; of a date also a part of it."""
    match value:
        case Quantity():
            return [one.start for one in _equal(text, value)]
        case Date():
            same = (one.start for one in text.dates if _agrees(one, value))
        case Version():
            some = text.versions[:_MOST_VERSIONS]
            same = (one.start for one in some if value.is_part_of(one))
    return [*islice(same, _MOST)]


def nearest(
    text: IndexedText,
    missing: Value,
    claim: str,
    said: Sequence[Value],
    near: Sequence[int],
) -> str:
    """
    Return what the sentences *near* have in place of *missing*; '' where it is unsure.

    It is of the same kind and stands among the same words, or it is the only one and
    of similar size. Values that the claim has *said* too are no rivals.
    """
    rivals = [
        one
        for number in near
        for one in text.values_of(number)
        if _is_rival(one, missing)
        and not any(_is_said(text, one, other) for other in said)
    ]
    if not rivals:
        return ""
    around = _words_beside(claim, missing.start, missing.end)
    ranks = {
        one: (len(around & _around(text, one)), _closeness(one, missing))
        for one in rivals
    }
    best = max(rivals, key=lambda one: ranks[one])
    shared, closeness = ranks[best]
    is_only = len({_written(text, one) for one in rivals}) == 1
    return _written(text, best) if shared or (is_only and closeness >= _CLOSE) else ""


def _is_rival(one: Value, missing: Value) -> bool:
    """Tell whether *one* could stand for *missing*."""
    match one, missing:
        case Quantity(), Quantity():
            return (
                one.unit.dimension == missing.unit.dimension
                and _closeness(one, missing) * _FAR >= 1
                and bool(one.digits) == bool(missing.digits)
            )
        case Date(), Date():
            return all(
                other is not None
                for mine, other in zip(missing.parts, one.parts, strict=True)
                if mine
            )
        case Version(), Version():
            return missing.is_rival(one)
        case _:
            return False


def _is_said(text: IndexedText, rival: Value, said: Value) -> bool:
    if isinstance(said, Date) and isinstance(rival, Date):
        return rival.parts == said.parts
    return not isinstance(said, Date) and rival.start in places(text, said)


def _around(text: IndexedText, one: Value) -> frozenset[str]:
    start, end = text.spans[text.sentence_at(one.start)]
    return _words_beside(text.flat[start:end], one.start - start, one.end - start)


def _words_beside(sentence: str, start: int, end: int) -> frozenset[str]:
    found = [w for w in words(sentence) if not is_character(w.term)]
    left = [word.term for word in found if word.end <= start][-_AROUND:]
    right = [word.term for word in found if word.start >= end][:_AROUND]
    return frozenset(left + right)


def _closeness(one: Value, other: Value) -> float:
    """Return the smaller amount as a share of the larger one; 1 for dates, times."""
    if not (isinstance(one, Quantity) and isinstance(other, Quantity)):
        return 1.0
    if one.unit == TIME:
        return 1.0
    low, high = sorted((abs(one.amount), abs(other.amount)))
    return low / high if high else 1.0


def _written(text: IndexedText, value: Value) -> str:
    return text.original[value.start : value.end].strip()


def _equal(text: IndexedText, value: Quantity) -> list[Quantity]:
    """Return quantities of *text* that *value* can stand for."""
    if value.unit == COUNT:
        return [*_between(text, WRITTEN, value.low, value.high)]
    if value.unit == TIME:
        return [*_between(text, TIME.dimension, value.low, value.high)]
    # A cell of a table often has its unit in the head of the column.
    low, high = value.low / value.unit.factor, value.high / value.unit.factor
    return [*_of_dimension(text, value), *_between(text, COUNT.dimension, low, high)]


def _of_dimension(text: IndexedText, value: Quantity) -> Iterator[Quantity]:
    slack = _CONVERTED * abs(value.amount)
    for dimension in _dimensions(text, value.unit.dimension):
        yield from _between(text, dimension, value.low, value.high)
        for one in _between(text, dimension, value.low - slack, value.high + slack):
            if one.unit.factor != value.unit.factor:
                yield one


def _dimensions(text: IndexedText, dimension: str) -> tuple[str, ...]:
    """Return the dimensions to look in; `$` of a Chinese page may be called 元."""
    is_yuan = dimension == YUAN and HAN.search(text.flat)
    return (*comparable(dimension), *((DOLLAR,) if is_yuan else ()))


def _between(
    text: IndexedText, dimension: str, low: float, high: float
) -> Iterator[Quantity]:
    amounts = text.amounts.get(dimension, ())
    first = bisect_left(amounts, (low - abs(low) * _TINY, -1))
    last = bisect_right(amounts, (high + abs(high) * _TINY, len(amounts)))
    for _, number in amounts[first : min(last, first + _MOST)]:
        one = text.values[number]
        if isinstance(one, Quantity):
            yield one


def _is_silent(text: IndexedText, value: Quantity) -> bool:
    """Tell whether *text* has no time of day, or only °C where *value* is in °F."""
    mine = value.unit.dimension
    other = _OTHER_SCALE.get(mine)
    is_other = value.unit == TIME or other in text.amounts
    return is_other and mine not in text.amounts


def _is_in_table(text: IndexedText, value: Quantity) -> bool:
    """Find an amount in a table whose head has its size: `Viewers (millions)`."""
    size = _SIZE.search(text.flat) if value.amount >= _LEAST_SIZED else None
    if size is None:
        return False
    factor = value.unit.factor * SIZES[size[1].lower()]
    low, high = value.low / factor, value.high / factor
    return any(_between(text, COUNT.dimension, low, high))


def _holds_date(text: IndexedText, date: Date) -> bool:
    if not text.dates:
        return True  # a text without dates is silent about them
    return _holds_year(text, date.year) and _holds_day(text, date)


def _holds_year(text: IndexedText, year: int | None) -> bool:
    years = {one.year for one in text.dates if one.year}
    if year is None or not years or year in years or str(year) in text.digits:
        return True
    return any(
        year + distance in years and re.search(words, text.flat, re.IGNORECASE)
        for distance, words in _OTHER_YEAR.items()
    )


def _holds_day(text: IndexedText, date: Date) -> bool:
    if date.month is None and date.day is None:
        return True
    days = [one for one in text.dates if one.month or one.day]
    ways = list(_readings(date))
    if not days or any(
        _is_day(read, way) for one in days for read in _readings(one) for way in ways
    ):
        return True
    return not date.day and str(date.month) in _RANGE_OF_MONTHS.findall(text.flat)


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


def _agrees(one: Date, date: Date) -> bool:
    """Tell whether two dates agree in all parts that both have."""
    pairs = zip(one.parts, date.parts, strict=True)
    both = [(mine, other) for mine, other in pairs if mine and other]
    return bool(both) and all(mine == other for mine, other in both)


def _holds_version(text: IndexedText, version: Version) -> bool:
    """Tell whether a version stands, or no other version of the same program does."""
    some = text.versions[:_MOST_VERSIONS]
    rivals = [one for one in some if version.is_rival(one)]
    is_other = version.letters and any(one.name == version.name for one in rivals)
    if not is_other and not text.digits.isdisjoint((version.text, version.whole)):
        return True
    return not rivals or any(
        version.is_part_of(one) or version.is_within(one, text.flat) for one in rivals
    )
