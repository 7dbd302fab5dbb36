"""Every way in which search and reading fail, once: its code and its words."""

from websearch.causes.cause import Cause, cause_of, short
from websearch.causes.words import Advice, AnyCause, Described, advise, label

__all__ = [
    "Advice",
    "AnyCause",
    "Cause",
    "Described",
    "advise",
    "cause_of",
    "label",
    "short",
]
