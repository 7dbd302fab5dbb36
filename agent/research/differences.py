"""Find where pages differ: unequal values in sentences that say the same thing."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from agent.research.quoting import Candidate, Library
from agent.research.report import Difference, Statement
from agent.without_model.sentences import plain, terms
from citations.evidence import Kind, Text, check, index

MOST_DIFFERENCES: Final = 6

_ALIKE: Final = 0.5  # share of the words that two sentences have in common


def differences(questions: Sequence[str], library: Library) -> list[Difference]:
    """
    Compare the sentences that speak of each of *questions*, page with page.

    A pair counts where one value of a sentence is lacking in the other, which has
    another value of the same kind between the same words.
    """
    found: dict[frozenset[str], Difference] = {}
    for question in questions:
        for one, other in _alike(library.candidates(question)):
            values = _unequal(one.text, other.text)
            if values and (key := frozenset(values)) not in found:
                both = (_statement(one, library), _statement(other, library))
                found[key] = Difference(values, both)
                if len(found) == MOST_DIFFERENCES:
                    return [*found.values()]
    return [*found.values()]


def _alike(candidates: Sequence[Candidate]) -> Iterator[tuple[Candidate, Candidate]]:
    """Yield pairs of sentences with figures, of two pages, with the same words."""
    told = [(one, _words(one.text)) for one in candidates if _has_figure(one.text)]
    for (one, words), (other, others) in combinations(told, 2):
        shared = len(words & others)
        if one.page != other.page and shared >= _ALIKE * min(len(words), len(others)):
            yield one, other


def _unequal(one: str, other: str) -> tuple[str, str] | None:
    """Return the first value of *one* and the other's in its place, if they differ."""
    here, there = _only(one, index(other)), _only(other, index(one))
    if here is None or there is None:
        return None
    value, kind, _ = here
    instead, kind_there, _ = there
    return (value, instead) if kind is kind_there else None


def _only(sentence: str, text: Text) -> tuple[str, Kind, str] | None:
    """Return the one value of *sentence* that *text* lacks; None for none or more."""
    found = check(f"{sentence}[1]", {1: text})
    flags = [flag for one in found for flag in one.flags]
    return (
        (flags[0].value, flags[0].kind, flags[0].nearest) if len(flags) == 1 else None
    )


def _statement(one: Candidate, library: Library) -> Statement:
    number = library.number(one.page)
    return Statement(one.text, (number,), {number: one.text})


def _words(sentence: str) -> frozenset[str]:
    return frozenset(t for t in terms(plain(sentence)) if not _has_figure(t))


def _has_figure(text: str) -> bool:
    return any(char.isdigit() for char in text)
