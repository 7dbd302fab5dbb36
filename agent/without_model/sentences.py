"""Cut texts into sentences and terms."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from citations.evidence import STOPS, cut_at_pauses, sentence_spans, stem

MOST_QUESTION: Final = 1_000  # characters of a question that are read
_MOST_TERMS: Final = 100  # of a question
_LONGEST, _SHORTEST = 240, 4  # characters of a sentence that is quoted

_HAN = "\u3400-\u9fff\uf900-\ufaff"
_HAN_RUN = re.compile(f"[{_HAN}]+")
_WORD = re.compile(rf"\d+(?:[.,]\d+)*%?|[^\W\d_{_HAN}]+")
# Some engines put the date of a page before its text.
_DATE = re.compile(
    r"^\s*(?:\d{4}年\d{1,2}月\d{1,2}日|\d{4}-\d\d-\d\d|\d+ ?(?:天|小时)前"
    r"|[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}|\d+ (?:day|hour)s? ago)"
    r" ?(?:[-—·…:|]|\.{3}) ?"
)
_FULL_WIDTH = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
ASKING: Final = (
    "请问|请?帮我[查搜找看]?(?:一?下)?|告诉我|我想知道|[是在有]?(?:什么时[候间]|什么|多少|哪[里儿位家些个年天一座种]*|谁"
    "|几[个位名次年月点]?)|为什么|为何|怎么样?|怎样|如何|是否|吗|呢|你好|您好"
)
_ASKING = re.compile(f"{ASKING}|[是的了在有和与被由于对其中及个]")


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of *text*, unchanged but for their spaces."""
    text = _DATE.sub("", text, count=1)
    for begin, end in sentence_spans(text):
        sentence = " ".join(text[begin:end].split())
        if len(sentence) >= _SHORTEST:
            for first, last in cut_at_pauses(sentence, _LONGEST):
                yield sentence[first:last]


def plain(text: str) -> str:
    """Lower-case *text*, with full-width letters and digits made ordinary ones."""
    if _FULL_WIDTH.search(text):
        text = unicodedata.normalize("NFKC", text)
    return text.lower()


def words(text: str) -> list[str]:
    """Return the words of plain *text* without the commonest English endings."""
    return [stem(word) for word in _WORD.findall(text) if word not in STOPS]


def terms(text: str) -> list[str]:
    """Return the words of plain *text*; of Chinese, characters and pairs of them."""
    found = words(text)
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
