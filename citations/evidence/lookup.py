"""Look a value up in the text of a source, and what it says in its place."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import Final

from citations.evidence.dates import Date
from citations.evidence.quantities import SIZES, Quantity
from citations.evidence.text import WRITTEN, IndexedText, count_shared
from citations.evidence.units import (
    COUNT,
    DAY,
    DOLLAR,
    SCORE,
    TIME,
    YUAN,
    Unit,
    comparable,
)
from citations.evidence.values import Value
from citations.evidence.versions import Version
from text.language import HAN
from text.rank import rank
from text.terms import is_character, terms, words

_MOST: Final = 30  # places of one value that are looked at
_MOST_VERSIONS: Final = 300  # of a text: a list of more is hostile
_LEAST: Final = 0.2  # score of a sentence that is quoted
_VALUE: Final = 0.05  # more for a shared value
_MOST_NEAR: Final = 3
_MOST_READ: Final = 8  # of the best sentences, for their values
_LEAST_SHARED: Final = 2  # words
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
            return _holds_amount(text, value)
        case Date():
            return _holds_date(text, value)
        case Version():
            return _holds_version(text, value)


def is_of_another(text: IndexedText, date: Date, version: Version) -> bool:
    """Tell whether *text* has a day beside other versions of *version* alone."""
    if not date.month:
        return False
    beside = [
        one
        for place in places(text, date)
        for one in text.part(text.sentence_at(place)).versions
    ]
    return any(map(version.is_rival, beside)) and not any(
        version.is_part_of(one) or one.is_part_of(version) for one in beside
    )


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
            same = (one.start for one in text.dates if one.agrees(value))
        case Version():
            some = text.versions[:_MOST_VERSIONS]
            same = (one.start for one in some if value.is_part_of(one))
    return [*islice(same, _MOST)]


def near(text: IndexedText, claim: str, own: Sequence[Value]) -> list[int]:
    """
    Return the sentences of *text* that say most of *claim*, the best first.

    One that holds a value of its *own*, however written, counts more. One common word
    says nothing where the claim has others, unless a value of the same kind is beside.
    """
    if not HAN.search(text.flat):  # then only names and numbers can be alike
        claim = HAN.sub(" ", claim)
    title = len(text.spans) - len(text.body.texts)
    known = {*terms(claim)}
    least = min(_LEAST_SHARED, count_shared(claim, known))
    scores: dict[int, float] = {}
    ranked = sorted(rank(claim, [text.body]), key=lambda one: -one.score)
    found = ((title + one.place - 1, one.score) for one in ranked)
    best = islice((one for one in found if not text.is_heading(one[0])), _MOST_READ)
    for number, fit in best:
        has_value = any(places(text.part(number), value) for value in own)
        score = fit + _VALUE * has_value
        if score > _LEAST and (
            has_value
            or count_shared(text.flat[slice(*text.spans[number])], known) >= least
            or any(
                _is_rival(other, value)
                for value in own
                for other in text.part(number).values
            )
        ):
            scores[number] = score
    return sorted(scores, key=lambda number: -scores[number])[:_MOST_NEAR]


def nearest(
    text: IndexedText,
    missing: Value,
    claim: str,
    said: Sequence[Value],
    numbers: Sequence[int],
) -> str:
    """
    Return what sentences have in place of *missing*, by their *numbers*; '' if unsure.

    It is of the same kind and stands among the same words, or it is the only one and
    of similar size. Values that the claim has *said* too are no rivals.
    """
    around = _words_beside(claim, missing.start, missing.end)
    said_dates = {one.parts for one in said if isinstance(one, Date)}
    said_others = [one for one in said if not isinstance(one, Date)]
    rivals: list[tuple[int, float, str]] = []
    for number in numbers:
        part = text.part(number)
        said_at = {place for one in said_others for place in places(part, one)}
        for one in part.values:
            is_said = isinstance(one, Date) and one.parts in said_dates
            is_said = is_said or one.start in said_at
            if _is_rival(one, missing) and not is_said:
                beside = _words_beside(part.flat, one.start, one.end)
                written = part.original[one.start : one.end].strip()
                closeness = _closeness(one, missing)
                rivals.append((len(around & beside), closeness, written))
    if not rivals:
        return ""
    shared, closeness, written = max(rivals, key=itemgetter(0, 1))
    is_only = len({rival[2] for rival in rivals}) == 1
    return written if shared or (is_only and closeness >= _CLOSE) else ""


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


def _equal(text: IndexedText, value: Quantity) -> Iterator[Quantity]:
    """Yield quantities of *text* that *value* can stand for."""
    mine, factor = value.unit
    if value.unit in (COUNT, TIME):
        where = WRITTEN if value.unit == COUNT else mine
        yield from _between(text, where, value.low, value.high)
        return
    dimensions = comparable(mine)
    if mine == YUAN and HAN.search(text.flat):  # which may call a `$` 元
        dimensions = (*dimensions, DOLLAR)
    slack = _CONVERTED * abs(value.amount)
    for dimension in dimensions:
        yield from _between(text, dimension, value.low, value.high)
        for one in _between(text, dimension, value.low - slack, value.high + slack):
            if one.unit.factor != factor:
                yield one
    # A cell of a table often has its unit in the head of the column.
    yield from _between(text, COUNT.dimension, value.low / factor, value.high / factor)


def _between(
    text: IndexedText, dimension: str, low: float, high: float
) -> Iterator[Quantity]:
    amounts = text.amounts.get(dimension, ())
    first = bisect_left(amounts, low - abs(low) * _TINY, key=itemgetter(0))
    last = bisect_right(amounts, high + abs(high) * _TINY, key=itemgetter(0))
    for _, quantity in amounts[first : min(last, first + _MOST)]:
        yield quantity


def _holds_amount(text: IndexedText, value: Quantity) -> bool:
    """Tell whether an amount stands, in a table too, or *text* can lack it."""
    if stands(text, value):
        return True
    # The head of a table may have the size of its amounts: `Viewers (millions)`.
    size = _SIZE.search(text.flat) if value.amount >= _LEAST_SIZED else None
    if size:
        factor = value.unit.factor * SIZES[size[1].lower()]
        low, high = value.low / factor, value.high / factor
        if any(_between(text, COUNT.dimension, low, high)):
            return True
    mine = value.unit.dimension
    if value.unit == SCORE and mine not in text.amounts:
        return {*map(str, divmod(int(value.amount), 1_000))} <= text.digits
    if value.unit == Unit("duration", DAY):  # 5 天, 历时5日
        return any(one.parts == (None, None, value.written) for one in text.dates)
    # A text without times is silent about them, and °C stands for °F.
    is_other = value.unit == TIME or _OTHER_SCALE.get(mine) in text.amounts
    return is_other and mine not in text.amounts


def _holds_date(text: IndexedText, date: Date) -> bool:
    """Tell whether the year and the day of a date stand, or *text* is silent."""
    if not text.dates:
        return True
    if date.day and not (date.month or date.year):  # 历时5日, 5 天
        days = date.day * DAY
        if any(_between(text, "duration", days, days)):
            return True

    year, years = date.year, {one.year for one in text.dates if one.year}
    is_same = year in years or str(year) in text.digits
    if year is not None and years and not is_same:
        is_told = any(
            year + distance in years and re.search(words, text.flat, re.IGNORECASE)
            for distance, words in _OTHER_YEAR.items()
        )
        if not is_told:
            return False

    days_told = [one for one in text.dates if one.month or one.day]
    if not days_told or (date.month is None and date.day is None):
        return True
    ways = [*date.readings]
    return any(
        reading.is_day_of(way)
        for one in days_told
        for reading in one.readings
        for way in ways
    ) or (not date.day and str(date.month) in _RANGE_OF_MONTHS.findall(text.flat))


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
