"""Compare the cited sentences of an answer with the texts of their sources."""

from citations.evidence.checking import Evidence, Flag, check, unsourced
from citations.evidence.claims import ADDRESS
from citations.evidence.sentences import STOPS, cut_at_pauses, sentence_spans, stem
from citations.evidence.text import Text, index, shared_words
from citations.evidence.values import Kind

__all__ = [
    "ADDRESS",
    "STOPS",
    "Evidence",
    "Flag",
    "Kind",
    "Text",
    "check",
    "cut_at_pauses",
    "index",
    "sentence_spans",
    "shared_words",
    "stem",
    "unsourced",
]
