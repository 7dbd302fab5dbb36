"""
Rank texts of pages by what a question asks: sentences for quoting, pieces for reading.

A text scores by the rare terms of the question that it holds (BM25). Terms in the title
and the first text of a page count a little for all its texts. All sums run in the order
of the question, so that every process ranks alike.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Self

from text.language import HAN
from text.terms import asked_terms, is_character, plain, spaced_terms, terms

_SATURATION, _LENGTH = 0.8, 0.3  # k and b of BM25
_CHARACTER = 0.5  # weight of a single character beside pairs
_IN_TITLE, _IN_FIRST = 0.5, 0.3  # count of a term in the title or first text
_LEAST = 0.05  # score of every text of a page
_MOST_TITLE = 300  # characters
_LEAD = 0.2  # bonus of a page's first text; later ones get less


@dataclass(frozen=True, slots=True)
class Passage:
    """A search result, with its snippet or the text of its page."""

    number: int
    title: str
    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class CutPage:
    """A page cut into texts, with all that ranking needs to know of them."""

    passage: Passage
    texts: tuple[str, ...]
    plain: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]  # numbers and English words of each text
    known: frozenset[str]  # all of them
    title: frozenset[str]  # terms of the page's title

    @classmethod
    def of(cls, passage: Passage, texts: Iterable[str]) -> Self:
        """Make the *texts* of a page ready to be ranked."""
        texts = tuple(texts)
        lowered = tuple(plain(text) for text in texts)
        words = tuple(tuple(spaced_terms(text)) for text in lowered)
        title = frozenset(terms(plain(passage.title[:_MOST_TITLE])))
        known = frozenset(chain.from_iterable(words))
        return cls(passage, texts, lowered, words, known, title)


@dataclass(slots=True, eq=False)
class Candidate:
    """A text that may be quoted or read, with its score: 1 for a perfect short one."""

    page: CutPage
    place: int  # on its page, from 1
    counts: Mapping[str, int]  # of the question's terms
    score: float

    @property
    def number(self) -> int:
        """The number of its page."""
        return self.page.passage.number

    @property
    def text(self) -> str:
        """The text as the page has it."""
        return self.page.texts[self.place - 1]

    @property
    def plain(self) -> str:
        """The text in lower case, with ordinary letters and digits."""
        return self.page.plain[self.place - 1]


def rank(question: str, pages: Iterable[CutPage]) -> list[Candidate]:
    """Score the texts of *pages*, and return them in the same order."""
    asked = asked_terms(question)
    counted = [(page, _counts(page, asked)) for page in pages]
    often = Counter(term for _, texts in counted for counts in texts for term in counts)
    lengths = [len(text) for page, _ in counted for text in page.plain]
    average = sum(lengths) / max(len(lengths), 1) or 1.0
    weights = {
        term: (_CHARACTER if is_character(term) else 1.0)
        * math.log(1 + (len(lengths) - often[term] + 0.5) / (often[term] + 0.5))
        for term in asked
    }
    whole = sum(weights.values()) or 1.0
    ranked = []
    for page, texts in counted:
        context = dict.fromkeys(texts[0] if texts else (), _IN_FIRST)
        context |= {term: _IN_TITLE for term in asked if term in page.title}
        for place, counts in enumerate(texts, start=1):
            length = 1 - _LENGTH + _LENGTH * len(page.plain[place - 1]) / average
            fit = 0.0
            for term in context | counts if counts else context:
                count = max(counts.get(term, 0) / length, context.get(term, 0.0))
                fit += weights[term] * count * (_SATURATION + 1) / (count + _SATURATION)
            score = (_LEAST + fit / whole) * (1 + _LEAD / place)
            ranked.append(Candidate(page, place, counts, score))
    return ranked


def _counts(page: CutPage, asked: Sequence[str]) -> list[dict[str, int]]:
    """Count the *asked* terms in each text; an English word counts only as a whole."""
    whole = "\n".join(page.plain)
    spaced = [term for term in asked if term in page.known]
    chinese = [term for term in asked if HAN.match(term) and term in whole]
    return [
        {term: words.count(term) for term in spaced if term in words}
        | {term: text.count(term) for term in chinese if term in text}
        for text, words in zip(page.plain, page.words, strict=True)
    ]
