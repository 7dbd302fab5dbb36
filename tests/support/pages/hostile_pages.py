"""Pages made to cost a parser time or memory, each about a megabyte."""

from collections.abc import Callable
from functools import partial
from typing import Final

_MEGABYTE: Final = 1_000_000


def _fill(unit: str) -> str:
    return unit * (_MEGABYTE // len(unit))


def _repeated(unit: str) -> str:
    return "<body>" + _fill(unit)


# What a page repeats to its end.
_REPEATED: Final = {
    "nested div": "<div>",
    "nested formats": "<b><i>",
    "misnested": "<b><p>",
    "links around blocks": "<a><div>",
    "nested tables": "<table><tr><td>",
    "less-than signs": "<",
    "open comments": "<!--",
    "open scripts": "<script>",
    "flat paragraphs": "<p>text here",
    "flat links": "<a href=x>lorem</a> ",
    "nested lists": "<ul><li>a",
    "nested selects": "<select><option>",
    "svg in math": "<svg><math><mi>",
    "templates": "<template>",
    "half dates": "<p>12.12.2012 - Jan 1, 20",
}

HOSTILE_PAGES: Final[dict[str, Callable[[], str]]] = {
    **{n: partial(_repeated, unit) for n, unit in _REPEATED.items()},
    "unclosed fonts": lambda: (
        "<body>" + "".join(f"<font color={n}><p>" for n in range(45_000))
    ),
    "foster parents": lambda: "<body><table>" + _fill("<b>x"),
    "attributes": lambda: (
        "<body><div " + " ".join(f"a{n}=1" for n in range(120_000)) + ">text"
    ),
    "same attribute": lambda: "<body><div " + _fill("a=1 ") + ">text",
    "entities": lambda: "<body><p>" + _fill("&amp;&#x41;"),
    "spans": lambda: "<body><p>" + _fill("<span>a</span>"),
    "line breaks": lambda: "<body><div>" + _fill("a<br>"),
    "one line": lambda: "<body><p>" + _fill("word "),
    "no space": lambda: "<body><p>" + _fill("字")[:300_000],
    "deep json": lambda: (
        '<script type="application/ld+json">' + "[" * 500_000 + "</script><body><p>x"
    ),
}
