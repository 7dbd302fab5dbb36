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
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple

from text.rank import Passage, Text, rank
from text.sentences import sentences
from text.terms import (
    MOST_QUESTION,
    asked_terms,
    is_character,
    terms,
)

LEAST: Final = 0.28  # confidence below which nothing is quoted
SURE: Final = 0.5  # confidence below which a quotation is only the closest found

# Bounds on hostile input.
_MOST_PASSAGES, _MOST_TEXT, _MOST_SENTENCES = 30, 10_000, 400

_CLOSER_LOOK = 80  # sentences
_ASKS, _NOTHING_NEW = 0.3, 0.1  # share of the score that is kept
_VOTES, _VOTING_TERMS = 0.9, 6
_QUESTION = re.compile(r"[?？]\W*$|^请问")
# Letters and digits, and the signs that belong to a number.
_LETTERS = re.compile(r"[^\W_]|[-\u2212](?=\d)|(?<=\d)[.,](?=\d)|%")


class _Kind(NamedTuple):
    """A kind of question."""

    asks: str  # pattern of the question
    looks: str  # pattern of what is asked for
    share: float  # of its score, kept by a sentence without it


# For a time, a number, a person and a place; the first that asks is used.
_KINDS: Final = (
    _Kind(
        r"什么时[间候]|何时|哪一?[年天]|[哪几]月|几[点号时]|日期|时间|\bwhen\b|\bdate\b"
        r"|\b(?:what|which) (?:year|date|day|month|time)",
        r"(?<!\d)(?:1\d|20)\d\d(?!\d)|\d{1,2}[年月日号点时:：]|世纪|century"
        r"|\d ?[apAP]\.?[mM]|[一二三四五六七八九十]+[年月日]"
        r"|\b(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\b\.? \d"
        r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b",
        0.35,
    ),
    _Kind(
        r"多少|几[^乎何]|多[长高远大深重宽久快]|版本|人[口数]|[高长深温速宽]度|面积|数量"
        r"|[价票]格|[率额量数]$|how (?:many|much|long|far|tall|high|deep|big|large|old"
        r"|fast|heavy|wide)|\b(?:population|height|speed|distance|temperature|number"
        r"|rate|version|price|cost)\b",
        r"\d[\d.,]*%?"
        r"|[一二两三四五六七八九十百千万亿]+[个名位条颗座所次年天月人万亿倍只种部件家岁度]"
        r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand"
        r"|[mb]illion)\b",
        0.3,
    ),
    _Kind(
        r"谁|哪位|何人|作者|\bwho(?:m|se)?\b",
        r"[A-Z][\w'’-]+(?: (?:van|de|von|of|the) )?(?: ?[A-Z][\w'’.-]+)+"
        r"|[\u4e00-\u9fff]·[\u4e00-\u9fff]|(?<=[\u4e00-\u9fff])[A-Z]\w+"
        r"|(?:[由是为]|作者|导演|主席|总统|总理|[市校院部会]长)[\u4e00-\u9fff]{2,4}",
        0.8,
    ),
    _Kind(
        r"哪里|哪儿|在哪(?![个一年天些种])|何[处地]|哪[个座一]?(?:城市|国家?|省|地方|市|州)"
        r"|什么地方|地[址点]|\bwhere\b|location"
        r"|(?:which|what) (?:city|country|town|state|place)",
        r"\b(?:in|at|on|near|of|to|from) (?:the |central |\w+ern )?[A-Z]\w+"
        r"|[\u4e00-\u9fff]{1,4}[省市县区州国岛镇村路街]|位于|坐落|地处",
        0.8,
    ),
)


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence, unchanged, with the numbers of the results that contain it."""

    text: str
    numbers: tuple[int, ...]
    score: float = field(default=0.0, compare=False)  # 1 for the best of its question


def quotes(question: str, passages: Sequence[Passage], most: int = 3) -> list[Quote]:
    """Return at most *most* quotations, the best first; none where nothing fits."""
    chosen, confidence = select(question, passages, most)
    return chosen if confidence >= LEAST else []


def select(
    question: str, passages: Sequence[Passage], most: int = 3
) -> tuple[list[Quote], float]:
    """Choose *most* sentences, and tell the confidence that they answer (0 to 1)."""
    cut = (
        (one, [*islice(sentences(one.text[:_MOST_TEXT]), _MOST_SENTENCES)])
        for one in passages[:_MOST_PASSAGES]
    )
    asked, pool = asked_terms(question), rank(question, cut)
    if not pool or not asked or most < 1:
        return [], 0.0
    best = sorted(pool, key=lambda one: -one.score)[:_CLOSER_LOOK]
    for one in best:
        others = frozenset(terms(one.plain)).difference(asked)
        one.new = frozenset(term for term in others if not is_character(term))
    _lower_unfit(best, question[:MOST_QUESTION].strip())
    _vote(best)
    best.sort(key=lambda one: -one.score)  # stable: the engine's order decides ties
    chosen = _differing(best, most)
    confidence = max(_confidence(one, pool, asked) for one in chosen)
    highest = chosen[0].score or 1.0
    return [_quote(one, best, highest) for one in chosen], confidence


def _lower_unfit(best: Sequence[Text], question: str) -> None:
    """Lower the score of sentences that lack the answer's kind, ask, or repeat."""
    kinds = (kind for kind in _KINDS if re.search(kind.asks, question, re.IGNORECASE))
    _, looks, share = next(kinds, ("", "", 1.0))
    for one in best:
        if all(match[0] in question for match in re.finditer(looks, one.text)):
            one.score *= share
        if _QUESTION.search(one.text):
            one.score *= _ASKS
        if one.new <= one.title:
            one.score *= _NOTHING_NEW


def _vote(best: Sequence[Text]) -> None:
    """Raise the score of sentences that agree with other results."""
    votes: dict[str, dict[int, float]] = defaultdict(dict)
    for one in sorted(best, key=lambda one: one.score):
        for term in one.new:
            votes[term][one.passage.number] = (
                one.score
            )  # the result's best sentence is last
    results = len({one.passage.number for one in best})
    # The best result proposes a term, the others vote for it; a rare one says more.
    support = {
        term: (sum(by.values()) - max(by.values())) * math.log(1 + results / len(by))
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
        said = _letters(one)
        others = [_letters(other) for other in chosen]
        same = [at for at, it in enumerate(others) if said in it or it in said]
        if not same and len(chosen) < most:
            chosen.append(one)
        elif len(same) == 1 and len(said) > len(others[same[0]]):
            chosen[same[0]] = one
    return chosen


def _letters(one: Text) -> str:
    return "".join(_LETTERS.findall(one.plain))


def _quote(one: Text, best: Sequence[Text], highest: float) -> Quote:
    """Make the quotation of *one*, with the numbers of all results that contain it."""
    said = _letters(one)
    numbers = {other.passage.number for other in best if _letters(other) == said}
    return Quote(one.text, tuple(sorted(numbers)), one.score / highest)


def _confidence(one: Text, pool: Sequence[Text], asked: Sequence[str]) -> float:
    """Compute the share of the question that the sentence and its page cover."""
    # A long page contains nearly every single character.
    telling = [term for term in asked if not is_character(term)] or asked
    page = one.title.union(*(it.counts for it in pool if it.passage is one.passage))
    near = sum(term in one.counts or term in one.title for term in telling)
    anywhere = sum(term in page for term in telling)
    return (near + anywhere) / (2 * len(telling))
