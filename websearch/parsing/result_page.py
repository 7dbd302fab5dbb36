"""The rows of an engine's page of results, by CSS selectors; runs in a worker."""

import re
from collections.abc import Mapping
from typing import Any, Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from websearch.parsing.charset import decode

_END: Final = re.compile(r"</html\s*>", re.IGNORECASE)
_TAIL: Final = 5_000  # comments and counters stand behind the end of some pages
_MOST_ROWS: Final = 60  # a page has ten results, and some advertisements
_MOST_VALUES: Final = 100
_MOST_TEXT: Final = 20_000
_ICONS: Final = re.compile("[\ue000-\uf8ff]")  # letters of icon fonts


def read(
    data: bytes,
    *,
    charset: str | None,
    rows: str,
    fields: Mapping[str, str],
    challenge: str,
    empty: str,
) -> dict[str, Any]:
    """
    Find the *rows* of a page, and the values of their *fields*.

    *challenge* and *empty* match a CAPTCHA, and the words of a page without results.
    """
    html = decode(data, charset)
    page = LexborHTMLParser(html)
    return {
        "rows": [_row(node, fields) for node in page.css(rows)[:_MOST_ROWS]],
        "title": text_of(page.css_first("title")),
        "is_challenge": page.css_first(challenge) is not None,
        "is_empty": page.css_first(empty) is not None,
        "is_whole": _END.search(html[-_TAIL:]) is not None,
    }


def text_of(node: LexborNode | None) -> str:
    """The text of a node on one line; '' if there is none."""
    text = "" if node is None else node.text()[:_MOST_TEXT]
    return " ".join(_ICONS.sub("", text).split())


def _row(node: LexborNode, fields: Mapping[str, str]) -> dict[str, list[str]]:
    return {name: _values(node, selector) for name, selector in fields.items()}


def _values(row: LexborNode, selector: str) -> list[str]:
    """The texts of the nodes that match, or, with `@name`, their attributes."""
    selector, _, attribute = selector.partition("@")
    nodes = row.css(selector)[:_MOST_VALUES]
    if not attribute:
        return [text_of(node) for node in nodes]
    return [(node.attributes.get(attribute) or "")[:_MOST_TEXT] for node in nodes]
