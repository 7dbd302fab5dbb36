"""
Whether a page can be parsed in little time and memory.

A parser that follows browsers walks over all open elements for a start tag, over all
attributes of a tag for each further one, and opens formatting elements that nobody
closed again and again: a page made for it can take a minute, or gigabytes.
"""

import re
from typing import Final

MAX_TAGS: Final = 12_000  # pages of results have 600 to 6,000, ends included
MAX_ATTRIBUTES: Final = 500  # of one tag
MAX_FORMATS: Final = 100  # formatting tags that differ; a page has 20

_SMALL: Final = 40_000  # bytes, in which attributes can't cost much
_FEW_TAGS: Final = 800  # with which formats can't
_LOOKS: Final = 4  # times the length that may be looked at
# As the standard reads them: a quote opens a value only behind the equals sign.
_ATTRIBUTE: Final = (
    rb"(?:[\s/]*+[^\s/>][^\s/>=]*+"
    rb"(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+)?+)?+)"
)
# The name of a tag; looking ahead, its attributes, and the one that is too many.
_TAG: Final = re.compile(
    rb"<[A-Za-z][^\s/>]*+(?=(%b{0,%d}+)(%b)?+)"
    % (_ATTRIBUTE, MAX_ATTRIBUTES, _ATTRIBUTE)
)
# What browsers open again in the next paragraph, where nobody closed it.
_FORMATS: Final = frozenset(
    rb"<b <big <code <em <font <i <s <small <strike <strong <tt <u".split()
)


def is_bounded(page: bytes) -> bool:
    """Whether *page* has no more tags, attributes and formats than a page needs."""
    tags = page.count(b"<")
    if tags < _FEW_TAGS and len(page) < _SMALL:
        return True
    return tags <= MAX_TAGS and _is_modest(page)


def _is_modest(page: bytes) -> bool:
    """
    Whether no tag has too many attributes, nor too many formats differ.

    What looks like a tag is read as one wherever it stands, in scripts too: then
    nothing can hide a tag. So parts are looked at again, but not without end.
    """
    formats: set[bytes] = set()  # of equal ones, three are opened again at most
    left = _LOOKS * len(page)
    for tag in _TAG.finditer(page):
        start, end = tag.start(), tag.end(1)
        left -= end - start
        if tag[0].lower() in _FORMATS:
            formats.add(page[start:end])
        if left < 0 or tag[2] is not None or len(formats) > MAX_FORMATS:
            return False
    return True
