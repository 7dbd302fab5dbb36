"""Find where pages differ: unequal values in clauses that say the same thing."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, pairwise
from typing import Final

from agent.research.quoting import Library
from agent.research.report import Difference
from agent.research.texts import EMPTY
from agent.without_model.select import Quote
from citations.evidence import Kind, check, index
from text.language import HAN
from text.terms import (
    asked_terms,
    is_character,
    plain,
    terms,
    word_stems,
)

MOST_DIFFERENCES: Final = 6

_LEAST_WORDS = 2  # that two clauses must share
_LEAST_CHARACTERS = 3
_MOST_EXTRA_WORDS = 4  # that only the longer clause has
_MOST_EXTRA_CHARACTERS = 3

_VALUE: Final = "#"
_OF: Final = "of"
_OWNS: Final = "'s"
_PASSING: Final = frozenset(
    ("now", "currently", "only", "about", "just", "still", "also", "even", "already")
)
_PAUSE = re.compile(r"[,，;；](?!\d)")
_TOKEN = re.compile(r"[^\W\d_]+(?:['’]s\b)?|\w+|#")


@dataclass(frozen=True, slots=True)
class _Clause:
    """A part of a sentence with values, and the same part without them."""

    quote: Quote
    text: str
    form: str  # a sign stands for each value
    dates: frozenset[tuple[int | None, ...]]  # of the whole sentence


def differences(questions: Sequence[str], library: Library) -> list[Difference]:
    """
    Compare the sentences that speak of each of *questions*, page with page.

    Two clauses say the same thing where all words of one stand in the other, and the
    others of that one name no other thing; they differ where one value of each is
    lacking in the other. Values of different years are no difference.
    """
    found: dict[frozenset[str], Difference] = {}
    for question in questions:
        clauses = [*_clauses(question, library.candidates(question, 24))]
        for one, other in combinations(clauses, 2):
            if one.quote.numbers == other.quote.numbers or not _is_same(one, other):
                continue
            values = _unequal(one, other)
            if values and (key := frozenset(values)) not in found:
                both = (library.cite(one.quote), library.cite(other.quote))
                found[key] = Difference(values, both)
                if len(found) == MOST_DIFFERENCES:
                    return [*found.values()]
    return [*found.values()]


def _clauses(question: str, candidates: Sequence[Quote]) -> Iterator[_Clause]:
    """Yield the clauses with values that name something of the question."""
    asked = {term for term in asked_terms(question) if not is_character(term)}
    for one in candidates:
        if not any(map(str.isdigit, one.text)):
            continue
        dates = frozenset((d.year, d.month, d.day) for d in index(one.text).dates)
        for part in _PAUSE.split(one.text):
            form = _form(part)
            if _VALUE in form and asked & set(terms(plain(part))):
                yield _Clause(one, part.strip(), form, dates)


def _form(clause: str) -> str:
    """Put a sign in place of each value."""
    known = index(clause)
    places = [(one.start, one.end) for one in known.quantities]
    places = sorted([*places, *((one.start, one.end) for one in known.dates)])
    written, end = "", 0
    for start, until in places:
        if start >= end:
            written += f"{clause[end:start]} {_VALUE} "
            end = until
    return plain(written + clause[end:]) if places else ""


def _is_same(one: _Clause, other: _Clause) -> bool:
    """Tell if two clauses say the same thing, but for their values."""
    if one.form.count(_VALUE) != other.form.count(_VALUE):
        return False
    if HAN.search(one.form) and HAN.search(other.form):
        return _is_same_chinese(*(_characters(c.form) for c in (one, other)))
    return _is_same_english(*(_content(c.form) for c in (one, other)))


def _is_same_chinese(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    extra = len(long) - len(short)
    is_long_enough = len(short.replace(_VALUE, "")) >= _LEAST_CHARACTERS
    return is_long_enough and extra <= _MOST_EXTRA_CHARACTERS and short in long


def _is_same_english(one: Sequence[str], other: Sequence[str]) -> bool:
    """Compare the words of two clauses, in which '' stands for common ones."""
    short, long = sorted((one, other), key=lambda said: len(_only_words(said)))
    shared = _only_words(short)
    extra = _only_words(long) - shared
    if len(shared) < _LEAST_WORDS or not shared <= _only_words(long):
        return False
    return len(extra) <= _MOST_EXTRA_WORDS and not _names_another(long, extra)


def _names_another(said: Sequence[str], extra: frozenset[str]) -> bool:
    """
    Tell if a word of *extra* makes a clause speak of another thing.

    It does where it stands right beside a shared word, or one is the other's: the tower
    restaurant, the mast of the tower, the tower's mast.
    """
    runs = [[*run] for is_word, run in groupby(said, _is_word) if is_word]
    if any({*run} & extra and {*run} - extra for run in runs):
        return True
    return any(
        (word in extra and then == _OF) or (word == _OWNS and then in extra)
        for word, then in pairwise(said)
    )


def _only_words(said: Sequence[str]) -> frozenset[str]:
    return frozenset(filter(_is_word, said))


def _is_word(token: str) -> bool:
    return token not in ("", _OF, _OWNS, _VALUE)


def _content(form: str) -> list[str]:
    said = []
    for token in _TOKEN.findall(form):
        name, _, owns = token.partition("'")
        is_sign = token in (_OF, _VALUE)
        stem = "" if name in _PASSING else "".join(word_stems(name)[:1])
        said.append(token if is_sign else stem)
        said += [_OWNS] if owns else []
    return said


def _characters(form: str) -> str:
    return "".join(c for c in form if (c.isalnum() or c == _VALUE) and c not in EMPTY)


def _unequal(one: _Clause, other: _Clause) -> tuple[str, str] | None:
    """Return the one value of each that the other lacks, if they can be compared."""
    here, there = _only(one.text, other.text), _only(other.text, one.text)
    if here is None or there is None:
        return None
    (value, kind), (instead, kind_there) = here, there
    is_dated = kind is not Kind.DATE and one.dates != other.dates
    if kind is not kind_there or is_dated or _dimension(value) != _dimension(instead):
        return None
    return value, instead


def _only(clause: str, text: str) -> tuple[str, Kind] | None:
    """Return the one value of *clause* that *text* lacks; None for none or more."""
    found = check(f"{clause}[1]", {1: text})
    flags = [flag for one in found for flag in one.flags]
    return (flags[0].value, flags[0].kind) if len(flags) == 1 else None


def _dimension(value: str) -> str:
    return next((one.unit.dimension for one in index(value).quantities), "")
