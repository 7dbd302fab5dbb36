"""The words of an English question, and which of them say what it is about."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from agent.follow_up.english_words import (
    CHOOSING,
    FUNCTION,
    GENERAL,
    KINDS,
    RELATIONAL,
    TIMES,
)

_WORD = re.compile(r"[^\W_]+(?:[-.'&][^\W_]+)*[+#]*")
_ENDING = re.compile(r"(?:n't|'(?:s|m|re|ve|ll|d))$")
_YEAR = re.compile(r"(?:1\d|20)\d\ds?")
_NEUTRAL: Final = RELATIONAL | TIMES | CHOOSING
_COMMON: Final = FUNCTION | GENERAL
# Behind a kind of things: the city of trees is no city that was named before.
_EXPLAINING: Final = frozenset(
    ("of", "with", "that", "where", "who", "which", "called")
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question, with its place."""

    text: str
    low: str  # in small letters, without the ending of a genitive or a verb
    start: int
    end: int
    is_name: bool = False  # written with a capital, and not for being the first
    is_kind: bool = False  # “the city”
    at: int = 0  # among the words

    @property
    def is_specific(self) -> bool:
        """Tell if the word says what the question is about."""
        if self.is_name:
            return True
        if self.is_kind or self.low.isdigit():
            return False
        return self.low not in _COMMON and self.low not in _NEUTRAL

    @property
    def is_year(self) -> bool:
        """Tell if the word is a year."""
        return bool(_YEAR.fullmatch(self.text))


def read(question: str) -> list[Word]:
    """Return the words of *question*."""
    text = question.replace("\u2019", "'")
    shouts = text.isupper()
    words: list[Word] = []
    for found in _WORD.finditer(text):
        before = text[: found.start()].rstrip()
        low = _ENDING.sub("", found[0].lower())
        is_name = found[0][0].isupper() and not shouts and low != "i"
        is_short = found[0].isupper() and len(found[0]) > 1  # IT, US
        if (not before or before[-1] in ".?!") and not is_short:
            is_name = is_name and low not in _COMMON and low not in _NEUTRAL
        words.append(Word(found[0], low, *found.span(), is_name, at=len(words)))
    return [
        replace(word, is_kind=True) if _is_kind(words, at) else word
        for at, word in enumerate(words)
    ]


def before(words: Sequence[Word], at: int) -> str:
    """Return the word before a place, '' at the beginning."""
    return words[at - 1].low if at else ""


def behind(words: Sequence[Word], at: int) -> str:
    """Return the word behind a place, '' at the end."""
    return words[at + 1].low if at + 1 < len(words) else ""


def stem(word: str) -> str:
    """Return the singular of a regular noun."""
    return word.removesuffix("s")


def stems(text: str) -> set[str]:
    """Return the words of *text* in the singular."""
    return {stem(word.low) for word in read(text)}


def _is_kind(words: Sequence[Word], at: int) -> bool:
    return (
        words[at].low in KINDS
        and before(words, at) in {"the", "this", "these"}
        and behind(words, at) not in _EXPLAINING
        and not (at + 1 < len(words) and words[at + 1].is_name)
    )
