"""
Index the text of a source once, and quote its sentences.

An index holds the sentences, their words and values; it is plain data, so a worker can
make it and send it back.
"""

import math
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from citations.evidence.dates import Clock, Date
from citations.evidence.quantities import Quantity, between
from citations.evidence.values import Value, values
from citations.evidence.versions import Version
from citations.evidence.words import flat, stems, words

WRITTEN: Final = "written"  # key of the amounts of all dimensions, in written units
LONGEST: Final = 300  # characters of a quotation
_LEAST: Final = 0.16  # share of a sentence's weight that a quotation holds
_VALUE: Final = 2.0  # weight of a shared value, in common words
_PAIR: Final = 2  # characters
_HEADING: Final = 0.6  # share of the score that a title keeps

_END = re.compile(
    r"[。！？!?۔؟][”’」』）)\"']*|\n+"
    r"|(?<=[^A-Z\s.])\s?\.[”\"')]*\s+(?=[\"“'(«\[]?[A-Z0-9\u0590-\u08ff])"
    r"|\s(?:\.{3}|[…·|])\s"
)
_PAUSE = re.compile(r"[,;，；、:：؛،]\s*|\s+")
_ABBREVIATION = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|vs?|etc|al|approx|Inc|Ltd|Co|Corp|Fig|Vol|Jr|Sr"
    r"|Gen|Sen|Gov|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\Z"
)
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)*(?:\s?%|[\u3400-\u9fff])?")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Text:
    """A text of a source with all that is looked up in it."""

    original: str
    flat: str
    spans: tuple[tuple[int, int], ...]  # of the sentences
    words: dict[str, tuple[int, ...]]  # the sentences that hold a word
    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...]
    clocks: tuple[Clock, ...]
    versions: tuple[Version, ...]
    amounts: dict[str, tuple[tuple[float, int], ...]]  # sorted, of each dimension
    digits: frozenset[str]  # of names and numbers, not of dates

    def sentence_at(self, place: int) -> int:
        """Return the number of the sentence that holds the character at *place*."""
        return max(0, bisect_right(self.spans, (place, len(self.flat) + 1)) - 1)

    def quantities_of(self, number: int) -> Sequence[Quantity]:
        """Return the quantities of a sentence."""
        start, end = self.spans[number]
        return between(self.quantities, start, end)

    def dates_of(self, number: int) -> Sequence[Date]:
        """Return the dates of a sentence."""
        start, end = self.spans[number]
        return [one for one in self.dates if start <= one.start < end]


def index(text: str) -> Text:
    """Index *text*: a title, a line end, and the snippet or page, or any text."""
    plain = flat(text)
    spans = tuple(_sentences(plain))
    postings: dict[str, list[int]] = defaultdict(list)
    for number, (start, end) in enumerate(spans):
        for stem in stems(plain[start:end]):
            postings[stem].append(number)
    found = values(plain)
    measured = tuple(one for one in found if isinstance(one, Quantity))
    return Text(
        original=text,
        flat=plain,
        spans=spans,
        words={stem: tuple(numbers) for stem, numbers in postings.items()},
        quantities=measured,
        dates=tuple(one for one in found if isinstance(one, Date)),
        clocks=tuple(one for one in found if isinstance(one, Clock)),
        versions=tuple(one for one in found if isinstance(one, Version)),
        amounts=_amounts(measured),
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


def cut_at_pauses(text: str, size: int) -> Iterator[tuple[int, int]]:
    """Yield the beginning and the end of pieces of *text*, none longer than *size*."""
    text, begin = text.rstrip(), 0
    while begin < len(text):
        end = len(text)
        if end - begin > size:
            pauses = [*_PAUSE.finditer(text, begin + size // 2, begin + size)]
            end = pauses[-1].end() if pauses else begin + size
        piece = text[begin:end]
        if said := piece.strip():
            first = begin + len(piece) - len(piece.lstrip())
            yield first, first + len(said)
        begin = end


def _begins_a_word(text: str, start: int, end: int) -> bool:
    """Tell whether a place is a whole word; a lone Chinese pair may be half of two."""
    is_pair = not text[start].isascii() and end - start == _PAIR
    return not is_pair or not text[start - 1 : start].isalpha()


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for match in _END.finditer(text):
        if "." in match[0] and _ABBREVIATION.search(text, begin, match.start()):
            continue
        end = match.end() if match[0].strip(" .…·|") else match.start()
        yield from _pieces(text, begin, end)
        begin = match.end()
    yield from _pieces(text, begin, len(text))


def _pieces(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield what stands between two places, cut at pauses where it is long."""
    for first, last in cut_at_pauses(text[begin:end], LONGEST):
        yield begin + first, begin + last


def _amounts(
    quantities: Sequence[Quantity],
) -> dict[str, tuple[tuple[float, int], ...]]:
    by: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for number, one in enumerate(quantities):
        by[one.unit.dimension].append((one.amount, number))
        by[WRITTEN].append((one.written, number))
    return {dimension: tuple(sorted(pairs)) for dimension, pairs in by.items()}


def _digits(text: str, found: Sequence[Value]) -> frozenset[str]:
    """Collect the digits that stand alone or in names: 24.11.0 holds 24 and 24.11."""
    hidden = [*text]
    for one in found:
        if isinstance(one, Date | Clock):
            hidden[one.start : one.end] = "\0" * (one.end - one.start)
    runs: set[str] = set()
    for match in _DIGITS.finditer("".join(hidden)):
        parts = match[0].replace(",", "").split(".")
        runs.update(".".join(parts[:count]) for count in {1, 2, len(parts)})
    # A year can look like a plain number: "fiscal 2025".
    runs.update(str(one.year) for one in found if isinstance(one, Date) and one.year)
    return frozenset(runs)
