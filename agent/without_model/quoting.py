"""Choose the sentences of search results that answer a question; nothing is added."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.without_model.quote_score import Pool, Sentence
from agent.without_model.quote_text import folded, key

MOST: Final = 3

_MOST_QUESTION: Final = 10_000
_MOST_PASSAGES: Final = 30
_RELATIVE: Final = 0.62  # of the best, to be quoted beside it
_COPY: Final = 0.85


@dataclass(frozen=True, slots=True)
class Passage:
    """One search result, under its number."""

    number: int
    title: str
    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence as it stands in the results of these numbers."""

    text: str
    numbers: tuple[int, ...]


def quotes(question: str, passages: Sequence[Passage], most: int = MOST) -> list[Quote]:
    """At most *most* quotations, the best first; none where nothing fits."""
    pool = Pool(folded(question[:_MOST_QUESTION]))
    for one in passages[:_MOST_PASSAGES]:
        pool.add(one.number, one.title, one.text, one.url)
    scored = pool.scores()
    best = max(scored.values(), default=0.0)
    if best <= 0:
        return []
    # Sorting is stable: of equals the search engine's order decides.
    ranked = sorted(scored, key=lambda one: -scored[one])
    return _merged([one for one in ranked if scored[one] >= _RELATIVE * best], most)


def _merged(ranked: Sequence[Sentence], most: int) -> list[Quote]:
    """Each sentence once, with the numbers of all results that hold it."""
    kept: dict[str, tuple[str, list[int]]] = {}
    for one in ranked:
        this = key(one.text)
        if this in kept:
            if one.number not in kept[this][1]:
                kept[this][1].append(one.number)
        elif len(kept) < most and not any(_is_part(this, other) for other in kept):
            kept[this] = (one.text, [one.number])
    return [Quote(text, tuple(sorted(numbers))) for text, numbers in kept.values()]


def _is_part(this: str, other: str) -> bool:
    """Whether one is the other, cut."""
    short, long = sorted((this, other), key=len)
    return short in long or long.startswith(short[: int(len(short) * _COPY)])
