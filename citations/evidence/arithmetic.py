"""
Work a quantity out from others: sums, differences, shares, multiples, averages.

A duration is worked out from two dates, a year from a date and a duration.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date as Day  # noqa: N812 -- a date here may lack its parts
from itertools import combinations, product
from typing import Final

from citations.evidence.dates import Date
from citations.evidence.quantities import Quantity
from citations.evidence.units import COUNT, DAY, PERCENT, TIME, TIMES, YEAR, comparable

_MOST: Final = 10  # operands
_DATES: Final = 8
_MONTHS: Final = 12
_LAST_YEAR: Final = 9_999
_TERMS: Final = 4  # of a sum
_WHOLE: Final = 100.0
_RATIOS: Final = (PERCENT, TIMES)

_Amounts = Iterator[float]


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to work a quantity out, and the words that announce it."""

    cue: re.Pattern[str]
    results: Callable[[Quantity, Sequence[Quantity]], _Amounts]
    slack: float = 1e-9  # share that a result may be off
    by_chance: bool = False  # fits too often to be believed without its words


def is_worked_out(
    wanted: Quantity,
    operands: Sequence[Quantity],
    sentence: str,
    *,
    is_announced: bool = False,
) -> bool:
    """
    Tell whether *wanted* can be worked out from *operands*.

    A sum only where words of *sentence* announce it, for many sums fit by chance; with
    *is_announced* this holds for all ways.
    """
    if wanted.unit == TIME:  # not even by chance
        return False
    mine = wanted.amount, wanted.unit.dimension
    some = [
        one
        for one in operands
        if one.amount > 0 and (one.amount, one.unit.dimension) != mine
    ][-_MOST:]
    return any(
        wanted.low <= amount * (1 + way.slack)
        and amount * (1 - way.slack) <= wanted.high
        for way in _WAYS
        if not (is_announced or way.by_chance) or way.cue.search(sentence)
        for amount in way.results(wanted, some)
    )


def is_between(wanted: Quantity, said: Sequence[Date], before: Sequence[Date]) -> bool:
    """
    Tell whether *wanted* is the time between two dates, give or take a day.

    Both are *said* with it, or one of them *before*; without any said, the last ones
    before count.
    """
    if wanted.unit.dimension != "duration":
        return False
    before = before[-_DATES:]
    # Who is 25 has lived for 25 years, and up to a year more.
    high = max(wanted.high, wanted.amount + wanted.place) if wanted.unit == YEAR else 0
    pairs = [*combinations(said[:_DATES], 2), *product(said[:_DATES], before)]
    return any(
        low * DAY <= max(high, wanted.high) and wanted.low <= most * DAY
        for one, other in pairs or combinations(before, 2)
        for low, most in _days_between(one, other)
    )


def is_counted_from(
    year: Date, said: Sequence[Date], durations: Sequence[Quantity]
) -> bool:
    """Tell whether *year* is some years before or after one of *said*."""
    if not year.year or year.month or year.day:
        return False
    spans = {round(one.written) for one in durations if one.unit == YEAR}
    return any(one.year and abs(one.year - year.year) in spans for one in said)


def _alike(wanted: Quantity, some: Sequence[Quantity]) -> list[float]:
    """Return amounts of the kind that is wanted; a plain number may be of any kind."""
    mine, kinds = wanted.unit.dimension, comparable(wanted.unit.dimension)
    plain = mine not in _RATIOS
    amounts = []
    for one in some:
        if one.unit.dimension in kinds:
            amounts.append(one.amount)
        elif plain and mine == COUNT.dimension and one.unit.dimension not in _RATIOS:
            amounts.append(one.written)
        elif plain and one.unit == COUNT:
            amounts.append(one.amount * wanted.unit.factor)
    return amounts


def _sums(wanted: Quantity, some: Sequence[Quantity]) -> _Amounts:
    if wanted.unit.dimension not in _RATIOS:
        for count in range(2, _TERMS + 1):
            yield from map(sum, combinations(_alike(wanted, some), count))


def _differences(wanted: Quantity, some: Sequence[Quantity]) -> _Amounts:
    for one, other in combinations(_alike(wanted, some), 2):
        yield abs(one - other)


def _rests(wanted: Quantity, some: Sequence[Quantity]) -> _Amounts:
    if wanted.unit.dimension == PERCENT:
        yield from (_WHOLE - amount for amount in _alike(wanted, some))


def _shares(wanted: Quantity, some: Sequence[Quantity]) -> _Amounts:
    """Yield shares and changes in percent, and parts of a whole."""
    mine = wanted.unit.dimension
    for one, other in combinations(some, 2):
        if {one.unit.dimension, other.unit.dimension} == {PERCENT, mine}:
            yield one.amount * other.amount / _WHOLE
        if mine == PERCENT and one.unit.dimension == other.unit.dimension:
            low, high = sorted((one.amount, other.amount))
            parts = (low / high, high / low - 1, 1 - low / high)
            yield from (_WHOLE * part for part in parts)
            if one.unit == COUNT:  # 66 wins and 16 defeats, 2:3
                yield from (_WHOLE * part / (low + high) for part in (low, high))


def _multiples(wanted: Quantity, some: Sequence[Quantity]) -> _Amounts:
    """Yield quotients: a multiple of amounts of one kind, an average of two kinds."""
    mine = wanted.unit.dimension
    for one, other in combinations(some, 2):
        low, high = sorted((one.amount, other.amount))
        if one.unit.dimension == other.unit.dimension:
            if mine in (TIMES, COUNT.dimension):
                yield high / low
        elif mine in (one.unit.dimension, other.unit.dimension):
            yield from (one.amount / other.amount, other.amount / one.amount)
            yield from (one.written / other.written, other.written / one.written)
            yield one.amount * other.amount
    if mine == TIMES:
        yield from (
            1 + one.amount / _WHOLE for one in some if one.unit.dimension == PERCENT
        )


_SUM = (
    r"合计|总|共|加起来|之和|即|也就是|前后"
    r"|\b(?:total|combined|altogether|together|sum|in all|makes)\b"
)
_DIFFERENCE = (
    r"相差|[高温时价落]差|差距|净增|历时|为期|[间时相]隔|增加|减少|降\s*\d|之后|区间|跨度|未|其余"
    r"|[多少高低快慢长短大小早晚]出?了?\s*[约近]?\s*\d"
    r"|\b(?:difference|gap|more than|fewer|less|later|after|apart|lasted|points?"
    r"|increase|decrease|drop)\b"
)
_SHARE = (
    r"占|比例|份额|率|[增涨跌降]幅|增长|下降|减少|其余|剩"
    r"|\b(?:share|of the total|growth|grew|of all|rest|remaining|increase|more"
    r"|decrease|accounts? for|percent|or about|averages?)\b"
)
_MULTIPLE = (
    r"倍|翻|平均|人均|每|各|之比|总价|计算"
    r"|\b(?:times|fold|twice|double|triple|averaged?|per|each|ratio|half|in all|total"
    r"|an? (?:year|month|week|day|season|game|person))\b"
)
_WAYS: Final = (
    _Way(re.compile(""), _rests),
    _Way(re.compile(_SUM, re.IGNORECASE), _sums, by_chance=True),
    _Way(re.compile(_DIFFERENCE, re.IGNORECASE), _differences),
    _Way(re.compile(_SHARE, re.IGNORECASE), _shares, slack=0.001),
    _Way(re.compile(_MULTIPLE, re.IGNORECASE), _multiples, slack=0.005),
)


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
