"""
Rank texts of pages by what a question asks: sentences for quoting, pieces for reading.

A text scores by the rare terms of the question that it holds (BM25), and by those in
the title, the heading and the first text of its page.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from agent.without_model.sentences import (
    asked_terms,
    is_character,
    plain,
    terms,
    words,
)

# Bounds on hostile input.
_MOST_QUESTION, _MOST_TERMS, _MOST_TITLE = 1_000, 100, 300

_SATURATION, _LENGTH = 0.8, 0.3  # k and b of BM25
_CHARACTER = 0.5  # weight of a single character beside pairs
_IN_TITLE, _IN_FIRST = 0.5, 0.3  # count of a term in the title or first text
_FOUND = 0.05  # score of every text of a page
_LEAD = 0.2  # bonus of a page's first text; later ones get less
_SNIPPET: Final = 4  # texts; a page with more is a whole one

Asked: TypeAlias = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Passage:
    """A search result, with its snippet or the text of its page."""

    number: int
    title: str
    text: str
    url: str = ""


@dataclass(slots=True, eq=False)
class Page:
    """A page whose texts are ranked."""

    number: int
    title: frozenset[str]
    context: Mapping[str, float]  # terms that hold for all texts of the page
    terms: frozenset[str]  # terms of the question anywhere on the page


@dataclass(slots=True, eq=False)
class Text:
    """A text of a page with its score, which is 1 for a perfect short one."""

    page: Page
    text: str
    plain: str
    counts: Mapping[str, int]  # counts of the question's terms
    lead: float
    score: float = 0.0
    new: frozenset[str] = frozenset()  # terms that the question lacks


def one_line(question: str) -> str:
    """Return the beginning of *question*, of which the rest is not read."""
    return " ".join(question[:_MOST_QUESTION].split())


def weigh(question: str) -> Asked:
    """Return the terms that *question* asks for, with their weights."""
    return {
        term: _CHARACTER if is_character(term) else 1.0
        for term in asked_terms(one_line(question))[:_MOST_TERMS]
    }


def read(passage: Passage, texts: Sequence[str], asked: Asked) -> list[Text]:
    """Prepare the *texts* that *passage* was cut into for `score`."""
    lowered = [plain(text) for text in texts]
    counted = [_counts(text, asked) for text in lowered]
    title = frozenset(terms(plain(passage.title[:_MOST_TITLE])))
    is_page = len(texts) > _SNIPPET
    context = dict.fromkeys(counted[0], _IN_FIRST) if is_page else {}
    context |= dict.fromkeys(asked.keys() & title, _IN_TITLE)
    page = Page(passage.number, title, context, frozenset(context).union(*counted))
    return [
        Text(page, text, low, counts, 1 + _LEAD * is_page / index)
        for index, (text, low, counts) in enumerate(
            zip(texts, lowered, counted, strict=True), start=1
        )
    ]


def score(pool: Sequence[Text], asked: Asked) -> None:
    """Score all texts by BM25, relative to the score of a perfect one."""
    often = Counter(term for one in pool for term in one.counts)
    weights = {
        term: weight
        * math.log(1 + (len(pool) - often[term] + 0.5) / (often[term] + 0.5))
        for term, weight in asked.items()
    }
    whole = sum(weights.values()) or 1.0
    average = sum(len(one.plain) for one in pool) / max(len(pool), 1) or 1.0
    for one in pool:
        length = 1 - _LENGTH + _LENGTH * len(one.plain) / average
        fit = 0.0
        for term in one.counts.keys() | one.page.context.keys():
            share = one.counts.get(term, 0) / length
            count = max(share, one.page.context.get(term, 0.0))
            fit += weights[term] * count * (_SATURATION + 1) / (count + _SATURATION)
        one.score = (_FOUND + fit / whole) * one.lead


def _counts(text: str, asked: Asked) -> dict[str, int]:
    """Count the terms of the question; an English word counts only as a whole."""
    there = [term for term in asked if term in text]
    whole = words(text) if any(map(str.isascii, there)) else []
    counts = {t: whole.count(t) if t.isascii() else text.count(t) for t in there}
    return {term: count for term, count in counts.items() if count}
