"""Cut a text into words that can be compared, each with its place."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

_HAN = "\u3400-\u9fff\uf900-\ufaff"
_HAN_RUN = re.compile(f"[{_HAN}]+")
# Behind a letter, as in CO₂; behind a digit they would run together with it.
_LOWERED = re.compile("(?<=[A-Za-z])[\u2080-\u2089]+")
_RAISED: Final = {0x2080 + digit: str(digit) for digit in range(10)}
_WORD = re.compile(rf"[^\W\d_{_HAN}]+")
_ENDING = re.compile(r"(?<=[a-z]{3})(?:(?<![su])s|ies|es|ed|ing|ly|e|y)$")
_STOPS = """
a an the and or but of is are was were be been in on at to for from with by about as
into than then that this these those it its he she they his her their there we our you
your which who whom what when where how can could will would may might must has have had
not no if so such also according
"""
_STOP_WORDS: Final = frozenset(_STOPS.split())
# A pair of characters that holds one of these says little about the subject.
_COMMON: Final = frozenset(
    "的了和与及在是为对将被把从到向于以等并也都而其之这那有就还又或但由让使"
)


class Word(NamedTuple):
    """A word without its ending, or two Chinese characters, with its place."""

    stem: str
    start: int
    end: int


def flat(text: str) -> str:
    """Give *text* ordinary letters, digits and signs, each at the same place."""
    if text.isascii():
        return text
    text = _LOWERED.sub(lambda match: match[0].translate(_RAISED), text)
    return text.translate({ord(char): _ordinary(char) for char in set(text)})


def words(text: str) -> list[Word]:
    """Return the words of flat *text* in their order, without the commonest."""
    found = [
        Word(_stem(match[0]), *match.span())
        for match in _WORD.finditer(text)
        if match[0].lower() not in _STOP_WORDS
    ]
    for run in _HAN_RUN.finditer(text):
        at = run.start()
        found += (Word(pair, at + i, at + i + 2) for i, pair in _pairs(run[0]))
    return sorted(found, key=lambda word: word.start)


def stems(text: str) -> set[str]:
    """Return the words of flat *text*, each once, without their places."""
    found = {_stem(word) for word in _WORD.findall(text)}
    for run in _HAN_RUN.findall(text):
        found.update(pair for _, pair in _pairs(run))
    return found - _STOP_WORDS


def _pairs(run: str) -> Iterator[tuple[int, str]]:
    """Yield the pairs of characters of a Chinese *run* that tell something."""
    told = [char not in _COMMON for char in run]
    for at in range(len(run) - 1):
        if told[at] and told[at + 1]:
            yield at, run[at : at + 2]


@lru_cache(maxsize=4096)
def _ordinary(char: str) -> str:
    """Return the ordinary twin of *char* where that is one character."""
    # A circled or raised digit would run together with the digits before it.
    if char.isascii() or unicodedata.category(char) == "No":
        return char
    twin = unicodedata.normalize("NFKC", char)
    return twin if len(twin) == 1 else char


def _stem(word: str) -> str:
    return _ENDING.sub("", word.lower())
