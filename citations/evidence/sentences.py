"""Cut a text into sentences, and into words that can be compared."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

_RIGHT_TO_LEFT = "\u0590-\u08ff"  # Hebrew and Arabic
_END = re.compile(
    r"[。！？۔؟][”’」』）)\"']*|[!?](?=[\u3400-\u9fff])|[\r\n\t]+"
    rf"|[.!?][\"”')]*\s+(?=[\"'“‘(«\[]?[A-Z0-9{_RIGHT_TO_LEFT}])"
    r"|(?<!\d)[.!?][\"”')]*\s+(?=[\u3400-\u9fff])"
    r"|\s((?:\.{3}|[…·])\s)"  # separates parts of a snippet; belongs to none
)
_PAUSE = re.compile(r"[,;，；、:：؛،]\s*|\s+")
_ABBREVIATION = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|vs?|etc|al|approx|Inc|Ltd|Co|Corp|Fig|Vol|Jr|Sr"
    r"|Gen|Sen|Gov|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|[A-Z]"
    r"|[ap]\.m|e\.g|i\.e|ca)\.\Z"
)
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


class Word(NamedTuple):
    """A word without its ending, or two Chinese characters, with its place."""

    stem: str
    start: int
    end: int


def right_before(words: str) -> re.Pattern[str]:
    """Compile a pattern for *words* at the end of what stands before a value."""
    return re.compile(rf"(?:{words}) ?\Z", re.IGNORECASE)


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the beginning and the end of each sentence of *text*, of any length."""
    begin = 0
    for match in _END.finditer(text):
        dot = match.start() + 1
        if match[0][0] == "." and _ABBREVIATION.search(text, max(begin, dot - 9), dot):
            continue
        yield begin, match.start(1) if match[1] else match.end()
        begin = match.end()
    yield begin, len(text)


def cut_at_pauses(text: str, size: int) -> Iterator[tuple[int, int]]:
    """Yield the beginning and the end of pieces of *text*, none longer than *size*."""
    text, begin = text.rstrip(), 0
    while begin < len(text):
        end = len(text)
        if end - begin > size:
            pauses = [*_PAUSE.finditer(text, begin + size // 2, begin + size)]
            end = pauses[-1].end() if pauses else begin + size
        piece = text[begin:end]
        if said := piece.strip():
            first = begin + len(piece) - len(piece.lstrip())
            yield first, first + len(said)
        begin = end


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
