"""Make the query of Agent mode's search if there is no model."""

import re
from typing import Final

from agent.without_model.sentences import (
    ASKING,
    STOPS,
    asked_terms,
    is_character,
)

MOST_QUERY: Final = 200

# Question words, a particle at the end, and pronouns at the beginning.
_LEFT_OUT = re.compile(
    rf"(?<!\S)那?[它他她其]的?|{ASKING}|[的了][?？]?$", re.IGNORECASE
)
_SIGNS: Final = "?!,;.:\"'()？！。，、；“”‘’（）"
# Words that refer to an earlier question.
_POINTING = re.compile(
    "^(?:那|这|其|还有|另外)|[它他她](?!山)|呢[？?]?$|[这那][个些种家座款]"
    r"|\b(?:it|its|they|them|their|he|she|his|her|that one|this one|those|these)\b"
    "|^(?:and|but|so|what about|how about)\\b",
    re.IGNORECASE,
)
# Most terms of a question that needs the earlier one, and of one that may need it.
_FEW, _SHORT = 2, 6


def keywords(question: str) -> str:
    """Return the words of *question* that a search engine needs, as written."""
    kept = _LEFT_OUT.sub(" ", " ".join(question.split()))
    words = (word.strip(_SIGNS) for word in kept.split())
    return " ".join(word for word in words if word and not _is_stop(word))


def _is_stop(word: str) -> bool:
    is_name = word.isupper() and len(word) > 1  # `US`, `IT` and `WHO`
    return word.lower() in STOPS and not is_name


def topic_of(question: str, earlier: str) -> str:
    """Return *question*, preceded by keywords of the *earlier* one if it needs them."""
    count = sum(not is_character(term) for term in asked_terms(question))
    points_back = count < _SHORT and _POINTING.search(question)
    if earlier and (points_back or count < _FEW):
        return f"{keywords(earlier)} {question}"
    return question
