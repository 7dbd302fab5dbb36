"""How well each sentence of some search results fits a question."""

import math
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from agent.without_model.quote_about import About, speaks_of, spoken_names
from agent.without_model.quote_alike import alike
from agent.without_model.quote_evidence import Wanted
from agent.without_model.quote_manner import manner, place
from agent.without_model.quote_text import asked_terms, pairs, sentences, terms

_MOST_TERMS: Final = 60
_MOST_TITLE: Final = 300
# What a term of the question counts for outside the sentence, or in another word.
_IN_TITLE: Final = 0.7
_NEAR: Final = 0.4
_ALIKE: Final = 0.7
_NAME: Final = 0.6  # every result speaks of it; `About` looks after those
# BM25's: how soon a frequency is enough, and what the length of a sentence matters.
_K: Final = 0.6
_B: Final = 0.3
_PAIRED: Final = 0.25
_MOST_OFTEN: Final = 2
# Relevance of a sentence that shows none: a search engine found it all the same.
_BASE: Final = 0.5
# Of the question's terms, the part that the most fitting result has to speak of.
_COVERED: Final = 0.3
_FEWEST_NEW: Final = 2


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """One sentence of a result, and the terms in it, above it and around it."""

    number: int
    text: str
    heading: str
    terms: Counter[str]
    title: Collection[str]
    near: Collection[str]
    pairs: frozenset[tuple[str, str]]


class Pool:
    """The sentences of all results, scored together."""

    def __init__(self, question: str) -> None:
        self._wanted = Wanted(question)
        self._asked = _fewer(asked_terms(question))
        self._pairs = pairs(self._asked)
        self._sentences: list[Sentence] = []

    def add(self, number: int, title: str, text: str, url: str) -> None:
        """One result."""
        texts = sentences(text)
        told = [terms(one) for one in texts]
        counted = [Counter(one) for one in told]
        above = frozenset(terms(title[:_MOST_TITLE]))
        around = above.union(terms(url[:_MOST_TITLE]), *counted)
        self._sentences += [
            Sentence(number, one, title, count, above, around, pairs(order))
            for one, count, order in zip(texts, counted, told, strict=True)
        ]

    def scores(self) -> dict[Sentence, float]:
        """0 for what doesn't fit; nothing fits where no result is on the subject."""
        if max(map(self._covered, self._sentences), default=0.0) < _COVERED:
            return {}
        return {one: self._score(one) for one in self._sentences}

    def _covered(self, one: Sentence) -> float:
        """How much of what is asked about the whole result speaks of."""
        found = {t for t in self._asked if speaks_of(t, one.near)}
        return _letters(found) / max(_letters(self._asked), 1)

    def _score(self, one: Sentence) -> float:
        if not self._is_new(one):
            return 0.0
        wanted = self._wanted
        evidence = wanted.evidence(one.text)
        fit = (_BASE + self._relevance(one)) * (wanted.bare + evidence)
        looks = manner(one.text, wanted.kind) * place(one.heading, wanted.question)
        about = self._about.share(one.text, one.heading, one.terms, one.near)
        return fit * looks * about

    def _is_new(self, one: Sentence) -> bool:
        """Whether it says more than the question and its own title."""
        known = {*self._asked, *one.title}
        return sum(term not in known for term in one.terms) >= _FEWEST_NEW

    def _relevance(self, one: Sentence) -> float:
        """BM25 as a part of what could be reached, over the sentence and its like."""
        long = 1 - _B + _B * one.terms.total() / self._average
        found = (
            weight * _frequency(one, term, long)
            for term, weight in self._weights.items()
        )
        whole = sum(self._weights.values()) or 1
        return sum(found) / whole + _PAIRED * self._paired(one)

    def _paired(self, one: Sentence) -> float:
        """The part of the question's pairs of terms that stand together here, too."""
        asked = self._pairs
        return len(asked & one.pairs) / len(asked) if asked else 0.0

    @cached_property
    def _names(self) -> list[str]:
        """Terms of what has a name, by the question or by how results write it."""
        texts = (one.text for one in self._sentences)
        question = self._wanted.question
        return self._wanted.names or spoken_names(self._asked, question, texts)

    @cached_property
    def _about(self) -> About:
        return About(self._wanted.question, self._wanted.kind, self._names)

    @cached_property
    def _average(self) -> float:
        total = sum(one.terms.total() for one in self._sentences)
        return total / len(self._sentences) or 1

    @cached_property
    def _weights(self) -> dict[str, float]:
        """What each term is worth: the rarer among the sentences, the more."""
        size = len(self._sentences)
        told = [{*one.terms, *one.title} for one in self._sentences]
        found = {
            term: sum(speaks_of(term, one) for one in told) for term in self._asked
        }
        return {
            term: (math.log((size + 1) / (found[term] + 0.5)) + 0.3)
            * (_NAME if term in self._names else 1)
            for term in self._asked
            if found[term]
        }


def _fewer(asked: list[str]) -> list[str]:
    """A long text asks at its beginning or at its end."""
    half = _MOST_TERMS // 2
    return asked if len(asked) <= _MOST_TERMS else asked[:half] + asked[-half:]


def _letters(found: Collection[str]) -> int:
    """Pairs of characters overlap: their characters count, and a word as two."""
    pairs = {char for term in found if _is_pair(term) for char in term}
    return len(pairs) + 2 * sum(not _is_pair(term) for term in found)


def _is_pair(term: str) -> bool:
    return not term.isascii() and len(term) <= 2  # noqa: PLR2004


def _frequency(one: Sentence, term: str, long: float) -> float:
    """How much of a term there is, of which more adds less and less."""
    count = min(one.terms[term], _MOST_OFTEN) / long
    count = max(count, _IN_TITLE * (term in one.title), _NEAR * (term in one.near))
    if count < _ALIKE and not one.terms.keys().isdisjoint(alike(term)):
        count = _ALIKE
    return count * (_K + 1) / (count + _K)
