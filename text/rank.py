"""
Rank texts of pages by what a question asks: sentences for quoting, pieces for reading.

A text scores by the rare terms of the question that it holds (BM25). Terms in the title
and the first text of a page count a little for all its texts.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from text.terms import (
    asked_terms,
    is_character,
    plain,
    terms,
    word_stems,
)

_SATURATION, _LENGTH = 0.8, 0.3  # k and b of BM25
_CHARACTER = 0.5  # weight of a single character beside pairs
_IN_TITLE, _IN_FIRST = 0.5, 0.3  # count of a term in the title or first text
_FOUND = 0.05  # score of every text of a page
_MOST_TITLE = 300  # characters
_LEAD = 0.2  # bonus of a page's first text; later ones get less


@dataclass(frozen=True, slots=True)
class Passage:
    """A search result, with its snippet or the text of its page."""

    number: int
    title: str
    text: str
    url: str = ""


@dataclass(slots=True, eq=False)
class Text:
    """A text of a page with its score, which is 1 for a perfect short one."""

    passage: Passage
    title: frozenset[str]  # terms of the page's title
    place: int  # on its page, from 1
    text: str
    plain: str
    counts: dict[str, int]  # of the question's terms
    context: dict[str, float]  # least counts, from the title and the first text
    score: float = 0.0
    new: frozenset[str] = frozenset()  # terms that the question lacks


def rank(question: str, pages: Iterable[tuple[Passage, Sequence[str]]]) -> list[Text]:
    """Score the texts that each page was cut into; return them in the same order."""
    asked = asked_terms(question)
    pool = [text for page, texts in pages for text in _read(page, texts, asked)]
    often = Counter(term for one in pool for term in one.counts)
    weights = {
        term: (_CHARACTER if is_character(term) else 1.0)
        * math.log(1 + (len(pool) - often[term] + 0.5) / (often[term] + 0.5))
        for term in asked
    }
    whole = sum(weights.values()) or 1.0
    average = sum(len(one.plain) for one in pool) / max(len(pool), 1) or 1.0
    for one in pool:
        length = 1 - _LENGTH + _LENGTH * len(one.plain) / average
        fit = 0.0
        for term in one.context | one.counts:
            here, least = one.counts.get(term, 0), one.context.get(term, 0.0)
            count = max(here / length, least)
            fit += weights[term] * count * (_SATURATION + 1) / (count + _SATURATION)
        one.score = (_FOUND + fit / whole) * (1 + _LEAD / one.place)
    return pool


def _read(page: Passage, texts: Sequence[str], asked: Sequence[str]) -> list[Text]:
    lowered = [plain(text) for text in texts]
    counts = [_counts(text, asked) for text in lowered]
    title = frozenset(terms(plain(page.title[:_MOST_TITLE])))
    context = dict.fromkeys(counts[0] if counts else (), _IN_FIRST)
    context |= {term: _IN_TITLE for term in asked if term in title}
    read = enumerate(zip(texts, lowered, counts, strict=True), start=1)
    return [Text(page, title, place, *one, context) for place, one in read]


def _counts(text: str, asked: Sequence[str]) -> dict[str, int]:
    """Count the terms of the question; an English word counts only as a whole."""
    there = [term for term in asked if term in text]
    whole = word_stems(text) if any(map(str.isascii, there)) else []
    counts = {t: whole.count(t) if t.isascii() else text.count(t) for t in there}
    return {term: count for term, count in counts.items() if count}
