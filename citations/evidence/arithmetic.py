"""
Work a value out from others: sums, differences, shares, multiples, averages, durations.

Among many operands something fits any value: of values that do not stand together a
result counts only where few others are as near, by the expected number of chance fits.
"""

import math
import re
from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date as Day  # noqa: N812 -- a date here may lack its parts
from itertools import chain, combinations, product, zip_longest
from typing import Final, Literal

from citations.evidence.dates import Date
from citations.evidence.quantities import Quantity
from citations.evidence.units import (
    COUNT,
    DAY,
    PERCENT,
    POINTS,
    TIME,
    TIMES,
    YEAR,
    Unit,
    comparable,
)

_MOST: Final = 12  # operands
_MOST_TOGETHER: Final = 8  # of a sentence of a source
_MOST_TERMS: Final = 4  # of a sum
_BY_CHANCE: Final = 0.5  # expected fits of two dates, from which on none is believed
_NEAR: Final = 3.0  # times: results that far off tell how dense they are
_OFF: Final = 1e-9  # share that a result may be off
_LAST_YEAR: Final = 9_999
_HALF_DAY: Final = 12 * 60
_WHOLE: Final = 100.0
# Months of a year, days, hours, minutes: what `a year` and `daily` stand for.
_CALENDAR: Final = tuple(
    Quantity(0, 0, amount, COUNT)
    for amount in (12.0, 365.0, 7.0, 24.0, 60.0, 30.0, 52.0)
)

_LIKELY: Final = ("difference", "share", "multiple")  # also without its words
_Span = tuple[float, float]
_Way = Literal["sum", "difference", "share", "multiple"]
_CUES: Final[dict[_Way, re.Pattern[str]]] = {
    "sum": re.compile(
        r"合计|总|共|加起来|之和|\b(?:total|combined|together|sum|in all|makes)\b",
        re.IGNORECASE,
    ),
    "difference": re.compile(
        r"差|净|[间时相]隔|[增减]|之后|未|其余|剩|省"
        r"|[多少高低快慢长短大小早晚远近贵重轻深]出?了?\s*[约近]?\s*\d"
        r"|\b(?:difference|gap|apart|more|fewer|less|later|after|left|increase"
        r"|decrease|rose|fell|lost)\b|\d[^.,;]{0,20} [a-z]+er\b",
        re.IGNORECASE,
    ),
    "share": re.compile(
        r"占|比例|份额|率|[增涨跌降]幅|增长|下降|减少|其余|剩|升|涨|提高"
        r"|\b(?:share|growth|grew|rest|increase|more|decrease|accounts? for|percent"
        r"|rose|fell|drop|rate|of)\b",
        re.IGNORECASE,
    ),
    "multiple": re.compile(
        r"倍|平均|人均|均|每|各|共|年"
        r"|\b(?:times|fold|twice|double|average|per|each|ratio|half|in all|total"
        r"|an? (?:[a-z]+))\b",
        re.IGNORECASE,
    ),
}


def is_worked_out(
    wanted: Quantity,
    sentence: str,
    said: Sequence[Quantity],
    before: Sequence[Quantity],
    held: Sequence[Sequence[Quantity]],
    *,
    is_reckoned: bool,
) -> bool:
    """
    Tell whether *wanted* can be worked out from other values.

    Those *said* in its *sentence* belong together, and so do those of each sentence of
    a source, *held*. Of several sentences, and of that *before*, chance must not
    explain it, and words must announce the calculation, except where much *is_reckoned*
    in the answer.
    """
    if wanted.unit == TIME:  # not even by chance
        return False
    own, earlier = (
        _operands(wanted, said),
        _operands(wanted, (*said, *reversed(before))),
    )
    each = [_operands(wanted, some[:_MOST_TOGETHER]) for some in held]
    pool = _operands(wanted, [*chain.from_iterable(zip_longest(*each))])
    announced = {way for way, cue in _CUES.items() if cue.search(sentence)}
    together = dict.fromkeys((*_LIKELY, *announced), math.inf)
    apart = dict.fromkeys(announced, 0.3)
    if is_reckoned:
        together = dict.fromkeys(_CUES, math.inf)
        apart = dict.fromkeys(_CUES, 0.3) | dict.fromkeys(announced, math.inf)
    return (
        any(_makes(wanted, combinations(n, 2), n, together) for n in (own, *each))
        or _makes(wanted, combinations(earlier, 2), earlier, apart)
        or _makes(wanted, product(earlier, pool), (), apart)
        or _makes(wanted, combinations(pool, 2), pool, apart)
        or _makes(
            wanted,
            product((*earlier, *pool), _CALENDAR),
            (),
            {way: apart[way] for way in apart if way == "multiple"},
        )
    )


def _makes(
    wanted: Quantity,
    pairs: Iterable[tuple[Quantity, Quantity]],
    terms: Sequence[Quantity],
    limits: Mapping[_Way, float],
) -> bool:
    results: dict[_Way, list[_Span]] = {way: [] for way in _CUES}
    for one, other in pairs:
        for way, amount in _results(wanted, one, other):
            results[way].append((amount, amount))
    if wanted.unit.dimension != TIMES:
        amounts = [_as(wanted.unit, one) for one in terms]
        alike = [amount for amount in amounts if amount is not None]
        for count in range(3, _MOST_TERMS + 1):
            results["sum"] += ((sum(some),) * 2 for some in combinations(alike, count))
    for one in terms:  # 150 % more is 2.5 times, and leaves nothing of a whole
        if one.unit.dimension == PERCENT and wanted.unit.dimension == PERCENT:
            results["share"].append((_WHOLE - one.amount,) * 2)
        elif one.unit.dimension == PERCENT and wanted.unit.dimension == TIMES:
            results["multiple"].append((1 + one.amount / _WHOLE,) * 2)
    return any(
        way in limits and _fits(wanted, found, limits[way])
        for way, found in results.items()
    )


def is_between(
    wanted: Quantity,
    said: Sequence[Date],
    before: Sequence[Date],
    held: Sequence[Sequence[Date]],
) -> bool:
    """
    Tell whether *wanted* is the time between two dates, give or take a day.

    One of them is *said* with it, or both stand in the sentence *before*, or in one of
    those *held*; else chance must not explain it.
    """
    if wanted.unit.dimension != "duration":
        return False
    said, before = _last(said), _last(before)
    pool = _last([*chain.from_iterable(held)])
    own = [*combinations(said, 2), *product(said, before)] or combinations(before, 2)
    alone = (
        (*combinations(days[:_MOST], 2), *product(days[:_MOST], said)) for days in held
    )
    return any(
        _fits(wanted, chain.from_iterable(_between(*pair) for pair in pairs), limit)
        for pairs, limit in (
            (chain(own, *alone), math.inf),
            (product((*before, *said), pool), _BY_CHANCE),
            (combinations(pool, 2), _BY_CHANCE),
        )
    )


def is_counted_from(
    year: Date, dates: Sequence[Date], durations: Sequence[Quantity]
) -> bool:
    """Tell whether *year* is some years before or after one of *dates*."""
    if not year.year or year.month or year.day:
        return False
    spans = {round(one.written) for one in durations if one.unit == YEAR}
    return any(one.year and abs(one.year - year.year) in spans for one in dates)


def _fits(wanted: Quantity, results: Iterable[_Span], limit: float) -> bool:
    """Tell whether one of the *results* is *wanted*, and hardly by chance."""
    # Who is 25 has lived for 25 years, and up to a year more.
    more = wanted.amount + wanted.place if wanted.unit == YEAR else 0.0
    low, high = wanted.low * (1 - _OFF), max(more, wanted.high) * (1 + _OFF)
    near: set[_Span] = set()
    is_hit = False
    for first, last in results:
        if wanted.amount / _NEAR <= last and first <= wanted.amount * _NEAR:
            is_hit = is_hit or (low <= last and first <= high)
            near.add((round(first, 9), round(last, 9)))
    if not (is_hit and wanted.amount):  # next to nothing there is no chance
        return is_hit
    step = max(high - low, wanted.place) / wanted.amount
    width = (
        step + sum((last - first) for first, last in near) / len(near) / wanted.amount
    )
    return (len(near) - 1) * width / math.log(_NEAR**2) <= limit


def _operands(wanted: Quantity, some: Sequence[Quantity | None]) -> list[Quantity]:
    """Return what may be reckoned with: each amount once, the last ones, not itself."""
    mine = wanted.amount, wanted.unit.dimension
    each = {
        (one.amount, one.unit.dimension): one for one in some if one and one.amount > 0
    }
    return [one for key, one in each.items() if key != mine][:_MOST]


def _last(dates: Sequence[Date]) -> list[Date]:
    return [*{date.parts: date for date in dates}.values()][-_MOST:]


def _as(unit: Unit, one: Quantity) -> float | None:
    """Return the amount of *one* in the dimension of *unit*; a plain number in any."""
    if one.unit.dimension in comparable(unit.dimension):
        return one.amount
    if unit.dimension in (PERCENT, TIMES) or one.unit.dimension in (PERCENT, TIMES):
        return None
    if one.unit == COUNT:
        return one.amount * unit.factor
    return one.written if unit == COUNT else None


def _results(
    wanted: Quantity, one: Quantity, other: Quantity
) -> Iterator[tuple[_Way, float]]:
    """Yield what two operands make of the dimension that is wanted."""
    unit, mine = wanted.unit, wanted.unit.dimension
    kinds = {one.unit.dimension, other.unit.dimension}
    if TIME.dimension in kinds:
        if len(kinds) == 1 and mine == "duration":
            gap = (one.amount - other.amount) % _HALF_DAY
            yield from (
                ("difference", 60 * gap),
                ("difference", 60 * (_HALF_DAY - gap)),
            )
        return
    first, second = _as(unit, one), _as(unit, other)
    if first is not None and second is not None:
        yield from (("difference", abs(first - second)), ("sum", first + second))
    low, high = sorted((one.amount, other.amount))
    if len(kinds) == 1 and mine in (PERCENT, POINTS):
        parts = (low / high, high / low - 1, 1 - low / high)
        yield from (("share", _WHOLE * part) for part in parts)
        yield from (("share", _WHOLE * part / (low + high)) for part in (low, high))
    elif len(kinds) == 1 and mine in (TIMES, COUNT.dimension):
        yield from (("multiple", high / low), ("multiple", high * low))
    elif PERCENT in kinds:
        share, whole = (one, other) if one.unit.dimension == PERCENT else (other, one)
        base, part = _as(unit, whole), share.amount / _WHOLE
        if base is not None:
            yield from (("share", base * part), ("share", base * (1 + part)))
            yield from (("share", base / (1 + part)), ("share", base / part))
            yield "share", base * abs(1 - part)
    elif mine not in (PERCENT, TIMES):
        yield from _rates(wanted, one, other)


def _rates(
    wanted: Quantity, one: Quantity, other: Quantity
) -> Iterator[tuple[_Way, float]]:
    """Yield products and quotients of amounts of two kinds: a total, an average."""
    mine, factor = wanted.unit
    kinds = {one.unit.dimension, other.unit.dimension}
    for value, by in ((one, other), (other, one)):
        if value.unit.dimension == mine:
            yield "multiple", value.amount / by.written
            if by.unit.factor != 1:
                yield "multiple", value.amount / by.amount
            if value is one or len(kinds) > 1:
                yield "multiple", value.amount * by.written
    if mine not in kinds and COUNT.dimension not in kinds:
        low, high = sorted((one.written, other.written))
        yield from (
            ("multiple", high / low * factor),
            ("multiple", low * high * factor),
        )


def _between(one: Date, other: Date) -> list[_Span]:
    """Return the least and the most time between two dates; nothing if unknown."""
    year = one.year or other.year
    if year is None or not 1 <= max(one.year or 1, other.year or 1) < _LAST_YEAR:
        return []
    first, last = sorted((_days(one, year), _days(other, other.year or year)))
    if first == last:
        return []
    low, high = max(0, last[0] - first[1] - 1), last[1] - first[0] + 1
    return [(low * DAY, high * DAY)]


def _days(date: Date, year: int) -> tuple[int, int]:
    """Return the first and the last day that *date* can be."""
    year = date.year or year
    first_month, last_month = date.month or 1, date.month or 12
    longest = monthrange(year, last_month)[1]
    day = min(date.day, longest) if date.day else None
    first = Day(year, first_month, day or 1)
    return first.toordinal(), Day(year, last_month, day or longest).toordinal()
