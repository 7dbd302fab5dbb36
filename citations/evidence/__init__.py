"""Compare the cited sentences of an answer with the texts of their sources."""

from citations.evidence.checking import (
    Evidence,
    Flag,
    check,
    missing,
    quoted,
    unsourced,
)
from citations.evidence.claims import Cite, Claim, sentences
from citations.evidence.strict import unquoted
from citations.evidence.text import IndexedText, index, shared_words
from citations.evidence.values import Kind, dimensions

__all__ = [
    "Cite",
    "Claim",
    "Evidence",
    "Flag",
    "IndexedText",
    "Kind",
    "check",
    "dimensions",
    "index",
    "missing",
    "quoted",
    "sentences",
    "shared_words",
    "unquoted",
    "unsourced",
]
