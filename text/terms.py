"""Cut a text into the words that say what it is about, to compare it with others."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from text.language import HAN, HAN_RANGE

MOST_QUESTION: Final = 1_000  # characters of a question that are read
_MOST_TERMS: Final = 100  # of a question

_STOPS = """
a an the and or of is are was were be been being am do does did done in on at to for
from with by about as into than then that this these those it its he she they them
their there here i me my we us our us you your what which who whom whose when where
why how can could will would shall should may might must has have had not no if so
such just also some any each please tell know many much s t hello hi hey thanks thank
"""
STOPS: Final = frozenset(_STOPS.split())
# Words that ask, and say nothing of the subject.
ASKING: Final = (
    "请问|请?帮我[查搜找看]?(?:一?下)?|告诉我|我想知道|[是在有]?(?:什么时[候间]|什么|多少|哪[里儿位家些个年天一座种]*|谁"
    "|几[个位名次年月点]?)|为什么|为何|怎么样?|怎样|如何|是否|吗|呢|你好|您好"
)
# With those that join words; not those of names: 中国, 成都, 土耳其.
_ASKING = re.compile(f"{ASKING}|[的了是在和与有被由于对]")

_SPACED = re.compile(rf"\d+(?:[.,]\d+)*%?|[^\W\d_{HAN_RANGE}]+")
_WORD = re.compile(rf"[{HAN_RANGE}]+|{_SPACED.pattern}")
_ENDING = re.compile(r"(?<=[a-z]{3})(?:(?<![su])s|ies|es|ed|e|ing|y)$")
# Nouns whose form is not that of their adjective or verb with an ending.
_ROOTS: Final = {
    "height": "high",
    "length": "long",
    "depth": "deep",
    "width": "wide",
    "strength": "strong",
    "weight": "weigh",
}
_WIDE = re.compile("[\u2080-\u2089\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
# Small digits behind a letter, as in CO₂; behind a digit they would run together
# with it. Any other sign may have an ordinary twin.
_SPECIAL = re.compile(rf"(?<=[A-Za-z])([\u2080-\u2089]+)|[^\x00-\x7f{HAN_RANGE}、。]")


class Word(NamedTuple):
    """A number, an English word or one or two Chinese characters, with its place."""

    term: str  # in lower case, without the ending of an English word
    start: int
    end: int


def flat(text: str) -> str:
    """Give *text* ordinary letters, digits and signs, each at the same place."""
    if text.isascii():
        return text
    return _SPECIAL.sub(
        lambda match: unicodedata.normalize("NFKC", match[1] or "") or _twin(match[0]),
        text,
    )


def plain(text: str) -> str:
    """Give *text* ordinary letters and digits, in lower case."""
    return (flat(text) if _WIDE.search(text) else text).lower()


def words(text: str) -> Iterator[Word]:
    """
    Yield the words of flat *text* in their order, without those that say little.

    Of Chinese, which puts no space between words, these are characters and pairs.
    """
    for match in _WORD.finditer(text):
        run, start = match[0], match.start()
        if not HAN.match(run):
            if (word := run.lower()) not in STOPS:
                yield Word(stem(word), start, match.end())
            continue
        for at, char in enumerate(run, start=start):
            yield Word(char, at, at + 1)
            if at + 1 < match.end():
                yield Word(text[at : at + 2], at, at + 2)


def terms(text: str) -> list[str]:
    """Return the words of flat *text* without their places."""
    return [word.term for word in words(text)]


def spaced_terms(text: str) -> list[str]:
    """Return the terms of plain *text* that are numbers or English words."""
    return [stem(word) for word in _SPACED.findall(text) if word not in STOPS]


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return a lower-case *word* without the commonest English endings."""
    return _ENDING.sub("", _ROOTS.get(word, word))


def is_character(term: str) -> bool:
    """Tell whether *term* is one Chinese character, which says little alone."""
    return len(term) == 1 and not term.isascii()


def asked_terms(question: str) -> list[str]:
    """Return the terms that tell what *question* is about, each once."""
    about = _ASKING.sub(" ", plain(question[:MOST_QUESTION]))
    return list(dict.fromkeys(terms(about)))[:_MOST_TERMS]


@lru_cache(maxsize=4096)
def _twin(char: str) -> str:
    """Return the ordinary twin of *char* where that is one character."""
    # A circled or raised digit would run together with the digits before it.
    if unicodedata.category(char) == "No":
        return char
    twin = unicodedata.normalize("NFKC", char)
    return twin if len(twin) == 1 else char
