"""Find where pages differ: clauses of the same words with another value."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Final

from agent.research.quoting import Library
from agent.research.report import Difference
from agent.without_model.select import Quote
from citations.evidence import Flag, Kind, index, missing
from text.terms import asked_terms

MOST_DIFFERENCES: Final = 6

_MOST_CANDIDATES: Final = 24
_MOST_COMPARED: Final = 300  # pairs of clauses: a hostile page repeats itself
_PAUSE = re.compile(r"[,，;；](?!\d)")
# Characters that only link a value with its subject.
_LINKING = re.compile("[是为达约共有]")


@dataclass(frozen=True, slots=True)
class _Clause:
    """A part of a sentence with values, and its terms around the last of them."""

    quote: Quote
    text: str
    before: frozenset[str]
    behind: frozenset[str]
    dates: frozenset[tuple[int | None, ...]]  # of the whole sentence

    def speaks_as(self, other: "_Clause") -> bool:
        """Tell if *other* has the same words; one of both may add some at its end."""
        if self.before == other.before:
            return self.behind <= other.behind or other.behind <= self.behind
        return self.before | self.behind == other.before | other.behind


def differences(questions: Sequence[str], library: Library) -> list[Difference]:
    """
    Compare the sentences that speak of each of *questions*, page with page.

    Two clauses of the same words speak of the same thing; they differ where each has
    one value that the other lacks. Values of different years are no difference.
    """
    differing: dict[frozenset[str], Difference] = {}
    for question in questions:
        clauses: list[_Clause] = []  # with a value, and at least two terms beside it
        for quote in library.quotes(question, is_read=True, most=_MOST_CANDIDATES):
            dates = frozenset((d.year, d.month, d.day) for d in index(quote.text).dates)
            for part in _PAUSE.split(quote.text):
                known = index(part)
                places = [(one.start, one.end) for one in known.quantities]
                places += [(one.start, one.end) for one in known.dates]
                rest = [*part]
                for start, end in places:
                    rest[start:end] = " " * (end - start)
                at = max((start for start, _ in places), default=0)
                before, behind = (
                    frozenset(asked_terms(_LINKING.sub(" ", "".join(words))))
                    for words in (rest[:at], rest[at:])
                )
                if places and len(before | behind) > 1:
                    clauses.append(_Clause(quote, part.strip(), before, behind, dates))
        alike = (
            (one, other)
            for one, other in combinations(clauses, 2)
            if one.quote.numbers != other.quote.numbers and one.speaks_as(other)
        )
        for one, other in islice(alike, _MOST_COMPARED):
            here, there = missing(one.text, other.text), missing(other.text, one.text)
            if len(here) != 1 or len(there) != 1 or _kind(here[0]) != _kind(there[0]):
                continue
            is_dated = here[0].kind is Kind.DATE or one.dates == other.dates
            values = (here[0].value, there[0].value)
            # Line 1 and line 2 are two things: their numbers are names.
            named, other_named = (
                re.findall(r"\d+", clause.text.partition(value)[0])
                for clause, value in zip((one, other), values, strict=True)
            )
            if named != other_named:
                continue
            if is_dated and frozenset(values) not in differing:
                both = (library.cite(one.quote), library.cite(other.quote))
                differing[frozenset(values)] = Difference(values, both)
                if len(differing) == MOST_DIFFERENCES:
                    return [*differing.values()]
    return [*differing.values()]


def _kind(flag: Flag) -> tuple[Kind, list[object]]:
    """The kind of a value, and the dimensions of its units."""
    return flag.kind, [one.unit.dimension for one in index(flag.value).quantities]
