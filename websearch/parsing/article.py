"""The article of a page in two forms: plain text to quote, and Markdown for a model."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import trafilatura

_BLOCKS: Final = frozenset(
    {"body", "div", "graphic", "lb", "list", "p", "quote", "table"}
)
_HEADING, _ITEM, _ROW, _CODE = "#", "- ", "| ", "```\n"
# Raised signs of a footnote: in brackets, or a number behind the end of a clause or of
# an aside in words. Behind f(x), (x + y) or 20' it is an exponent.
_BRACKETED = re.compile(r"\W*\[[^\[\]]{1,20}\]\W*")
_NUMBER = re.compile(r"[\d\s,*†‡]+")
_ENDED = re.compile(
    r"(?:[.,;:!?。，；：！？、」』]|(?<!\d)[”’\"']|\s[^\W\d_]{3,}[)）])\s*\Z"
)
_DIGITS: Final = "0123456789+-−=()"
_RAISED: Final = str.maketrans(_DIGITS, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾")
_LOWERED: Final = str.maketrans(_DIGITS, "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")


@dataclass(frozen=True, slots=True)
class Article:
    """
    The words of a page as a reader sees them, one line a block.

    *text* has the letters of the page and nothing else; it leaves out headings, which
    are no sentences. *markdown* has them, and marks them, items, rows and code.
    """

    text: str
    markdown: str


class _Line(NamedTuple):
    mark: str  # of Markdown, at its beginning
    pieces: list[str]


def article_of(html: str, url: str) -> Article:
    """Find the article and the comments of a page; both forms are '' without one."""
    document = trafilatura.bare_extraction(
        html,
        url=url or None,
        output_format="txt",  # of the trees alone, not of another text
        include_comments=True,
        include_formatting=True,
    )
    body: Any = getattr(document, "body", None)
    is_bare = body is not None and len(body) == 1 and not len(body[0])
    if is_bare and "\n" in (body[0].text or ""):  # all words of the page, no article
        return Article("", "")
    lines: list[_Line] = [_Line("", [])]
    for name in ("body", "commentsbody"):
        if (tree := getattr(document, name, None)) is not None:
            _read(tree, lines)
    plain, marked, before = [], [], ""
    for mark, pieces in lines:
        words = "".join(pieces)
        if mark != _CODE:
            words = " ".join(words.split())
        if not words.strip():
            continue
        if not mark.startswith(_HEADING):
            plain.append(words)
        if mark == _CODE:
            words += "\n```"
        # The lines of a list or a table stand close.
        is_next = mark.lstrip()[:1] in {"-", "|"} and before == mark.lstrip()
        marked.append(("\n" if is_next else "\n\n") + mark + words)
        before = mark.lstrip()
    forms = ("\n".join(plain), "".join(marked).strip())
    return Article(*(unicodedata.normalize("NFC", form) for form in forms))


def _read(element: Any, lines: list[_Line], depth: int = 0) -> None:
    """Add the lines of an element, with all that stands in it."""
    match element.tag:
        case "head":
            level = int((element.get("rend") or "h2")[1:2] or 2)
            lines.append(_Line(level * _HEADING + " ", []))
        case "item":
            lines.append(_Line((depth - 1) * "  " + _ITEM, []))
        case "row":
            cells = [_cell(cell) for cell in element.iter("cell")]
            lines.append(_Line(_ROW if cells[1:] else "", [" | ".join(cells)]))
            lines.append(_Line("", []))
            return
        case "code":
            for line_end in element.iter("lb"):
                line_end.text = "\n"
            code = "".join(element.itertext())
            if "\n" in code.strip("\n"):
                lines += [_Line(_CODE, [code.strip("\n")]), _Line("", [])]
            else:
                lines[-1].pieces.append(code)
            return
        case "hi" if element.get("rend") in {"#sup", "#sub"}:
            lines[-1].pieces.append(_shifted(element, lines[-1].pieces))
            return
        case tag if tag in _BLOCKS and "".join(lines[-1].pieces).strip():
            lines.append(_Line("", []))
    is_block = element.tag in _BLOCKS or element.tag in {"head", "item"}
    lines[-1].pieces.append(element.text or "")
    for child in element:
        if isinstance(child.tag, str):
            _read(child, lines, depth + (element.tag == "list"))
        lines[-1].pieces.append(child.tail or "")
    if is_block and "".join(lines[-1].pieces).strip():
        lines.append(_Line("", []))


def _cell(cell: Any) -> str:
    """The words of a cell on one line."""
    lines = [_Line("", [])]
    _read(cell, lines)
    return " ".join(" ".join("".join(line.pieces) for line in lines).split())


def _shifted(element: Any, before: list[str]) -> str:
    """Raised or lowered words; '' for the sign of a footnote."""
    words, is_raised = "".join(element.itertext()), element.get("rend") == "#sup"
    if is_raised and (
        _BRACKETED.fullmatch(words)
        or (_NUMBER.fullmatch(words) and _ENDED.search("".join(before[-3:])))
    ):
        return ""
    if any(sign not in _DIGITS for sign in words):
        return words
    return words.translate(_RAISED if is_raised else _LOWERED)
