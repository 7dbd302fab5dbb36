"""
Compare the cited sentences of an answer with the texts of their sources.

Nothing is ever confirmed: a value without a flag was found somewhere, can be worked
out, or is of a kind that is not looked up.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from citations.evidence.arithmetic import is_worked_out
from citations.evidence.claims import Cite, Claim, claims, sentences
from citations.evidence.dates import Date
from citations.evidence.intervals import is_between, is_counted_from
from citations.evidence.nearest import nearest
from citations.evidence.precision import tolerant
from citations.evidence.quantities import Quantity
from citations.evidence.sentences import Text, best_sentences, index, quoted
from citations.evidence.support import holds, places, stands
from citations.evidence.values import (
    Kind,
    Value,
    is_telling,
    kind_of,
    needs_source,
    values,
)
from citations.evidence.versions import Version, covered
from citations.evidence.words import flat

_MOST_VALUES: Final = 40  # of a sentence: more are a table without its signs
_LONGEST: Final = 3_000  # characters of a sentence
_REMEMBERED: Final = 12  # values of earlier sentences that a calculation may use
_MOST_OPERANDS: Final = 8  # values of one sentence of a source
_FEW: Final = 6  # sentences of a snippet, which are all used
_Near = Callable[[int], Sequence[int]]  # the best sentences of a source
_Choice = Callable[[Value, str], bool]
_SHORT_PART: Final = 6  # characters between two citations that say nothing alone

_SUPPOSED = re.compile(
    r"按此|按照?[^;。]{0,20}(?:计算|折算|汇率)|折合|约合|相当于|假设|如果|例如|比如"
    r"|至今|距今|迄今|换算|推算|每月|月均|\b(?:if|suppose|e\.g\.|i\.e\.|that is about"
    r"|equivalent|years? ago|for example|monthly|per month)\b",
    re.IGNORECASE,
)
_PART = re.compile(r"(?:[^,;。]|(?<=\d),(?=\d))+")
_BREAK = re.compile(r"[,;(]")


@dataclass(frozen=True, slots=True)
class Flag:
    """A value that no cited source holds, and what one of them has in its place."""

    value: str
    kind: Kind
    nearest: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """
    A sentence that cites, with the sentences of its sources that say most of it.

    *quotes* has one quotation for each of *numbers*, '' where none fits; *quote* is the
    first of them. *cites* are the citations as they stand, a number for each.
    """

    sentence: str
    numbers: tuple[int, ...]
    quote: str
    flags: tuple[Flag, ...]
    quotes: tuple[str, ...] = ()
    cites: tuple[int, ...] = ()


def check(
    answer: str, texts: Mapping[int, str | Text], known: str = ""
) -> list[Evidence]:
    """
    Return the evidence for each sentence of *answer* that cites one of *texts*.

    A text is the title and the text of a source, or its `index`. Values of the question
    are *known*, and never flagged.
    """
    found = claims(answer, list(texts))
    cited = {number for claim in found for number in claim.numbers}
    indexed = {
        number: text if isinstance(text, Text) else index(text)
        for number, text in texts.items()
        if number in cited
    }
    checker = _Checker(indexed, index(known))
    return [checker.read(claim) for claim in found]


def unsourced(
    answer: str, texts: Mapping[int, str | Text], known: str = ""
) -> list[Flag]:
    """
    Return the figures of sentences without a citation that none of *texts* holds.

    None where nothing is cited at all. Dates, names, small plain numbers and figures
    that everybody knows are often said in passing, and left out.
    """
    found = sentences(answer, list(texts))
    indexed = {n: t if isinstance(t, Text) else index(t) for n, t in texts.items()}
    checker = _Checker(indexed, index(known))
    flags: list[Flag] = []
    for claim in found:
        if claim.cites:
            checker.flags(claim)
            continue
        cites = tuple(Cite(len(claim.checked), number) for number in indexed)
        flags += checker.flags(replace(claim, cites=cites), needs_source)
    return list(dict.fromkeys(flags))


class _Checker:
    """Checker of the sentences of one answer, in their order."""

    def __init__(self, texts: Mapping[int, Text], known: Text) -> None:
        self._texts = texts
        self._known = known
        # The last values of earlier sentences.
        self._sound: list[Quantity] = []
        self._dates: list[Date] = []

    def read(self, claim: Claim) -> Evidence:
        """Quote the sources of *claim*, and flag the values that they lack."""
        words = flat(claim.checked)
        found = _values(words)
        near = self._looker(claim, words, found)
        quotes = tuple(
            quoted(self._texts[n], near(n)[0]) if near(n) else "" for n in claim.numbers
        )
        flags = self._flags(claim, words, found, near)
        quote = next((one for one in quotes if one), "")
        cites = tuple(cite.number for cite in claim.cites)
        return Evidence(claim.sentence, claim.numbers, quote, flags, quotes, cites)

    def flags(self, claim: Claim, chosen: _Choice = is_telling) -> tuple[Flag, ...]:
        """Flag the *chosen* values that the sources of *claim* lack; quote nothing."""
        words = flat(claim.checked)
        found = _values(words)
        near = self._looker(claim, words, found)
        return self._flags(claim, words, found, near, chosen)

    def _looker(self, claim: Claim, words: str, found: Sequence[Value]) -> _Near:
        """Return a function that looks for the best sentences once they are needed."""
        return cache(lambda number: self._near(claim, words, found, number))

    def _near(
        self, claim: Claim, words: str, found: Sequence[Value], number: int
    ) -> list[int]:
        """Return the best sentences of a source for what its citation follows."""
        text = self._texts[number]
        start, end = _part_of(claim, number)
        for first, last in dict.fromkeys(((start, end), (0, len(words)))):
            inside = [one for one in found if first <= one.start < last]
            held = [place for one in inside for place in places(text, one)]
            if best := best_sentences(text, words[first:last], held):
                return best
        return []

    def _flags(
        self,
        claim: Claim,
        words: str,
        found: Sequence[Value],
        near: _Near,
        chosen: _Choice = is_telling,
    ) -> tuple[Flag, ...]:
        telling = [one for one in found if is_telling(one, words)]
        absent = [one for one in telling if not self._is_held(one, claim)]
        sound = [one for one in found if one not in absent]
        amounts = [one for one in sound if isinstance(one, Quantity)]
        dates = [one for one in sound if isinstance(one, Date)], self._dates
        missing = []
        for one in absent:
            if isinstance(one, Quantity) and self._follows(
                one, claim, amounts, dates, near
            ):
                amounts.append(one)
            elif isinstance(one, Date) and is_counted_from(
                one, [*dates[0], *dates[1]], amounts
            ):
                dates[0].append(one)
            elif isinstance(one, Version) and self._is_amount(one, found, claim):
                continue
            elif _is_covered(one, claim, words) and not _is_supposed(one, words):
                missing.append(one)
        self._sound = [*self._sound, *amounts][-_REMEMBERED:]
        self._dates = [*self._dates, *dates[0]][-_REMEMBERED:]
        named = [one for one in found if isinstance(one, Version)]
        flags = (
            Flag(
                claim.sentence[one.start : one.end].strip(),
                kind_of(one),
                self._nearest(one, claim, sound, near),
            )
            for one in missing
            # `Python 3.13` holds a number too.
            if chosen(one, words)
            and (isinstance(one, Version) or not covered(named, one.start, one.end))
        )
        return tuple(dict.fromkeys(flags))

    def _is_amount(
        self, version: Version, found: Sequence[Value], claim: Claim
    ) -> bool:
        """Tell whether a seeming version is a number that is held: PMI 50.1."""
        return version.text.count(".") <= 1 and any(
            isinstance(one, Quantity)
            and version.start <= one.start < version.end
            and self._is_held(one, claim)
            for one in found
        )

    def _is_held(self, value: Value, claim: Claim) -> bool:
        if stands(self._known, value):
            return True
        return any(holds(self._texts[number], value) for number in claim.numbers)

    def _follows(
        self,
        value: Quantity,
        claim: Claim,
        amounts: Sequence[Quantity],
        dates: tuple[Sequence[Date], Sequence[Date]],
        near: _Near,
    ) -> bool:
        """Tell whether *value* can be worked out from this or earlier sentences."""
        words = flat(claim.checked)
        said, before = dates
        earlier = [*self._sound, *amounts]
        if (
            is_between(value, said, before)
            or is_worked_out(value, amounts, words)
            or is_worked_out(value, earlier, words, is_announced=True)
        ):
            return True
        return any(
            is_worked_out(value, text.quantities_of(one)[:_MOST_OPERANDS], words)
            or is_between(value, text.dates_of(one), said)
            for number in claim.numbers
            for text in (self._texts[number],)
            for one in _looked_into(text, number, near)
        )

    def _nearest(
        self,
        value: Value,
        claim: Claim,
        sound: Sequence[Value],
        near: _Near,
    ) -> str:
        words = flat(claim.checked)
        found = (
            nearest(self._texts[number], value, words, sound, near(number))
            for number in claim.numbers
        )
        return next((one for one in found if one), "")


def _looked_into(text: Text, number: int, near: _Near) -> Sequence[int]:
    """Return the sentences of a source whose values may make up another one."""
    return range(len(text.spans)) if len(text.spans) <= _FEW else near(number)


def _values(words: str) -> list[Value]:
    """Return the values of a sentence; none where they are too many to be one."""
    found = values(words) if len(words) <= _LONGEST else []
    if len(found) > _MOST_VALUES:
        return []
    return [tolerant(v, words) if isinstance(v, Quantity) else v for v in found]


def _part_of(claim: Claim, number: int) -> tuple[int, int]:
    """Return the part of a sentence that the first citation of *number* follows."""
    at = next(cite.place for cite in claim.cites if cite.number == number)
    since = max((cite.place for cite in claim.cites if cite.place < at), default=0)
    if claim.is_row or at - since < _SHORT_PART:
        return 0, len(claim.checked)
    return since, at


def _is_covered(value: Value, claim: Claim, words: str) -> bool:
    """Tell whether a citation follows *value*, with no comma between."""
    last = max(cite.place for cite in claim.cites)
    if claim.is_row or value.start < last or not last:
        return True
    return not _BREAK.search(words, last, value.start)


def _is_supposed(value: Value, words: str) -> bool:
    """Tell whether the part around *value*, or the one before, makes it an example."""
    if not isinstance(value, Quantity):
        return False
    parts = [m.span() for m in _PART.finditer(words) if m.start() <= value.start][-2:]
    start, end = (parts[0][0], parts[-1][1]) if parts else (0, len(words))
    return bool(_SUPPOSED.search(words, start, end))
