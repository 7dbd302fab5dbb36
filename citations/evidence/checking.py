"""
Compare the cited sentences of an answer with the texts of their sources.

Nothing is ever confirmed: a value without a flag was found somewhere, can be worked
out, or is of a kind that is not looked up.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from citations.citing import markers
from citations.evidence.arithmetic import (
    is_between,
    is_counted_from,
    is_worked_out,
)
from citations.evidence.claims import Cite, Claim, sentences
from citations.evidence.dates import Date
from citations.evidence.lookup import holds, is_of_another, near, nearest, stands
from citations.evidence.quantities import Quantity, tolerant
from citations.evidence.text import IndexedText, index
from citations.evidence.values import (
    Kind,
    Value,
    is_telling,
    kind_of,
    needs_source,
    values,
)
from citations.evidence.versions import Version
from text.terms import flat

_MOST_VALUES: Final = 40  # of a sentence: more are a table without its signs
_FEW: Final = 6  # sentences of a snippet
_LONGEST: Final = 3_000  # characters of a sentence
_REMEMBERED: Final = 12  # values of the sentence before, for a calculation
_SHORT_PART: Final = 6  # characters between two citations that say nothing alone

_SUPPOSED = re.compile(
    r"按此|按照?[^;。]{0,20}(?:计算|折算|汇率)|假设|如果|例如|比如"
    r"|至今|距今|迄今|\b(?:if|suppose|e\.g\.|i\.e\.|that is about"
    r"|equivalent|years? ago|for example)\b",
    re.IGNORECASE,
)
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
    answer: str | Sequence[Claim],
    texts: Mapping[int, str | IndexedText],
    known: str = "",
) -> list[Evidence]:
    """
    Return the evidence for each sentence of *answer* that cites one of *texts*.

    An answer is its Markdown, or its `sentences`. A text is the title and the text of a
    source, or its `index`. Values of the question are *known*, and never flagged.
    """
    cited = [claim for claim in _claims(answer, texts) if claim.cites]
    numbers = {number for claim in cited for number in claim.numbers}
    checker = _Checker({n: texts[n] for n in numbers}, known)
    return [checker.evidence(claim) for claim in cited]


def quoted(claims: Sequence[Claim], texts: Mapping[int, IndexedText]) -> list[Evidence]:
    """Return the evidence of *claims* that cite alone: its quotations, no flags."""
    return [_evidence(_Sentence(claim, texts), ()) for claim in claims if claim.cites]


def unsourced(
    answer: str | Sequence[Claim],
    texts: Mapping[int, str | IndexedText],
    known: str = "",
) -> list[Flag]:
    """
    Return the figures of sentences without a citation that none of *texts* holds.

    None where nothing is cited at all. Dates, names, small plain numbers and figures
    that everybody knows are often sentence in passing, and left out.
    """
    checker = _Checker(texts, known)
    flags: list[Flag] = []
    for claim in _claims(answer, texts):
        cites = claim.cites or [Cite(len(claim.checked), number) for number in texts]
        sentence = _Sentence(replace(claim, cites=tuple(cites)), checker.texts)
        missing = checker.missing(sentence)
        if not claim.cites:
            flags += (
                Flag(sentence.written(one), kind_of(one))
                for one in missing
                if needs_source(one, sentence.words) and _is_covered(one, sentence)
            )
    return list(dict.fromkeys(flags))


def missing(clause: str, text: str | IndexedText) -> list[Flag]:
    """
    Return the values of *clause* that *text* lacks, and that do not follow from it.

    What is supposed or told as an example is looked up, too.
    """
    claim = Claim(clause, clause, (Cite(len(clause), 1),))
    checker = _Checker({1: text}, "")
    sentence = _Sentence(claim, checker.texts)
    return [
        Flag(sentence.written(value), kind_of(value))
        for value in checker.missing(sentence)
    ]


def _claims(
    answer: str | Sequence[Claim], texts: Mapping[int, str | IndexedText]
) -> Sequence[Claim]:
    if isinstance(answer, str):
        return sentences(answer, markers(answer, texts))
    return answer


class _Sentence:
    """A sentence of the answer with its values, and the texts that it cites."""

    def __init__(self, claim: Claim, texts: Mapping[int, IndexedText]) -> None:
        self.claim = claim
        self.words = flat(claim.checked)
        found = values(self.words) if len(self.words) <= _LONGEST else []
        self.values = [
            tolerant(one, self.words) if isinstance(one, Quantity) else one
            for one in (found if len(found) <= _MOST_VALUES else ())
        ]
        self.versions = [one for one in self.values if isinstance(one, Version)]
        self.texts = {number: texts[number] for number in claim.numbers}
        self._near: dict[int, list[int]] = {}

    def near(self, number: int) -> list[int]:
        """Return the best sentences of a source for what its citation follows."""
        if number in self._near:
            return self._near[number]
        claim, whole = self.claim, (0, len(self.words))
        # The part that its first citation follows, and if nothing fits, the sentence.
        at = next(cite.place for cite in claim.cites if cite.number == number)
        since = max((cite.place for cite in claim.cites if cite.place < at), default=0)
        is_whole = since == 0 and not any(map(str.isalnum, claim.checked[at:]))
        if claim.is_row or is_whole or at - since < _SHORT_PART:
            spans = [whole]
        else:
            spans = [(since, at), whole]
        best: list[int] = []
        for start, end in spans:
            own = [value for value in self.values if start <= value.start < end]
            words = f"{flat(claim.head)} {self.words[start:end]}"
            best = best or near(self.texts[number], words.lstrip(), own)
        self._near[number] = best
        return best

    def operands(self) -> list[Sequence[Value]]:
        """Return the values of each of the best sentences of its sources."""
        return [
            text.part(number).values
            for cited, text in self.texts.items()
            for number in (
                self.near(cited) if len(text.spans) > _FEW else range(len(text.spans))
            )
        ]

    def quote(self, number: int) -> str:
        """Return the best sentence of a source, '' where none fits."""
        best = self.near(number)
        return self.texts[number].quoted(best[0]) if best else ""

    def nearest(self, value: Value, sound: Sequence[Value]) -> str:
        """Return what the sources have in place of *value*, '' if unsure."""
        found = (
            nearest(text, value, self.words, sound, self.near(number))
            for number, text in self.texts.items()
        )
        return next((one for one in found if one), "")

    def written(self, value: Value) -> str:
        """Return *value* as the sentence has it."""
        return self.claim.sentence[value.start : value.end].strip()


class _Checker:
    """Checker of the sentences of one answer, in their order."""

    def __init__(self, texts: Mapping[int, str | IndexedText], known: str) -> None:
        self.texts = {
            number: text if isinstance(text, IndexedText) else index(text)
            for number, text in texts.items()
        }
        self._known = index(known)
        self._before: list[Value] = []  # values of the sentence before
        self._looked_up = self._worked_out = 0  # values of the sentences before

    def evidence(self, claim: Claim) -> Evidence:
        """Quote the sources of *claim*, and flag the values that they lack."""
        sentence = _Sentence(claim, self.texts)
        missing = self.missing(sentence)
        sound = [one for one in sentence.values if one not in missing]
        flags = (
            Flag(sentence.written(one), kind_of(one), sentence.nearest(one, sound))
            for one in missing
            if _is_covered(one, sentence)
        )
        return _evidence(sentence, tuple(dict.fromkeys(flags)))

    def missing(self, sentence: _Sentence) -> list[Value]:
        """Return the values that the cited sources lack, and remember all of them."""
        absent = [
            one
            for one in sentence.values
            if is_telling(one, sentence.words) and not self._is_held(one, sentence)
        ]
        said = [one for one in sentence.values if one not in absent]
        held = sentence.operands() if absent else []
        missing = []
        for is_last in (False, True):  # a value may follow from one behind it
            for one in [*absent]:
                if self._follows(one, sentence, said, held):
                    self._worked_out += 1
                elif not is_last:
                    continue
                elif not self._is_another_value(one, sentence):
                    missing.append(one)
                said.append(one)  # what follows from a mistake is no second one
                absent.remove(one)
        self._looked_up += len(said)
        self._before = [*self._before, *said][-_REMEMBERED:]
        return missing

    def _follows(
        self,
        value: Value,
        sentence: _Sentence,
        said: Sequence[Value],
        held: Sequence[Sequence[Value]],
    ) -> bool:
        """Tell whether *value* can be worked out from what is *said* and *held*."""
        near = [*chain.from_iterable(held)]
        if isinstance(value, Date):
            some = (*self._before, *said, *near)
            return is_counted_from(value, _dates(some), _amounts(some))
        return isinstance(value, Quantity) and (
            is_between(
                value,
                _dates(said),
                _dates(self._before),
                [_dates(some) for some in held],
            )
            or is_worked_out(
                value,
                sentence.words,
                _amounts(said),
                _amounts(self._before),
                [_amounts(some) for some in held],
                is_reckoned=len(sentence.texts) > 1
                or self._worked_out >= self._looked_up / 2 > 0,
            )
        )

    def _is_held(self, value: Value, sentence: _Sentence) -> bool:
        if stands(self._known, value):
            return True
        lone = sentence.versions[0] if len(sentence.versions) == 1 else None
        return any(
            holds(text, value)
            and not (
                lone and isinstance(value, Date) and is_of_another(text, value, lone)
            )
            for text in sentence.texts.values()
        )

    def _is_another_value(self, value: Value, sentence: _Sentence) -> bool:
        """
        Tell whether *value* was read a second time.

        `Python 3.13` holds a number too, and `PMI 50.1` is no version where its number
        is held.
        """
        if isinstance(value, Version):
            inside = (
                one for one in sentence.values if value.start <= one.start < value.end
            )
            return value.text.count(".") <= 1 and any(
                isinstance(one, Quantity) and self._is_held(one, sentence)
                for one in inside
            )
        return any(
            one.start <= value.start and value.end <= one.end
            for one in sentence.versions
        )


def _evidence(sentence: _Sentence, flags: tuple[Flag, ...]) -> Evidence:
    claim = sentence.claim
    quotes = tuple(sentence.quote(number) for number in claim.numbers)
    return Evidence(
        claim.sentence,
        claim.numbers,
        next(filter(None, quotes), ""),
        flags,
        quotes,
        tuple(cite.number for cite in claim.cites),
    )


def _amounts(some: Iterable[Value]) -> list[Quantity]:
    return [one for one in some if isinstance(one, Quantity)]


def _dates(some: Iterable[Value]) -> list[Date]:
    return [one for one in some if isinstance(one, Date)]


def _is_covered(value: Value, sentence: _Sentence) -> bool:
    """Tell whether *value* is the matter of a citation, and not supposed."""
    if _SUPPOSED.search(sentence.words, 0, value.start):
        return False
    last = max(cite.place for cite in sentence.claim.cites)
    claim = sentence.claim
    if claim.is_row or claim.names_sources or not 0 < last <= value.start:
        return True
    return not _BREAK.search(sentence.words, last, value.start)
