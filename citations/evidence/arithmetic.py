"""Work a quantity out from others: sums, differences, shares, multiples, averages."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from citations.evidence.quantities import Quantity
from citations.evidence.units import COUNT, PERCENT, TIMES, comparable

_MOST: Final = 10  # operands
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
    some = _usable(wanted, operands)
    return any(
        _fits(wanted, amount, way)
        for way in _WAYS
        if not (is_announced or way.by_chance) or way.cue.search(sentence)
        for amount in way.results(wanted, some)
    )


def _usable(wanted: Quantity, operands: Sequence[Quantity]) -> list[Quantity]:
    some = [
        one
        for one in operands
        if one.amount > 0
        and (one.amount, one.unit.dimension) != (wanted.amount, wanted.unit.dimension)
    ]
    return some[-_MOST:]


def _fits(wanted: Quantity, amount: float, way: _Way) -> bool:
    slack = way.slack * abs(amount)
    return wanted.low - slack <= amount <= wanted.high + slack


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
    for one, other in combinations(some, 2):
        if {one.unit.dimension, other.unit.dimension} == {
            PERCENT,
            wanted.unit.dimension,
        }:
            yield one.amount * other.amount / _WHOLE
        if (
            wanted.unit.dimension == PERCENT
            and one.unit.dimension == other.unit.dimension
        ):
            low, high = sorted((one.amount, other.amount))
            parts = (low / high, high / low - 1, 1 - low / high)
            yield from (_WHOLE * part for part in parts)
            if one.unit == COUNT:  # 66 wins and 16 defeats, 2:3
                yield from (_WHOLE * part / (low + high) for part in (low, high))


def _multiples(wanted: Quantity, some: Sequence[Quantity]) -> _Amounts:
    """Yield quotients: a multiple of amounts of one kind, an average of two kinds."""
    for one, other in combinations(some, 2):
        low, high = sorted((one.amount, other.amount))
        same = one.unit.dimension == other.unit.dimension
        if same and wanted.unit.dimension in (TIMES, COUNT.dimension):
            yield high / low
        elif not same and wanted.unit.dimension in (
            one.unit.dimension,
            other.unit.dimension,
        ):
            yield from (one.amount / other.amount, other.amount / one.amount)
            yield from (one.written / other.written, other.written / one.written)
            yield one.amount * other.amount
    if wanted.unit.dimension == TIMES:
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
