"""Find blocks of HTML (CommonMark 0.31, section 4.6)."""

import re
from dataclasses import dataclass
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
# The beginning of a block, and what ends it in its last line.
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


@dataclass(frozen=True, slots=True)
class HtmlBlock:
    """A block of HTML: it ends in a line with *until*, else before a blank line."""

    until: re.Pattern[str] | None


def html_block(line: str, *, after_paragraph: bool) -> HtmlBlock | None:
    """Return the block that *line*, without its indent, begins."""
    for begin, end in _UNTIL:
        if begin.match(line):
            return HtmlBlock(end)
    if _NAMED.match(line):
        return HtmlBlock(None)
    tag = None if after_paragraph else TAG.match(line)
    return HtmlBlock(None) if tag and not line[tag.end() :].strip(" \t") else None
