"""Tell a request to read the addresses in a question from any other question."""

import re
from typing import Final

from text.language import HAN
from text.terms import ASKING, asked_terms
from untrusted.urls import between_addresses

# Words beside an address: of a request, or of a question about this page, and of any
# other question: 帮我概括一下这个网页的主要内容, 讲了什么？
_MOST_HAN: Final = (10, 4)
_MOST_TERMS: Final = (4, 1)

# Not those that end a question: what is asked before an address is a clause.
_EDGES: Final = " \t\r\n,.;:-\u2013()\"'\uff0c\u3002\uff1b\uff1a\u3001\u201c\u201d"
_CLAUSES = re.compile(r"[.;:!?,]\s+\w|[\uff0c\u3002\uff1b\uff1a\uff01\uff1f]\s*\w")
# A name is written in capitals, with a digit or in brackets; in Chinese, in letters.
_NAME = re.compile(r"(?<!^)\b[A-Z]|\w\d|\d\w|[\u300a\u300b]")
_LETTERS = re.compile("[A-Za-z]{2}")
_SMALL = re.compile(f"{ASKING}|[的了]")
_ASKS = re.compile(
    "[?？吗么呢谁哪几多怎没]|如何|^(?:wh|how|is|are|do|did)", re.IGNORECASE
)
_POINTS = re.compile(r"[这该此文里]|\b(?:this|it)\b", re.IGNORECASE)


def words_beside(question: str) -> str:
    """The words of *question* around its addresses, in one line."""
    parts = (part.strip(_EDGES) for part in between_addresses(question))
    return " ".join(" ".join(parts).split())


def asks_to_read(question: str) -> bool:
    """
    Tell if *question*, which holds an address, asks for nothing but that page.

    It does where the words beside the address are few, name nothing, and are one
    clause. In doubt it does not: then the page is read, and others are searched for.
    """
    words = words_beside(question)
    if _CLAUSES.search(words) or _NAME.search(words):
        return False
    is_open = bool(_ASKS.search(words) and not _POINTS.search(words))
    if HAN.search(words):
        han = HAN.findall(_SMALL.sub("", words))
        return len(han) <= _MOST_HAN[is_open] and not _LETTERS.search(words)
    return len(asked_terms(words)) <= _MOST_TERMS[is_open]
