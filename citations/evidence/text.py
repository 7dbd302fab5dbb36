"""
Index the text of a source once, and quote its sentences.

An index holds the sentences, their words and values; it is plain data, so a worker can
make it and send it back.
"""

import math
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from citations.evidence.dates import Date
from citations.evidence.quantities import Quantity
from citations.evidence.units import TIME
from citations.evidence.values import Kind, Value, kind_of, values
from citations.evidence.versions import Version
from text.sentences import cut_at_pauses, sentence_spans
from text.terms import flat, stems, words

WRITTEN: Final = "written"  # key of the amounts of all dimensions, in written units
LONGEST: Final = 300  # characters of a quotation
_LEAST: Final = 0.16  # share of a sentence's weight that a quotation holds
_VALUE: Final = 2.0  # weight of a shared value, in common words
_PAIR: Final = 2  # characters
_HEADING: Final = 0.6  # share of the score that a title keeps

_AMOUNT = re.compile(r"\d+(?:[.,]\d+)*(?:\s?%|[\u3400-\u9fff])?")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Text:
    """A text of a source with all that is looked up in it."""

    original: str
    flat: str
    spans: tuple[tuple[int, int], ...]  # of the sentences
    words: dict[str, tuple[int, ...]]  # the sentences that hold a word
    values: tuple[Value, ...]
    dates: tuple[Date, ...]
    versions: tuple[Version, ...]
    amounts: dict[str, tuple[tuple[float, int], ...]]  # sorted, of each dimension
    digits: frozenset[str]  # of names and numbers, not of dates

    @property
    def quantities(self) -> Sequence[Quantity]:
        """All quantities, in their order."""
        return [one for one in self.values if isinstance(one, Quantity)]

    def sentence_at(self, place: int) -> int:
        """Return the number of the sentence that holds the character at *place*."""
        return max(0, bisect_right(self.spans, (place, len(self.flat) + 1)) - 1)

    def values_of(self, number: int) -> Sequence[Value]:
        """Return the values of a sentence."""
        first, last = (
            bisect_left(self.values, place, key=attrgetter("start"))
            for place in self.spans[number]
        )
        return self.values[first:last]


def index(text: str) -> Text:
    """Index *text*: a title, a line end, and the snippet or page, or any text."""
    plain = flat(text)
    spans = tuple(
        (begin + first, begin + last)
        for begin, end in sentence_spans(plain)
        for first, last in cut_at_pauses(plain[begin:end], LONGEST)
    )
    postings: dict[str, list[int]] = defaultdict(list)
    for number, (start, end) in enumerate(spans):
        for stem in stems(plain[start:end]):
            postings[stem].append(number)
    found = values(plain)
    return Text(
        original=text,
        flat=plain,
        spans=spans,
        words={stem: tuple(numbers) for stem, numbers in postings.items()},
        values=tuple(found),
        dates=tuple(one for one in found if isinstance(one, Date)),
        versions=tuple(one for one in found if isinstance(one, Version)),
        amounts=_amounts(found),
        digits=_digits(plain, found),
    )


def best_sentences(text: Text, claim: str, held: Sequence[int]) -> list[int]:
    """
    Return the sentences that say most of flat *claim*, the best first, if any does.

    *held* are the places in the text of values that the claim shares with it.
    """
    total, scores = 0.0, defaultdict[int, float](float)
    for stem in stems(claim):
        numbers = text.words.get(stem, ())
        weight = math.log(1 + (len(text.spans) + 1) / (len(numbers) + 1))
        total += weight
        for number in numbers:
            scores[number] += weight
    least = _LEAST * total
    common = math.log(1 + len(text.spans) / 2)
    for number in {text.sentence_at(place) for place in held}:
        scores[number] += _VALUE * common
    if text.original.count("\n", 0, LONGEST) and 0 in scores:
        scores[0] *= _HEADING
    order = sorted(scores, key=lambda number: (-scores[number], number))
    return [number for number in order[:3] if scores[number] > least]


def quoted(text: Text, number: int) -> str:
    """Return a sentence letter for letter, as it stands in the source."""
    start, end = text.spans[number]
    return text.original[start:end]


def shared_words(sentence: str, quote: str) -> list[tuple[int, int]]:
    """Return the places in *quote* of the words and amounts that *sentence* has too."""
    plain, said = flat(quote), flat(sentence)
    known = stems(said)
    found = [(one.start, one.end) for one in words(plain) if one.stem in known]
    found += [one.span() for one in _AMOUNT.finditer(plain) if one[0] in said]
    places: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if places and start <= places[-1][1]:  # pairs of one Chinese run
            places[-1] = (places[-1][0], max(end, places[-1][1]))
        else:
            places.append((start, end))
    return [place for place in places if _begins_a_word(plain, *place)]


def _begins_a_word(text: str, start: int, end: int) -> bool:
    """Tell whether a place is a whole word; a lone Chinese pair may be half of two."""
    is_pair = not text[start].isascii() and end - start == _PAIR
    return not is_pair or not text[start - 1 : start].isalpha()


def _amounts(found: Sequence[Value]) -> dict[str, tuple[tuple[float, int], ...]]:
    by: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for number, one in enumerate(found):
        if isinstance(one, Quantity):
            by[one.unit.dimension].append((one.amount, number))
            if one.unit != TIME:
                by[WRITTEN].append((one.written, number))
    return {dimension: tuple(sorted(pairs)) for dimension, pairs in by.items()}


def _digits(text: str, found: Sequence[Value]) -> frozenset[str]:
    """Collect the digits that stand alone or in names: 24.11.0 holds 24 and 24.11."""
    rest = [*text]
    for one in found:
        if kind_of(one) in (Kind.DATE, Kind.TIME):
            rest[one.start : one.end] = "\0" * (one.end - one.start)
    runs: set[str] = set()
    for match in _DIGITS.finditer("".join(rest)):
        parts = match[0].replace(",", "").split(".")
        runs.update(".".join(parts[:count]) for count in {1, 2, len(parts)})
    # A year can look like a plain number: "fiscal 2025".
    runs.update(str(one.year) for one in found if isinstance(one, Date) and one.year)
    return frozenset(runs)
