"""The words of a question that a search engine needs."""

import re

from agent.without_model.quote_stops import (
    ASKING_WORDS,
    COURTESY,
    ENGLISH,
    POINTERS,
    REST,
)
from agent.without_model.quote_text import folded

_WORD = re.compile(
    '[^\\s?!,;"()\uff1f\uff01\u3002\uff0c\u3001\uff1b\u201c\u201d\uff08\uff09]+'
)


def keywords(question: str) -> str:
    """The words of *question* that a search engine needs, as they were written."""
    about = ASKING_WORDS.sub(" ", COURTESY.sub(" ", folded(question)))
    words = (
        word.strip(".:'\u2019").strip(REST).lstrip(POINTERS)
        for word in _WORD.findall(about)
    )
    shouts = question.isupper()
    return " ".join(word for word in words if word and not _is_stop(word, shouts))


def _is_stop(word: str, shouts: bool) -> bool:
    # `US`, `IT` and `WHO` are names, unless the whole question is in capitals.
    if word.isupper() and len(word) > 1 and not shouts:
        return False
    return word.lower().replace("\u2019", "'") in ENGLISH
