"""
Index the text of a source once, and quote its sentences.

An index holds the sentences and values; it is plain data, so a worker can make it and
send it back.
"""

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
from text.language import HAN
from text.rank import CutPage, Passage, rank
from text.sentences import cut
from text.terms import flat, is_character, terms, words

WRITTEN: Final = "written"  # key of the amounts of all dimensions, in written units
LONGEST: Final = 300  # characters of a quotation
_LEAST: Final = 0.2  # score of a sentence that is quoted
_VALUE: Final = 0.05  # more for a shared value
_MOST_NEAR: Final = 3
_PAIR: Final = 2  # characters

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class IndexedText:
    """A text of a source with all that is looked up in it."""

    original: str
    flat: str
    spans: tuple[tuple[int, int], ...]  # of the sentences
    body: CutPage  # the sentences behind the title
    values: tuple[Value, ...]
    dates: tuple[Date, ...]
    versions: tuple[Version, ...]
    amounts: dict[str, tuple[tuple[float, int], ...]]  # sorted, of each dimension
    digits: frozenset[str]  # of names and numbers, not of dates

    @property
    def quantities(self) -> Sequence[Quantity]:
        """All quantities, in their order."""
        return [value for value in self.values if isinstance(value, Quantity)]

    def near(self, claim: str, held: Sequence[int] = ()) -> list[int]:
        """
        Return the sentences that say most of *claim*, the best first, if any do.

        *held* are the places of values that the claim shares, however they are written.
        """
        if not HAN.search(self.flat):  # then only names and numbers can be alike
            claim = HAN.sub(" ", claim)
        title = len(self.spans) - len(self.body.texts)
        scores = {
            title + sentence.place - 1: sentence.score
            for sentence in rank(claim, [self.body])
        }
        for number in {self.sentence_at(place) for place in held} & scores.keys():
            scores[number] += _VALUE
        best = sorted(scores, key=lambda number: -scores[number])
        return [number for number in best[:_MOST_NEAR] if scores[number] > _LEAST]

    def quoted(self, number: int) -> str:
        """Return a sentence letter for letter, as it stands in the source."""
        start, end = self.spans[number]
        return self.original[start:end]

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


def index(text: str) -> IndexedText:
    """Index *text*: a title, a line end, and the snippet or page, or any text."""
    plain = flat(text)
    spans = tuple(cut(plain, LONGEST))
    title = max(text.find("\n"), 0)
    body = (plain[start:end] for start, end in spans if start >= title)
    found = values(plain)
    return IndexedText(
        original=text,
        flat=plain,
        spans=spans,
        body=CutPage.of(Passage(0, plain[:title], ""), body),
        values=tuple(found),
        dates=tuple(value for value in found if isinstance(value, Date)),
        versions=tuple(value for value in found if isinstance(value, Version)),
        amounts=_amounts(found),
        digits=_digits(plain, found),
    )


def shared_words(sentence: str, quote: str) -> list[tuple[int, int]]:
    """Return the places in *quote* of the words and amounts that *sentence* has too."""
    text, claim = flat(quote), flat(sentence)
    known = {*terms(claim)}
    places: list[tuple[int, int]] = []
    for word in words(text):
        start, end = word.start, word.end
        if word.term not in known or is_character(word.term):
            continue
        if word.term[0].isdigit():
            end += bool(HAN.match(text, end))  # 62米 is no 62吨
            if text[start:end] not in claim:
                continue
        if places and start <= places[-1][1]:  # pairs of one Chinese run
            places[-1] = (places[-1][0], max(end, places[-1][1]))
        else:
            places.append((start, end))
    return [place for place in places if _begins_a_word(text, *place)]


def _begins_a_word(text: str, start: int, end: int) -> bool:
    """Tell whether a place is a whole word; a lone Chinese pair may be half of two."""
    is_pair = not text[start].isascii() and end - start == _PAIR
    return not is_pair or not text[start - 1 : start].isalpha()


def _amounts(found: Sequence[Value]) -> dict[str, tuple[tuple[float, int], ...]]:
    by: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for number, value in enumerate(found):
        if isinstance(value, Quantity):
            by[value.unit.dimension].append((value.amount, number))
            if value.unit != TIME:
                by[WRITTEN].append((value.written, number))
    return {dimension: tuple(sorted(pairs)) for dimension, pairs in by.items()}


def _digits(text: str, found: Sequence[Value]) -> frozenset[str]:
    """Collect the digits that stand alone or in names: 24.11.0 holds 24 and 24.11."""
    rest = [*text]
    for value in found:
        if kind_of(value) in (Kind.DATE, Kind.TIME):
            rest[value.start : value.end] = "\0" * (value.end - value.start)
    runs: set[str] = set()
    for match in _DIGITS.finditer("".join(rest)):
        parts = match[0].replace(",", "").split(".")
        runs.update(".".join(parts[:count]) for count in {1, 2, len(parts)})
    # A year can look like a plain number: "fiscal 2025".
    runs.update(str(v.year) for v in found if isinstance(v, Date) and v.year)
    return frozenset(runs)
