"""
Check that a page can be parsed in little time and memory.

A parser that follows browsers walks over all open elements for a start tag, over all
attributes of an element for each further one, over all names of attributes where they
collide, and reopens unclosed formatting elements repeatedly. A page designed for this
can take a minute, or gigabytes.
"""

import re
from typing import Final

MAX_TAGS: Final = 10_000  # pages of results have 600 to 6,000, ends included
MAX_ATTRIBUTES: Final = 2_000  # of one tag; words of a script behind `<` are 500
MAX_OPENED: Final = 25_000  # formats that may be open, times all tags

_SMALL: Final = 30_000  # bytes; attributes of a smaller page take little time
_FEW_TAGS: Final = 450  # tags; formats of a page with fewer take little time
# Sum over attributes of the names before each. More tags `html` and `body` add theirs
# to the first, so that all names of a page may be on one element. Pages have 23 million
# at most, including text in scripts.
_MOST_WORK: Final = 50_000_000
_LOOKS: Final = 4  # bound of the scanned text, as a multiple of the page's length
# As in the HTML standard, which has fewer blanks than Python: a quote
# opens a value only behind the equals sign.
_BLANKS: Final = rb"\t\n\f\r "
_NAME: Final = rb"[^~/>][^~/>=]*+".replace(b"~", _BLANKS)
_VALUE: Final = rb"""(?:[~]*+=[~]*+(?:"[^"]*+"|'[^']*+'|[^~>"'][^~>]*+)?+)?+""".replace(
    b"~", _BLANKS
)
_ATTRIBUTE: Final = rb"(?:[%b/]*+%b%b)" % (_BLANKS, _NAME, _VALUE)
_NAMES: Final = re.compile(rb"(%b)%b" % (_NAME, _VALUE))
# The name of a tag; looking ahead, its attributes, and the one that is too many.
# Attributes of an end tag are read too, and then dropped.
_TAG: Final = re.compile(
    rb"<([A-Za-z][^%b/>]*+|/[A-Za-z][^%b/>]*+(?=[%b/]))(?=(%b{0,%d}+)(%b)?+)"
    % (_BLANKS, _BLANKS, _BLANKS, _ATTRIBUTE, MAX_ATTRIBUTES, _ATTRIBUTE)
)
# Elements that browsers reopen in the next paragraph if they are not closed.
_FORMATS: Final = b"b big code em font i s small strike strong tt u".split()
_INSIDE: Final = rb"(?:<(%b)(?=[~/>])(?:%b)*+[~/]*+>[^<]*+%b</\%d[~]*+>[^<]*+)*+"
_INNER: Final = _INSIDE % (b"|".join(_FORMATS), _ATTRIBUTE, b"", 2)
# Behind the attributes, only text and closed formats up to an end tag. If the tag is
# a real one, and not text that looks like one, the end tag is real, and its own.
_CLOSED: Final = re.compile(
    (
        rb"[~/]*+>[^<]*+%b</([A-Za-z]+)[~]*+>"
        % (_INSIDE % (b"|".join(_FORMATS), _ATTRIBUTE, _INNER, 1))
    ).replace(b"~", _BLANKS)
)


def is_bounded(page: bytes) -> bool:
    """Return True if *page* has no more tags, attributes and formats than it needs."""
    tags = page.count(b"<")
    if tags < _FEW_TAGS and len(page) < _SMALL:
        return True
    return tags <= MAX_TAGS and _is_modest(page, MAX_OPENED // max(tags, 1))


def _is_modest(page: bytes, most_formats: int) -> bool:
    """
    Return True if attributes are few and at most *most_formats* stay open.

    Anything like a tag is read as a tag, also in scripts: then
    nothing can hide a tag. Parts are scanned repeatedly, up to a bound.
    """
    formats: set[bytes] = set()  # browsers reopen at most three equal ones
    names: set[bytes] = set()
    left = _LOOKS * len(page)
    work = 0
    for tag in _TAG.finditer(page):
        start, end = tag.start(), tag.end(2)
        left -= end - start
        if (name := tag[1].lower()) in _FORMATS and not _is_closed(page, end, name):
            formats.add(page[start:end])
        if left < 0 or tag[3] is not None or len(formats) > most_formats:
            return False
        if end > tag.end():
            attributes = _NAMES.findall(page, tag.end(), end)
            names.update(attributes)
            work += len(attributes) * len(names)
            if work > _MOST_WORK:
                return False
    return True


def _is_closed(page: bytes, end: int, name: bytes) -> bool:
    closed = _CLOSED.match(page, end)
    return closed is not None and closed[3].lower() == name
