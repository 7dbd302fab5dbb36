"""Pages made to cost a parser time or memory, each about a megabyte."""

from collections.abc import Callable
from typing import Final

_MEGABYTE: Final = 1_000_000


def _fill(unit: str) -> str:
    return unit * (_MEGABYTE // len(unit))


HOSTILE_PAGES: Final[dict[str, Callable[[], str]]] = {
    "nested div": lambda: "<body>" + _fill("<div>"),
    "nested formats": lambda: "<body>" + _fill("<b><i>"),
    "misnested": lambda: "<body>" + _fill("<b><p>"),
    "links around blocks": lambda: "<body>" + _fill("<a><div>"),
    "unclosed fonts": lambda: (
        "<body>" + "".join(f"<font color={n}><p>" for n in range(45_000))
    ),
    "nested tables": lambda: "<body>" + _fill("<table><tr><td>"),
    "foster parents": lambda: "<body><table>" + _fill("<b>x"),
    "attributes": lambda: (
        "<body><div " + " ".join(f"a{n}=1" for n in range(120_000)) + ">text"
    ),
    "same attribute": lambda: "<body><div " + _fill("a=1 ") + ">text",
    "less-than signs": lambda: "<body>" + _fill("<"),
    "open comments": lambda: "<body>" + _fill("<!--"),
    "entities": lambda: "<body><p>" + _fill("&amp;&#x41;"),
    "open scripts": lambda: "<body>" + _fill("<script>"),
    "flat paragraphs": lambda: "<body>" + _fill("<p>text here"),
    "flat links": lambda: "<body>" + _fill("<a href=x>lorem</a> "),
    "spans": lambda: "<body><p>" + _fill("<span>a</span>"),
    "nested lists": lambda: "<body>" + _fill("<ul><li>a"),
    "nested selects": lambda: "<body>" + _fill("<select><option>"),
    "svg in math": lambda: "<body>" + _fill("<svg><math><mi>"),
    "templates": lambda: "<body>" + _fill("<template>"),
    "line breaks": lambda: "<body><div>" + _fill("a<br>"),
    "one line": lambda: "<body><p>" + _fill("word "),
    "no space": lambda: "<body><p>" + _fill("字")[:300_000],
    "half dates": lambda: "<body>" + _fill("<p>12.12.2012 - Jan 1, 20"),
    "deep json": lambda: (
        '<script type="application/ld+json">' + "[" * 500_000 + "</script><body><p>x"
    ),
}
