"""A web page of an engine: decoded as it says, parsed as browsers do, cut or whole."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from websearch.engines.page_bounds import is_bounded
from websearch.errors import WebParseError
from websearch.network.response import Reply

_BOMS: Final = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
# What Chinese pages are written in. The supersets read what the names promise, and
# more. A label that is not here says nothing: some codecs are slow traps.
_CODECS: Final[Mapping[str, str]] = {
    "utf-8": "utf-8",
    "utf8": "utf-8",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5hkscs",
    "big5-hkscs": "big5hkscs",
}
_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?\s*([\w-]{1,20})", re.IGNORECASE)
_META: Final = re.compile(rb"<meta[^>]{0,200}charset[^>]{0,200}>", re.IGNORECASE)
_HEAD: Final = 2_000
_END: Final = re.compile(rb"</html\s*>", re.IGNORECASE)
_TAIL: Final = 5_000  # comments and counters stand behind the end of some pages
_MAX_NODES: Final = 60  # a page has ten results, and some advertisements
_MAX_OUTER: Final = 5
_LONGEST: Final = 20_000
_LABEL: Final = 100
_FEW: Final = 12  # nodes, with texts, that a label is made of
_ICONS: Final = re.compile("[\ue000-\uf8ff]")  # letters of icon fonts
# Events copy options about and take time; nothing here listens to them.
_QUIETLY: Final = int(LexborDocumentOptions.WO_EVENTS)

Row: TypeAlias = Mapping[str, LexborNode]


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed page, and whether its end has arrived."""

    tree: LexborHTMLParser
    is_whole: bool

    @classmethod
    def of(cls, reply: Reply, since: bytes = b"") -> "Page":
        """
        The page that *reply* holds, whatever it holds, from the words *since* on.

        WebParseError where it was made to cost more than any page of results.
        """
        text = utf8(reply)
        text = text[max(text.find(since), 0) :]
        if not is_bounded(text):
            raise WebParseError("its page is too tangled", detail_code="too_deep")
        tail = text[-_TAIL:]
        is_whole = b"</html>" in tail or _END.search(tail) is not None
        return cls(LexborHTMLParser(text, options=_QUIETLY), is_whole)

    def first(self, selector: str) -> LexborNode | None:
        """The first node that matches *selector*."""
        return self.tree.css_first(selector)

    def children(self, selector: str) -> Sequence[LexborNode]:
        """
        What stands directly in the first node that matches *selector*.

        In that one only: of nodes inside each other, each would be read many times.
        """
        found = self.first(selector)
        nodes = () if found is None else found.iter()
        return list(islice((n for n in nodes if n.is_element_node), _MAX_NODES))

    def has(self, selector: str) -> bool:
        """Whether a node of the page matches *selector*."""
        return self.tree.css_first(selector) is not None

    def rows(
        self, selector: str, parts: Sequence[str], without: frozenset[str]
    ) -> Sequence[Row]:
        """
        Each row's first node of every part, by the class that names it.

        *selector* finds rows and parts in one query, because each query walks through
        the page. A part belongs to the row that began last; *without* names the
        classes of rows that are none.
        """
        rows: list[dict[str, LexborNode]] = []
        row: dict[str, LexborNode] = {}
        for node in self.tree.css(selector)[: _MAX_NODES * (1 + len(parts))]:
            names = attribute(node, "class").split()
            for part in parts:
                if part in names:
                    row.setdefault(part, node)
                    break
            else:
                row = {}
                if without.isdisjoint(names):
                    rows.append(row)
        return rows


def utf8(reply: Reply) -> bytes:
    """
    A page as UTF-8, by its byte order mark, header, or meta; else UTF-8 or GB 18030.

    Bytes that are wrong in UTF-8 are left to the parser, which replaces them.
    """
    body = reply.body
    for mark, codec in _BOMS:
        if body.startswith(mark):
            return body.decode(codec, "replace").encode("utf-8", "replace")
    label = reply.headers.get("content-type", "")
    codec = _label(label) or _label_inside(body) or _guess(body)
    if codec == "utf-8":
        return body
    return body.decode(codec, "replace").encode("utf-8", "replace")


def _guess(body: bytes) -> str:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "gb18030"
    return "utf-8"


def _label_inside(body: bytes) -> str | None:
    meta = _META.search(body[:_HEAD])
    return _label(meta[0].decode("latin-1")) if meta else None


def _label(words: str) -> str | None:
    """The codec that a header or a meta element names, where it is one of ours."""
    named = _CHARSET.search(words)
    return _CODECS.get(named[1].lower()) if named else None


def text_of(node: LexborNode | None) -> str:
    """What a node shows, on one line; '' where there is none."""
    if node is None:
        return ""
    return _on_a_line(node.text()[:_LONGEST])


def label_of(node: LexborNode) -> str:
    """What a node shows, where it is but a few words; '' for any other node."""
    parts = list(islice(node.traverse(include_text=True), _FEW + 1))
    if len(parts) > _FEW:
        return ""
    texts = [part.text_content or "" for part in parts if part.is_text_node]
    is_short = sum(len(text.strip()) for text in texts) <= _LABEL
    return _on_a_line("".join(texts)) if is_short else ""


def _on_a_line(text: str) -> str:
    # Line breaks and letters of icon fonts are not printable.
    if text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(_ICONS.sub("", text).split())


def first_inside(node: LexborNode, outer: str, selector: str) -> LexborNode | None:
    """
    The first node that matches *selector* in one that matches *outer*.

    One selector for both would climb all the way up from each candidate.
    """
    found = (part.css_first(selector) for part in node.css(outer)[:_MAX_OUTER])
    return next(filter(None, found), None)


def attribute(node: LexborNode | None, name: str) -> str:
    """The value of an attribute; '' where node, attribute or value is missing."""
    return (node.attrs.get(name) or "") if node is not None else ""
