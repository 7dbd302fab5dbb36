"""Find what a source says in place of a value that it lacks."""

from collections.abc import Iterator, Sequence
from typing import Final

from citations.evidence.dates import Clock, Date
from citations.evidence.quantities import Quantity
from citations.evidence.sentences import Text
from citations.evidence.support import equal
from citations.evidence.values import Value, kind_of
from citations.evidence.versions import Version
from citations.evidence.words import words

_AROUND: Final = 5  # words on each side of a value
_FAR: Final = 20.0  # times: an amount further off is another thing
_CLOSE: Final = 0.5  # share of the other amount that one must be, to be named unasked


def nearest(
    text: Text, missing: Value, claim: str, said: Sequence[Value], near: Sequence[int]
) -> str:
    """
    Return what the sentences *near* have in place of *missing*; '' where it is unsure.

    It is of the same kind and stands among the same words, or it is the only one and
    of similar size. Values that the claim has *said* too are no rivals.
    """
    rivals = [
        one
        for number in near
        for one in _of_sentence(text, missing, number)
        if not any(_is_said(text, one, other) for other in said)
    ]
    if not rivals:
        return ""
    around = _around(claim, missing)
    best = max(rivals, key=lambda one: _agreement(text, one, missing, around))
    shared, closeness = _agreement(text, best, missing, around)
    if shared or (
        len({_written(text, one) for one in rivals}) == 1 and closeness >= _CLOSE
    ):
        return _written(text, best)
    return ""


def _of_sentence(text: Text, missing: Value, number: int) -> Iterator[Value]:
    """Yield the values of a sentence that could stand for *missing*."""
    start, end = text.spans[number]
    found: Sequence[Value]
    match missing:
        case Quantity():
            found = [
                one
                for one in text.quantities_of(number)
                if one.unit.dimension == missing.unit.dimension
                and _closeness(one, missing) * _FAR >= 1
                and bool(one.digits) == bool(missing.digits)
            ]
        case Date():
            found = [one for one in text.dates if _has_parts_of(one, missing)]
        case Clock():
            found = text.clocks
        case Version():
            inside = (one for one in text.versions if start <= one.start < end)
            found = [one for one in inside if missing.is_rival(one)]
    yield from (one for one in found if start <= one.start < end)


def _has_parts_of(one: Date, missing: Date) -> bool:
    parts = ("year", "month", "day")
    return all(getattr(one, p) for p in parts if getattr(missing, p))


def _is_said(text: Text, rival: Value, said: Value) -> bool:
    if isinstance(said, Quantity):
        return isinstance(rival, Quantity) and rival in equal(text, said)
    return kind_of(rival) == kind_of(said) and _parts(rival) == _parts(said)


def _parts(value: Value) -> object:
    match value:
        case Date():
            return value.year, value.month, value.day
        case Clock():
            return value.minutes
        case Version():
            return value.text
        case Quantity():
            return value.amount


def _agreement(
    text: Text, rival: Value, missing: Value, around: frozenset[str]
) -> tuple[int, float]:
    """Count the words that stand around both, then compare the amounts."""
    start, end = text.spans[text.sentence_at(rival.start)]
    beside = _words_beside(text.flat[start:end], rival.start - start, rival.end - start)
    return len(around & beside), _closeness(rival, missing)


def _around(claim: str, value: Value) -> frozenset[str]:
    return _words_beside(claim, value.start, value.end)


def _words_beside(sentence: str, start: int, end: int) -> frozenset[str]:
    found = words(sentence)
    left = [word.stem for word in found if word.end <= start][-_AROUND:]
    right = [word.stem for word in found if word.start >= end][:_AROUND]
    return frozenset(left + right)


def _closeness(one: Value, other: Value) -> float:
    """Return the smaller amount as a share of the larger one; 1 for dates."""
    if not (isinstance(one, Quantity) and isinstance(other, Quantity)):
        return 1.0
    low, high = sorted((abs(one.amount), abs(other.amount)))
    return low / high if high else 1.0


def _written(text: Text, value: Value) -> str:
    return text.original[value.start : value.end].strip()
