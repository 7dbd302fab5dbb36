"""
Choose the sentences of search results, or of whole pages, that answer a question.

1. A sentence is ranked by the rare terms of the question (`ranking`).
2. The best lose score if they lack what is asked for, ask, or repeat the question.
3. The results vote: new terms that several of them share are likely the answer.
4. The best that differ are chosen, and the confidence says how much of the question
   they speak of.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from agent.without_model.ranking import (
    Asked,
    Page,
    Passage,
    Text,
    one_line,
    read,
    score,
    weigh,
)
from agent.without_model.sentences import (
    is_character,
    is_question,
    sentences,
    share_without,
    terms,
)

LEAST: Final = 0.28  # confidence below which nothing is quoted
SURE: Final = 0.5  # confidence below which a quotation is only the closest found

# Bounds on hostile input.
_MOST_PASSAGES, _MOST_TEXT, _MOST_SENTENCES = 30, 10_000, 400

_CLOSER_LOOK = 80  # sentences
_ASKS, _NOTHING_NEW = 0.3, 0.1  # share of the score that is kept
_VOTES, _VOTING_TERMS = 0.9, 6
_SAME = 0.8  # part of the terms of the shorter sentence that the longer one holds
_NO_LETTER = re.compile(r"\W+")
# Spaces beside a Chinese character, and between a number and its unit.
_INNER_SPACE = re.compile(
    r"(?<=[\u3400-\u9fff])\s+|\s+(?=[\u3400-\u9fff])|(?<=\d)\s+(?=[^\W\d_])"
)
# A run of letters and digits; a number with its sign, its fraction and its unit.
_RUN = re.compile(r"(?:[-\u2212](?=\d))?\w+(?:[.,]\d\w*)*%?")


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence, unchanged, with the numbers of the results that contain it."""

    text: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """The best sentences, best first, and the confidence that they answer (0 to 1)."""

    quotes: Sequence[Quote] = ()
    confidence: float = 0.0


def quotes(question: str, passages: Sequence[Passage], most: int = 3) -> list[Quote]:
    """Return at most *most* quotations, the best first; none where nothing fits."""
    chosen = select(question, passages, most)
    return list(chosen.quotes) if chosen.confidence >= LEAST else []


def select(question: str, passages: Sequence[Passage], most: int = 3) -> Selection:
    """Choose at most *most* sentences, even if they fit badly."""
    question, asked = one_line(question), weigh(question)
    pool = [
        sentence
        for passage in passages[:_MOST_PASSAGES]
        for sentence in _read(passage, asked)
    ]
    if not pool or not asked or most < 1:
        return Selection()
    score(pool, asked)
    best = sorted(pool, key=lambda one: -one.score)[:_CLOSER_LOOK]
    _lower_unfit(best, question, asked)
    _vote(best)
    best.sort(key=lambda one: -one.score)  # stable: the engine's order decides ties
    chosen = _differing(best, most)
    confidence = max(_confidence(one, asked) for one in chosen)
    return Selection([_quote(one, best) for one in chosen], confidence)


def _read(passage: Passage, asked: Asked) -> list[Text]:
    texts = [*islice(sentences(passage.text[:_MOST_TEXT]), _MOST_SENTENCES)]
    return read(passage, texts, asked)


def _lower_unfit(best: Sequence[Text], question: str, asked: Collection[str]) -> None:
    """Lower the score of sentences that lack the answer's kind, ask, or repeat."""
    for one in best:
        others = (term for term in terms(one.plain) if term not in asked)
        one.new = frozenset(term for term in others if not is_character(term))
        one.score *= share_without(question, one.text)
        if is_question(one.text):
            one.score *= _ASKS
        if not one.new - one.page.title:
            one.score *= _NOTHING_NEW


def _vote(best: Sequence[Text]) -> None:
    """Raise the score of sentences that agree with other results."""
    top = best[0].score or 1.0
    votes: dict[str, dict[Page, float]] = defaultdict(dict)
    for one in best:
        for term in one.new:
            vote = max(one.score / top, votes[term].get(one.page, 0.0))
            votes[term][one.page] = vote
    often = Counter(term for one in best for term in one.new)
    # The best result proposes a term, the others vote for it; a rare one says more.
    support = {
        term: (sum(by.values()) - max(by.values()))
        * math.log(1 + len(best) / often[term])
        for term, by in votes.items()
    }
    won = [
        sum(sorted(support[term] for term in one.new)[-_VOTING_TERMS:]) for one in best
    ]
    most = max(won) or 1.0
    for one, support_of_one in zip(best, won, strict=True):
        one.score *= 1 + _VOTES * support_of_one / most


def _differing(best: Sequence[Text], most: int) -> list[Text]:
    """Choose the first that differ; a whole sentence replaces a part of it."""
    chosen: list[Text] = []
    for one in best:
        same = [at for at, other in enumerate(chosen) if _is_same(one, other)]
        if not same and len(chosen) < most:
            chosen.append(one)
        elif len(same) == 1 and _is_part(chosen[same[0]], one):
            chosen[same[0]] = one
    return chosen


def _is_same(one: Text, other: Text) -> bool:
    if one.plain == other.plain:
        return True
    these, those = one.new | one.counts.keys(), other.new | other.counts.keys()
    return len(these & those) >= _SAME * max(1, min(len(these), len(those)))


def _is_part(one: Text, other: Text) -> bool:
    """Tell whether *one* may be *other* cut short, also within a number or word."""
    part, whole = (_NO_LETTER.sub("", each.plain) for each in (one, other))
    return len(part) < len(whole) and part in whole


def _quote(one: Text, best: Sequence[Text]) -> Quote:
    """Make the quotation of *one*, with the numbers of all results that contain it."""
    runs = _runs(one)
    numbers = {
        other.page.number
        for other in best
        if other is one or (runs.strip() and runs in _runs(other))
    }
    return Quote(one.text, tuple(sorted(numbers)))


def _runs(one: Text) -> str:
    """Return the words and numbers of *one*, each between two spaces."""
    return f" {' '.join(_RUN.findall(_INNER_SPACE.sub('', one.plain)))} "


def _confidence(one: Text, asked: Asked) -> float:
    """Compute the share of the question that the sentence and its page cover."""
    # A long page contains nearly every single character.
    telling = [term for term in asked if not is_character(term)] or [*asked]
    near = sum(term in one.counts or term in one.page.title for term in telling)
    anywhere = sum(term in one.page.terms for term in telling)
    return (near + anywhere) / (2 * len(telling))
