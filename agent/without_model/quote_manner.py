"""How little a sentence counts that asks, sells or fills a page."""

import re
from typing import Final

from agent.without_model.quote_kinds import Kind
from agent.without_model.quote_words import (
    ASKING,
    BOASTING,
    FILLING,
    INVITING,
    SELLING,
    SHOWCASE,
)

_PRICE: Final = re.compile(r"[$\u20ac\xa3\xa5\uffe5]\s?\d|\d\s?\u5143|\d\s?%\s?off")
# `list remove duplicates` asks how without a word for it.
_TOLD_TO_DO: Final = frozenset({Kind.HOW, Kind.OTHER})
_CUT: Final = ("\u2026", "...")


def manner(sentence: str, kind: Kind) -> float:
    """1 for what tells something, less for the rest."""
    if ASKING.search(sentence):
        return 0.2
    if SELLING.search(sentence) or FILLING.search(sentence):
        return 0.35 if kind is Kind.MONEY else 0.2
    if kind is not Kind.MONEY and _PRICE.search(sentence):
        return 0.5
    if kind not in _TOLD_TO_DO and INVITING.search(sentence):
        return 0.4
    if BOASTING.search(sentence):
        return 0.7
    return 0.95 if sentence.endswith(_CUT) else 1.0


def place(title: str, question: str) -> float:
    """Less than 1 for pages that sell or show, unless *question* asks for those."""
    asked = question.lower()
    noise = (match[0].lower() for match in SHOWCASE.finditer(title))
    return 0.6 if any(word not in asked for word in noise) else 1.0
