"""Compare the cited sentences of an answer with the texts of their sources."""

from citations.evidence.checking import Evidence, Flag, check, unsourced
from citations.evidence.claims import Cite, Claim, sentences
from citations.evidence.text import Text, index, shared_words
from citations.evidence.values import Kind

__all__ = [
    "Cite",
    "Claim",
    "Evidence",
    "Flag",
    "Kind",
    "Text",
    "check",
    "index",
    "sentences",
    "shared_words",
    "unsourced",
]
