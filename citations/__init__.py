"""Number sources, link markers, list references; pure text in, pure text out."""

from citations.link import Linker, link
from citations.lists import cited, reference_list, round_list, source_list
from citations.manager import CitationManager
from citations.models import Citable, Round, Source

__all__ = [
    "Citable",
    "CitationManager",
    "Linker",
    "Round",
    "Source",
    "cited",
    "link",
    "reference_list",
    "round_list",
    "source_list",
]
