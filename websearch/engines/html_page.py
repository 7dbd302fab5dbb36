"""Read the web page of an engine: its nodes, their texts, and the targets of links."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final
from urllib.parse import parse_qs, urljoin, urlsplit

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from websearch.engines.page_bounds import is_bounded
from websearch.errors import WebParseError
from websearch.network.response import Reply

_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?\s*([\w-]{1,20})", re.IGNORECASE)
_META: Final = re.compile(rb"<meta[^>]{0,200}charset[^>]{0,200}>", re.IGNORECASE)
_HEAD: Final = 2_000
_END: Final = re.compile(rb"</html\s*>", re.IGNORECASE)
_TAIL: Final = 5_000  # comments and counters stand behind the end of some pages
_MAX_NODES: Final = 60  # a page has ten results, and some advertisements
_MAX_OUTER: Final = 5
_MAX_TEXT: Final = 20_000
_MAX_LABEL: Final = 100
_MAX_LABEL_NODES: Final = 12  # texts included
_MAX_LINK: Final = 8_192  # longer wrapped addresses are useless: the limit is 2,048
_ICONS: Final = re.compile("[\ue000-\uf8ff]")  # letters of icon fonts
# Copying the options of events takes time, and nothing here listens to events.
_WITHOUT_EVENTS: Final = int(LexborDocumentOptions.WO_EVENTS)


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed page; it is whole if its end has arrived."""

    tree: LexborHTMLParser
    is_whole: bool

    @classmethod
    def of(cls, reply: Reply) -> "Page":
        """Parse the body of *reply*; WebParseError if that would take too much time."""
        text = decoded(reply).encode("utf-8", "replace")
        if not is_bounded(text):
            raise WebParseError("its page is too tangled", detail_code="too_deep")
        is_whole = _END.search(text[-_TAIL:]) is not None
        return cls(LexborHTMLParser(text, options=_WITHOUT_EVENTS), is_whole)

    def first(self, selector: str) -> LexborNode | None:
        """The first node that matches *selector*."""
        return self.tree.css_first(selector)

    def all(self, selector: str) -> Sequence[LexborNode]:
        """The nodes that match *selector*, up to a bound."""
        return self.tree.css(selector)[:_MAX_NODES]

    def children(self, selector: str) -> Sequence[LexborNode]:
        """The elements directly inside the first node that matches *selector*."""
        found = self.first(selector)
        nodes = () if found is None else found.iter()
        return list(islice((n for n in nodes if n.is_element_node), _MAX_NODES))

    def has(self, selector: str) -> bool:
        """True if a node of the page matches *selector*."""
        return self.first(selector) is not None


def decoded(reply: Reply) -> str:
    """
    Decode the page: UTF-8 if it is valid or declared, else a Chinese encoding.

    Only Big5 and GB 18030 are used for the latter: other codecs that a page can name
    can be slow enough to block the program.
    """
    try:
        return reply.body.decode("utf-8-sig")
    except UnicodeDecodeError:
        charset = _charset(reply)
    if charset in {"utf-8", "utf8"}:
        return reply.body.decode("utf-8-sig", "replace")
    codec = "big5hkscs" if charset.startswith("big5") else "gb18030"
    return reply.body.decode(codec, "replace")


def _charset(reply: Reply) -> str:
    """The character set of the Content-Type header, else of the page's meta element."""
    meta = _META.search(reply.body[:_HEAD])
    element = meta[0].decode("latin-1") if meta else ""
    header = reply.headers.get("content-type", "")
    found = _CHARSET.search(header) or _CHARSET.search(element)
    return found[1].lower() if found else ""


def text_of(node: LexborNode | None) -> str:
    """The text of a node on one line; '' if there is none."""
    return "" if node is None else _one_line(node.text()[:_MAX_TEXT])


def label_of(node: LexborNode) -> str:
    """The text of a short node; '' for a longer one, which is not read."""
    parts = list(islice(node.traverse(include_text=True), _MAX_LABEL_NODES + 1))
    if len(parts) > _MAX_LABEL_NODES:
        return ""
    texts = [part.text_content or "" for part in parts if part.is_text_node]
    is_short = sum(len(text.strip()) for text in texts) <= _MAX_LABEL
    return _one_line("".join(texts)) if is_short else ""


def _one_line(text: str) -> str:
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


def absolute(href: str, base: str) -> str:
    """Resolve *href* on a page at *base*; '' if it is no http(s) address."""
    try:
        url = urljoin(base, href.strip())
        host = urlsplit(url).hostname
    except ValueError:
        return ""
    return url if host and url.lower().startswith(("http://", "https://")) else ""


def host_of(url: str) -> str:
    """The host of an address in lower case; '' if it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def is_at(host: str, domain: str) -> bool:
    """True if *host* is *domain* or below it."""
    return host == domain or host.endswith(f".{domain}")


def target(href: str, base: str, domain: str, name: str) -> str:
    """
    The address that a link leads to.

    A redirect at *domain* holds its target in the parameter *name*.
    """
    if len(href) > _MAX_LINK:
        return ""
    url = absolute(href, base)
    if is_at(host_of(url), domain):
        wrapped = parse_qs(urlsplit(url).query).get(name)
        return absolute(wrapped[0], base) if wrapped else url
    return url
