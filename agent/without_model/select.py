"""
Choose the sentences of search results, or of whole pages, that answer a question.

1. A sentence is ranked by the rare terms of the question (`text.rank`).
2. The best lose score if they lack what is asked for, ask, or repeat the question.
3. The results vote: new terms that several of them share are likely the answer.
4. The best that differ are chosen, and the confidence says how much of the question
   they speak of.
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple

from citations.evidence import dimensions
from text.language import HAN_RANGE
from text.rank import Candidate, CutPage, Passage, rank
from text.sentences import sentences
from text.terms import MOST_QUESTION, asked_terms, is_character, terms

LEAST: Final = 0.28  # confidence below which nothing is quoted
SURE: Final = 0.6  # confidence below which a quotation is only the closest found

# Bounds on hostile input.
_MOST_PASSAGES, _MOST_TEXT, _MOST_SENTENCES = 30, 10_000, 400

_CLOSER_LOOK = 80  # sentences
# Shares of the score that are kept.
_ASKS, _NOTHING_NEW, _UNMEASURED = 0.3, 0.1, 0.3
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
        rf"|[{HAN_RANGE}]·[{HAN_RANGE}]|(?<=[{HAN_RANGE}])[A-Z]\w+"
        rf"|(?:[由是为]|作者|导演|主席|总统|总理|[市校院部会]长)[{HAN_RANGE}]{{2,4}}",
        0.8,
    ),
    _Kind(
        r"哪里|哪儿|在哪(?![个一年天些种])|何[处地]|哪[个座一]?(?:城市|国家?|省|地方|市|州)"
        r"|什么地方|地[址点]|\bwhere\b|location"
        r"|(?:which|what) (?:city|country|town|state|place)",
        r"\b(?:in|at|on|near|of|to|from) (?:the |central |\w+ern )?[A-Z]\w+"
        rf"|[{HAN_RANGE}]{{1,4}}[省市县区州国岛镇村路街]|位于|坐落|地处",
        0.8,
    ),
)

# What an amount measures that is asked for, whatever words stand beside it: a page
# says “weighs 412 kilograms” of a weight, and “214 metres deep” of a depth.
_MEASURED: Final = (
    (r"多重|[重质]量|体重|how heavy|\b(?:weight|mass|weighs?)\b", {"mass"}),
    (r"面积|\barea\b", {"area"}),
    (r"how (?:big|large) is|\bsize\b", {"area", "length", "volume"}),
    (r"多[高深宽远厚]|[高深宽厚长]度|海拔|直径|距离", {"length"}),
    (r"how (?:tall|high|deep|wide|far|thick)|\b(?:height|depth|width)\b", {"length"}),
    (r"\b(?:length|altitude|elevation|distance|diameter)\b", {"length"}),
    (r"多长|how long", {"length", "duration"}),
    (r"多快|速度|时速|how fast|\bspeed\b", {"speed", "rate"}),
    (r"多少钱|价格|[票售]价|how expensive|\b(?:price|cost)\b", {"money"}),
    (r"容量|\bcapacity\b", {"volume", "energy", "charge", "data"}),
)


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence, unchanged, with the numbers of the results that contain it."""

    text: str
    numbers: tuple[int, ...]
    score: float = field(default=0.0, compare=False)  # 1 for the best of its question


def measured(question: str) -> Callable[[str], bool] | None:
    """Return the test for an amount of what *question* asks; None: of nothing."""
    for asks, wanted in _MEASURED:
        if re.search(asks, question, re.IGNORECASE):
            return lambda text: not wanted.isdisjoint(dimensions(text))
    return None


def wanted(question: str) -> tuple[Callable[[str], bool], float]:
    """
    Return the test for what *question* asks for: an amount, a time, a person, a place.

    With it the share of its score that a sentence keeps which has nothing of it.
    """
    question = question[:MOST_QUESTION].strip()
    if is_measured := measured(question):
        return is_measured, _UNMEASURED
    for kind in _KINDS:
        if re.search(kind.asks, question, re.IGNORECASE):

            def has_new(text: str, looks: str = kind.looks) -> bool:
                return any(m[0] not in question for m in re.finditer(looks, text))

            return has_new, kind.share
    return lambda _: True, 1.0


def quotes(question: str, passages: Sequence[Passage], most: int = 3) -> list[Quote]:
    """Return at most *most* quotations, the best first; none where nothing fits."""
    chosen, confidence = select(question, passages, most)
    return chosen if confidence >= LEAST else []


def select(
    question: str, passages: Sequence[Passage], most: int = 3
) -> tuple[list[Quote], float]:
    """Choose *most* sentences, and tell the confidence that they answer (0 to 1)."""
    asked = asked_terms(question)
    pool = rank(
        question,
        (
            CutPage.of(page, islice(sentences(page.text[:_MOST_TEXT]), _MOST_SENTENCES))
            for page in passages[:_MOST_PASSAGES]
        ),
    )
    if not pool or not asked or most < 1:
        return [], 0.0
    best = sorted(pool, key=_by_score)[:_CLOSER_LOOK]
    new = {
        sentence: {t for t in terms(sentence.plain) if not is_character(t)} - {*asked}
        for sentence in best
    }
    # Lower are those that lack the answer's kind, ask themselves, or say nothing new.
    is_wanted, share = wanted(question)
    for sentence in best:
        if not is_wanted(sentence.text):
            sentence.score *= share
        if _QUESTION.search(sentence.text):
            sentence.score *= _ASKS
        if new[sentence] <= sentence.page.title:
            sentence.score *= _NOTHING_NEW
    _vote(best, new)
    best.sort(key=_by_score)  # stable: the engine's order decides ties
    chosen: list[Candidate] = []
    for sentence in best:  # that differ; a whole sentence replaces a part of it
        mine = _letters(sentence)
        others = [_letters(other) for other in chosen]
        same = [at for at, its in enumerate(others) if mine in its or its in mine]
        if not same and len(chosen) < most:
            chosen.append(sentence)
        elif len(same) == 1 and len(mine) > len(others[same[0]]):
            chosen[same[0]] = sentence
    holders: dict[str, set[int]] = defaultdict(set)
    for sentence in best:
        holders[_letters(sentence)].add(sentence.number)
    quotations = [
        Quote(
            sentence.text,
            tuple(sorted(holders[_letters(sentence)])),
            sentence.score / (chosen[0].score or 1.0),
        )
        for sentence in chosen
    ]
    return quotations, max(_confidence(sentence, pool, asked) for sentence in chosen)


def _by_score(sentence: Candidate) -> float:
    return -sentence.score


def _vote(best: Sequence[Candidate], new: Mapping[Candidate, set[str]]) -> None:
    """Raise the score of sentences that agree with other results."""
    votes: dict[str, dict[int, float]] = defaultdict(dict)
    for sentence in sorted(best, key=_by_score, reverse=True):
        for term in new[sentence]:  # the result's best sentence is last
            votes[term][sentence.number] = sentence.score
    results = len({sentence.number for sentence in best})
    # The best result proposes a term, the others vote for it; a rare one says more.
    support = {
        term: (sum(by.values()) - max(by.values())) * math.log(1 + results / len(by))
        for term, by in votes.items()
    }
    won = [
        sum(sorted(support[term] for term in new[sentence])[-_VOTING_TERMS:])
        for sentence in best
    ]
    most = max(won) or 1.0
    for sentence, share in zip(best, won, strict=True):
        sentence.score *= 1 + _VOTES * share / most


def _letters(sentence: Candidate) -> str:
    return "".join(_LETTERS.findall(sentence.plain))


def _confidence(
    sentence: Candidate, pool: Sequence[Candidate], asked: Sequence[str]
) -> float:
    """Compute the share of the question that the sentence and its page cover."""
    # A long page contains nearly every single character.
    telling = [term for term in asked if not is_character(term)] or asked
    title, page = sentence.page.title, sentence.page
    on_page = title.union(*(other.counts for other in pool if other.page is page))
    near = sum(term in sentence.counts or term in title for term in telling)
    anywhere = sum(term in on_page for term in telling)
    return (near + anywhere) / (2 * len(telling))
