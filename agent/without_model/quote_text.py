"""Text as the choice of quotations reads it: sentences, and terms to compare."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from agent.without_model.quote_stops import (
    COURTESY,
    ENGLISH,
    IRREGULAR,
    KIND_WORDS,
    SEPARATORS,
)

MOST_TEXT: Final = 2_000  # of one result
LONGEST: Final = 240  # of one quotation
SHORTEST: Final = 4

_HAN: Final = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_RUN = re.compile(rf"[{_HAN}]+")
_TOKEN = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+(?:[.'\u2019-][^\W_{_HAN}]+)*")
_END = re.compile(
    # The signs that close a quotation belong to what they close.
    "(?<=[\u3002\uff01\uff1f])(?![\u201d\u2019\u300d\u300f\uff09)])"
    "|(?<=[\u3002\uff01\uff1f][\u201d\u2019\u300d\u300f\uff09)])"
    r"|(?<=[.!?])\s+(?=[\"'\u201c\u2018(\[]?[^\Wa-z_])"
    r"|(?<=[.!?][\"'\u201d\u2019)])\s+(?=[\"'\u201c\u2018(\[]?[^\Wa-z_])"
    r"|(?<=\s)(?:\.\.\.|\u2026|\xb7)\s|(?<=[?])(?=[\u3400-\u9fff])"
)
_ABBREVIATED = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|vs|etc|al|approx|Inc|Ltd|Co|Fig|Vol|Jr|Sr)"
    r"|\b[A-Z])\.$"
)
# The day of a page, which some engines put before its text.
_DATED = re.compile(
    "^(?:[0-9]{4}\u5e74[0-9]{1,2}\u6708[0-9]{1,2}\u65e5|[0-9]{4}-[0-9]{2}-[0-9]{2}"
    "|[A-Z][a-z]{2,8} [0-9]{1,2}, [0-9]{4}|[0-9]+ ?(?:\u5929|\u5c0f\u65f6)\u524d"
    "|[0-9]+ (?:day|hour)s? ago) ?(?:[-\u2014\xb7\u2026:|]|[.]{3}) ?"
)
_PAUSE = re.compile(r"[,;\uff0c\uff1b\u3001:\uff1a]\s*|\s")
_STEMMED: Final = 4
# Two characters for pain, in words that are otherwise the same.
_SAME: Final = str.maketrans("\u75bc", "\u75db")


def folded(text: str) -> str:
    """*text* on one line, with single spaces."""
    return " ".join(text.split())


def sentences(text: str) -> list[str]:
    """The sentences of *text*, each as it stands there."""
    found: list[str] = []
    begin = 0
    text = _DATED.sub("", folded(text[:MOST_TEXT]))
    for match in _END.finditer(text):
        if not _ABBREVIATED.search(text[max(begin, match.start() - 8) : match.start()]):
            found += _shortened(text[begin : match.start()].strip())
            begin = match.end()
    found += _shortened(text[begin:].strip())
    return [one for one in found if len(one) >= SHORTEST]


def _shortened(sentence: str) -> Iterator[str]:
    """A sentence without an end in sight, at its pauses."""
    while len(sentence) > LONGEST:
        pauses = [m.end() for m in _PAUSE.finditer(sentence, LONGEST // 2, LONGEST)]
        end = pauses[-1] if pauses else LONGEST
        yield sentence[:end].strip()
        sentence = sentence[end:].strip()
    yield sentence


def terms(text: str) -> list[str]:
    """Words, stemmed where they are English, and pairs of Chinese characters."""
    found: list[str] = []
    for token in _TOKEN.findall(_plain(text)):
        if _RUN.match(token):
            run = token.translate(_SAME)
            found += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
        else:
            found += _word(token)
    return found


def asked_terms(question: str) -> list[str]:
    """The terms that tell what *question* is about, each once."""
    about = SEPARATORS.sub(" ", COURTESY.sub(" ", _plain(question)))
    found = [term for term in dict.fromkeys(terms(about)) if is_content(term)]
    # A lone character is a rest of something, unless it is all there is.
    return [term for term in found if not _is_lone(term)] or found


def pairs(found: Iterable[str]) -> frozenset[tuple[str, str]]:
    """Terms that follow each other, but for words that tell nothing."""
    told = [term for term in found if is_content(term)]
    return frozenset(pairwise(told))


def is_content(term: str) -> bool:
    """Whether *term* tells what a text is about."""
    return term not in ENGLISH and stem(term) not in _STOPS


def key(text: str) -> str:
    """What two sentences share that say the same in the same words."""
    return "".join(_TOKEN.findall(_plain(text)))


def _plain(text: str) -> str:
    # One sign can stand for a whole formula of eighteen.
    return unicodedata.normalize("NFKC", text)[: 2 * len(text) + 20].casefold()


def _word(token: str) -> list[str]:
    """A word, or the parts of one that is joined with hyphens."""
    return [stem(part) for part in token.split("-")]


def stem(word: str) -> str:
    """*word* without the commonest English endings."""
    word = word.replace("\u2019", "'").removesuffix("'s").rstrip("'")
    if word in IRREGULAR:
        return stem(IRREGULAR[word]) if IRREGULAR[word] != word else word
    if len(word) < _STEMMED or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed", "er"):
        if word.endswith(ending) and len(word) >= len(ending) + 3:
            word = word[: -len(ending)]
            break
    if len(word) > 2 and word[-1] == word[-2] and word[-1] not in "ls":  # noqa: PLR2004
        word = word[:-1]
    return word.removesuffix("e")


def _is_lone(term: str) -> bool:
    return len(term) == 1 and not term.isdigit()


_STOPS: Final = frozenset(stem(word) for word in ENGLISH | KIND_WORDS)
