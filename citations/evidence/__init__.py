"""Compare the cited sentences of an answer with the texts of their sources."""

from citations.evidence.checking import Evidence, Flag, check, unsourced
from citations.evidence.claims import ADDRESS
from citations.evidence.sentences import Text, cut_at_pauses, index, shared_words
from citations.evidence.values import Kind

__all__ = [
    "ADDRESS",
    "Evidence",
    "Flag",
    "Kind",
    "Text",
    "check",
    "cut_at_pauses",
    "index",
    "shared_words",
    "unsourced",
]
