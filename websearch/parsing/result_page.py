"""The rows of an engine's page of results, by CSS selectors; runs in a worker."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any, Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from websearch.parsing.charset import decode

_END: Final = re.compile(r"</html\s*>", re.IGNORECASE)
_TAIL: Final = 5_000  # comments and counters stand behind the end of some pages
_MOST_ROWS: Final = 60  # a page has ten results, and some advertisements
_MOST_VALUES: Final = 400  # the label of an advertisement is the last of its card
_MOST_TEXT: Final = 20_000
_ICONS: Final = re.compile("[\ue000-\uf8ff]")  # letters of icon fonts
# A browser begins a new line at these; other elements may be part of a word.
_BLOCKS: Final = frozenset(
    {
        *("address", "article", "aside", "blockquote", "br", "center", "dd", "div"),
        *("dl", "dt", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6"),
        *("header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "table"),
        *("tbody", "td", "tfoot", "th", "thead", "tr", "ul"),
    }
)
_UNSEEN: Final = frozenset({"script", "style", "template"})


def read(
    data: bytes,
    *,
    charset: str | None,
    rows: str,
    apart: str,
    fields: Mapping[str, str],
    blocks: Mapping[str, str],
    empty: str,
) -> dict[str, Any]:
    """
    Find the *rows* of a page, and the values of their *fields*.

    With *apart*, *rows* matches one node in each row, which is the largest element
    around it that holds no other one, and nothing that *apart* matches. *blocks* match
    pages that come instead of results, *empty* the words of a page without results.
    """
    html = decode(data, charset)
    page = LexborHTMLParser(html)
    nodes = page.css(rows)[:_MOST_ROWS]
    if apart:  # the largest element around each node that holds no other one
        marks = (*nodes, *page.css(apart))
        held = Counter(above.mem_id for node in marks for above in _path(node))
        largest = []
        for node in nodes:
            alone = takewhile(lambda above: held[above.mem_id] == 1, _path(node))
            *_, last = (node, *alone)
            largest.append(last)
        nodes = largest
    return {
        "rows": [
            {name: _values(node, selector) for name, selector in fields.items()}
            for node in nodes
        ],
        "title": text_of(page.css_first("title")),
        "blocks": [code for code, mark in blocks.items() if page.css_first(mark)],
        "is_empty": page.css_first(empty) is not None,
        "is_whole": _END.search(html[-_TAIL:]) is not None,
    }


def text_of(node: LexborNode | None) -> str:
    """The text of a node on one line, with a gap at each block; '' without a node."""
    text = lines_of(node, _MOST_TEXT) if node else ""
    return " ".join(_ICONS.sub("", text).split())


def lines_of(node: LexborNode, most: int) -> str:
    """The first *most* letters of a node, one line a block, as a reader sees them."""
    pieces: list[str] = []
    # One sibling at a time: a list of all children could be as long as the page.
    waiting: list[LexborNode | str | None] = [node.first_child]
    while waiting and most > 0:
        here = waiting.pop()
        if isinstance(here, str):
            pieces.append(here)
            continue
        if here is None:
            continue
        waiting.append(here.next)
        if here.is_text_node:
            text = (here.text_content or "")[:most]
            most -= len(text)
            pieces.append(text.replace("\n", " "))
        elif here.tag not in _UNSEEN:
            if here.tag in _BLOCKS:
                pieces.append("\n")
                waiting.append("\n")
            waiting.append(here.first_child)
    lines = "".join(pieces).split("\n")
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))


def _path(node: LexborNode | None) -> Iterator[LexborNode]:
    """The node and those around it, from the inside out."""
    while node is not None:
        yield node
        node = node.parent


def _values(row: LexborNode, selector: str) -> list[str]:
    """The texts of the nodes that match, or, with `@name`, their attributes."""
    selector, _, attribute = selector.partition("@")
    nodes = row.css(selector)[:_MOST_VALUES]
    if not attribute:
        return [text_of(node) for node in nodes]
    return [(node.attributes.get(attribute) or "")[:_MOST_TEXT] for node in nodes]
