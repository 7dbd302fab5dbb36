"""Cut a text into words and terms that can be compared."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

_HAN = "\u3400-\u9fff\uf900-\ufaff"
_HAN_RUN = re.compile(f"[{_HAN}]+")
# Behind a letter, as in CO₂; behind a digit they would run together with it.
_LOWERED = re.compile("(?<=[A-Za-z])[\u2080-\u2089]+")
_RAISED: Final = {0x2080 + digit: str(digit) for digit in range(10)}
_WORD = re.compile(rf"[^\W\d_{_HAN}]+")
_ENDING = re.compile(r"(?<=[a-z]{3})(?:(?<![su])s|ies|es|ed|e|ing|y)$")
_STOPS = """
a an the and or of is are was were be been being am do does did done in on at to for
from with by about as into than then that this these those it its he she they them
their there here i me my we us our us you your what which who whom whose when where
why how can could will would shall should may might must has have had not no if so
such just also some any each please tell know many much s t hello hi hey thanks thank
"""
STOPS: Final = frozenset(_STOPS.split())
# A pair of characters that holds one of these says little about the subject.
_COMMON: Final = frozenset(
    "的了和与及在是为对将被把从到向于以等并也都而其之这那有就还又或但由让使"
)

MOST_QUESTION: Final = 1_000  # characters of a question that are read
_MOST_TERMS: Final = 100  # of a question

_TERM = re.compile(rf"\d+(?:[.,]\d+)*%?|[^\W\d_{_HAN}]+")
_FULL_WIDTH = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
ASKING: Final = (
    "请问|请?帮我[查搜找看]?(?:一?下)?|告诉我|我想知道|[是在有]?(?:什么时[候间]|什么|多少|哪[里儿位家些个年天一座种]*|谁"
    "|几[个位名次年月点]?)|为什么|为何|怎么样?|怎样|如何|是否|吗|呢|你好|您好"
)
_ASKING = re.compile(f"{ASKING}|[是的了在有和与被由于对其中及个]")


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
    return sorted(_words(text), key=attrgetter("start"))


def stems(text: str) -> set[str]:
    """Return the words of flat *text*, each once, without their places."""
    return {word.stem for word in _words(text)}


def stem(word: str) -> str:
    """Return a lower-case *word* without the commonest English endings."""
    return _ENDING.sub("", word)


def _words(text: str) -> Iterator[Word]:
    for match in _WORD.finditer(text):
        if (word := match[0].lower()) not in STOPS:
            yield Word(stem(word), *match.span())
    for run in _HAN_RUN.finditer(text):
        told = [char not in _COMMON for char in run[0]]
        for at in range(len(told) - 1):
            if told[at] and told[at + 1]:
                yield Word(run[0][at : at + 2], run.start() + at, run.start() + at + 2)


@lru_cache(maxsize=4096)
def _ordinary(char: str) -> str:
    """Return the ordinary twin of *char* where that is one character."""
    # A circled or raised digit would run together with the digits before it.
    if char.isascii() or unicodedata.category(char) == "No":
        return char
    twin = unicodedata.normalize("NFKC", char)
    return twin if len(twin) == 1 else char


def plain(text: str) -> str:
    """Lower-case *text*, with full-width letters and digits made ordinary ones."""
    if _FULL_WIDTH.search(text):
        text = unicodedata.normalize("NFKC", text)
    return text.lower()


def word_stems(text: str) -> list[str]:
    """Return the words of plain *text* without the commonest English endings."""
    return [stem(word) for word in _TERM.findall(text) if word not in STOPS]


def terms(text: str) -> list[str]:
    """Return the words of plain *text*; of Chinese, characters and pairs of them."""
    found = word_stems(text)
    for run in _HAN_RUN.findall(text):
        found += run
        found += [run[i : i + 2] for i in range(len(run) - 1)]
    return found


def is_character(term: str) -> bool:
    """Tell whether *term* is one Chinese character, which says little alone."""
    return len(term) == 1 and not term.isascii()


def asked_terms(question: str) -> list[str]:
    """Return the terms that tell what *question* is about, each once."""
    about = _ASKING.sub(" ", plain(question[:MOST_QUESTION]))
    return list(dict.fromkeys(terms(about)))[:_MOST_TERMS]
