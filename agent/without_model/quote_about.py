"""How far a sentence speaks of whom, what and when the question speaks of."""

import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Sequence
from typing import Final

from agent.without_model.quote_alike import alike
from agent.without_model.quote_kinds import Kind
from agent.without_model.quote_stops import ADVERBS
from agent.without_model.quote_text import asked_terms, terms
from agent.without_model.quote_words import NOW, PAST

_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)", re.ASCII)
_WORD = re.compile(r"[^\W\d_]+")
_HAN = "\u4e00-\u9fff"
_CAPITALS = re.compile(r"[A-Z]", re.ASCII)
_IN_TITLE: Final = 0.8
_OFTEN: Final = 2  # at the beginning of a sentence a capital tells nothing
# What is left where a sentence is about another year, a page of another year, who
# held an office once, and a result that does not speak of the subject.
_OTHER_YEAR: Final = 0.4
_UNDER_OTHER: Final = 0.8
_NO_LONGER: Final = 0.6
_ELSEWHERE: Final = 0.8

# `does the sun`, `is aspirin`: what follows is what is asked about.
_BEHIND = re.compile(
    r"\b(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have)\s+"
    r"(?!.*\b(?:of|current|latest|best)\b)(\S.*)",
    re.IGNORECASE,
)


class About:
    """What a question is about, as far as it can be told by its names and years."""

    def __init__(self, question: str, kind: Kind, names: Collection[str]) -> None:
        self._names = names
        self._subject = "" if names else subject(question)
        self._years = {*_YEAR.findall(question)}
        self._is_when = kind is Kind.WHEN
        self._is_now = kind is Kind.WHO and bool(NOW.search(question))

    def share(
        self, text: str, heading: str, told: Container[str], around: Container[str]
    ) -> float:
        """1 for what speaks of it, less for what speaks of others."""
        share = self._named(told, around) * self._dated(text, heading)
        if self._subject and not speaks_of(self._subject, around):
            share *= _ELSEWHERE
        return share * (_NO_LONGER if self._is_now and PAST.search(text) else 1)

    def _named(self, told: Container[str], around: Container[str]) -> float:
        """Less than 1 where a result does not speak of who or what is named."""
        if not self._names:
            return 1.0
        found = sum(
            1.0 if name in told else _IN_TITLE * (name in around)
            for name in self._names
        )
        missing = any(name.isdigit() and name not in around for name in self._names)
        return (0.7 + 0.3 * found / len(self._names)) * (0.7 if missing else 1)

    def _dated(self, text: str, heading: str) -> float:
        """Less than 1 for a year that was not asked for."""
        if not self._years:
            return 1.0
        above = {*_YEAR.findall(heading)}
        # Who asks when names a year that is not the answer's: the title's has to fit.
        told = above if self._is_when else {*_YEAR.findall(text)}
        if told and not told & self._years:
            return _OTHER_YEAR
        return _UNDER_OTHER if above and not above & self._years else 1.0


def subject(question: str) -> str:
    """The term that *question* is about, or '' where its place doesn't tell."""
    if re.match(f"[{_HAN}]", question):
        about = "" if ADVERBS.match(question) else question
    else:
        behind = _BEHIND.search(question)
        about = behind[1] if behind else ""
    return next((term for term in asked_terms(about) if not term.isdigit()), "")


def speaks_of(term: str, around: Container[str]) -> bool:
    """Whether *term* is there, or another word for it."""
    return term in around or any(other in around for other in alike(term))


def spoken_names(
    about: Sequence[str], question: str, texts: Iterable[str]
) -> list[str]:
    """Of a question in small letters, the terms that results write with capitals."""
    if _CAPITALS.search(question):
        return []
    small: set[str] = set()
    capital: Counter[str] = Counter()
    for text in texts:
        for match in _WORD.finditer(text):
            word = match[0]
            if word[0].islower():
                small.update(terms(word))
            elif word[0].isupper() and match.start():
                capital.update(terms(word))
    return [t for t in about if capital[t] >= _OFTEN and t not in small]
