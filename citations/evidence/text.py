"""Index the text of a source once, and quote its sentences."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Final

from citations.evidence.dates import Date
from citations.evidence.quantities import Quantity
from citations.evidence.units import TIME
from citations.evidence.values import Kind, Value, kind_of, values
from citations.evidence.versions import Version
from text.language import HAN
from text.rank import CutPage, Passage
from text.sentences import cut
from text.terms import flat, is_character, terms, words

WRITTEN: Final = "written"  # key of the amounts of all dimensions, in written units
LONGEST: Final = 300  # characters of a quotation
_PAIR: Final = 2  # characters

_LONGEST_HEADING: Final = 40  # characters
_NO_HEADING = re.compile(r"\d|[.。!?;:,、…|]\Z")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True)  # without slots, for what is read once it is asked for
class IndexedText:
    """A text of a source with all that is looked up in it; its values on demand."""

    original: str
    flat: str
    spans: tuple[tuple[int, int], ...]  # of the sentences

    @cached_property
    def body(self) -> CutPage:
        """The sentences behind the title, ready to be ranked."""
        title = max(self.original.find("\n"), 0)
        texts = (self.flat[start:end] for start, end in self.spans if start >= title)
        return CutPage.of(Passage(0, self.flat[:title], ""), texts)

    @cached_property
    def values(self) -> Sequence[Value]:
        """All values, in their order."""
        return values(self.flat)

    @property
    def quantities(self) -> Sequence[Quantity]:
        """All quantities, in their order."""
        return [value for value in self.values if isinstance(value, Quantity)]

    @cached_property
    def dates(self) -> Sequence[Date]:
        """All dates, in their order."""
        return [value for value in self.values if isinstance(value, Date)]

    @cached_property
    def versions(self) -> Sequence[Version]:
        """All versions, in their order."""
        return [value for value in self.values if isinstance(value, Version)]

    @cached_property
    def amounts(self) -> Mapping[str, Sequence[tuple[float, Quantity]]]:
        """Its quantities by their amount, of each dimension; and as written."""
        by: dict[str, list[tuple[float, Quantity]]] = defaultdict(list)
        for value in self.values:
            if isinstance(value, Quantity):
                by[value.unit.dimension].append((value.amount, value))
                if value.unit != TIME:
                    by[WRITTEN].append((value.written, value))
        for pairs in by.values():
            pairs.sort(key=itemgetter(0))
        return by

    @cached_property
    def digits(self) -> frozenset[str]:
        """Digits that stand alone or in names: 24.11.0 holds 24 and 24.11."""
        rest = [*self.flat]
        for value in self.values:
            if kind_of(value) in (Kind.DATE, Kind.TIME):
                rest[value.start : value.end] = "\0" * (value.end - value.start)
        runs: set[str] = set()
        for match in _DIGITS.finditer("".join(rest)):
            parts = match[0].replace(",", "").split(".")
            runs.update(".".join(parts[:count]) for count in {1, 2, len(parts)})
        # A year can look like a plain number: "fiscal 2025".
        runs.update(str(date.year) for date in self.dates if date.year)
        return frozenset(runs)

    @cached_property
    def _parts(self) -> dict[int, "IndexedText"]:
        return {}

    def part(self, number: int) -> "IndexedText":
        """The index of one sentence, so that only its values are read."""
        if number not in self._parts:
            self._parts[number] = index(f"\n{self.quoted(number)}")
        return self._parts[number]

    def is_heading(self, number: int) -> bool:
        """Tell whether a sentence is a short line of words over the next line."""
        start, end = self.spans[number]
        line = self.flat[start:end]
        most = _LONGEST_HEADING // 2 if HAN.search(line) else _LONGEST_HEADING
        return (
            end - start <= most
            and self.flat[max(0, start - 1) : start] in ("", "\n")
            and self.flat[end : end + 1] == "\n"
            and not _NO_HEADING.search(line)
        )

    def quoted(self, number: int) -> str:
        """Return a sentence letter for letter, as it stands in the source."""
        start, end = self.spans[number]
        return self.original[start:end]

    def sentence_at(self, place: int) -> int:
        """Return the number of the sentence that holds the character at *place*."""
        return max(0, bisect_right(self.spans, (place, len(self.flat) + 1)) - 1)


def index(text: str) -> IndexedText:
    """Index *text*: a title, a line end, and the snippet or page, or any text."""
    plain = flat(text)
    return IndexedText(text, plain, tuple(cut(plain, LONGEST)))


def shared_words(sentence: str, quote: str) -> list[tuple[int, int]]:
    """Return the places in *quote* of the words and amounts that *sentence* has too."""
    text, claim = flat(quote), flat(sentence)
    places = [
        (start, end)
        for start, end in _runs(text, {*terms(claim)})
        if not text[start].isdigit() or text[start:end] in claim
    ]
    # A lone Chinese pair may be half of two words.
    return [
        (start, end)
        for start, end in places
        if text[start].isascii()
        or end - start != _PAIR
        or not text[start - 1 : start].isalpha()
    ]


def count_shared(text: str, known: Collection[str]) -> int:
    """Count the different words that *text* shares; a long Chinese run is two."""
    runs = {text[start:end] for start, end in _runs(text, known)}
    return sum(
        1 + (len(run) > _PAIR and not run.isascii())
        for run in runs
        if not run[0].isdigit()
    )


def _runs(text: str, known: Collection[str]) -> list[tuple[int, int]]:
    """Return the places of *known* terms in flat *text*; Chinese pairs make a run."""
    places: list[tuple[int, int]] = []
    for word in words(text):
        start, end = word.start, word.end
        if word.term not in known or is_character(word.term):
            continue
        if word.term[0].isdigit():
            end += bool(HAN.match(text, end))  # 62米 is no 62吨
        if places and start <= places[-1][1]:
            places[-1] = (places[-1][0], max(end, places[-1][1]))
        else:
            places.append((start, end))
    return places
