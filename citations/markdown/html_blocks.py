"""Find blocks of HTML (CommonMark 0.31, section 4.6)."""

import re
from typing import Final

from citations.inline.patterns import TAG

_NAMES: Final = (  # noqa: SIM905 -- sixty names read best as words
    "address article aside base basefont blockquote body caption center col colgroup "
    "dd details dialog dir div dl dt fieldset figcaption figure footer form frame "
    "frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu "
    "menuitem nav noframes ol optgroup option p param search section summary table "
    "tbody td tfoot th thead title tr track ul"
).split()
_NAMED = re.compile(rf"(?i:</?(?:{'|'.join(_NAMES)})(?=[ \t]|/?>|$))")
# The beginning of a block, and the sign that ends it in its last line.
_UNTIL: Final = tuple(
    (re.compile(begin), re.compile(end))
    for begin, end in (
        (
            r"(?i:<(?:script|pre|style|textarea)(?=[ \t>]|$))",
            r"(?i:</(?:script|pre|style|textarea)>)",
        ),
        ("<!--", "-->"),
        (r"<\?", r"\?>"),
        (r"<!\[CDATA\[", r"\]\]>"),
        (r"<![A-Za-z]", ">"),
    )
)


BLANK_LINE: Final = re.compile("(?!)")  # matches nothing: a blank line ends the block


def html_block(line: str, *, after_paragraph: bool) -> re.Pattern[str] | None:
    """Return the pattern that ends the block that *line*, without indent, begins."""
    for begin, end in _UNTIL:
        if begin.match(line):
            return end
    if _NAMED.match(line):
        return BLANK_LINE
    tag = None if after_paragraph else TAG.match(line)
    return BLANK_LINE if tag and not line[tag.end() :].strip(" \t") else None
