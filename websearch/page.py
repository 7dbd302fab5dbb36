"""A web page of an engine: decoded as it says, parsed as browsers do, cut or whole."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from websearch.reply import Reply

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
_END: Final = re.compile(r"</html\s*>", re.IGNORECASE)
_TAIL: Final = 5_000  # comments and counters stand behind the end of some pages
_MAX_NODES: Final = 60  # a page has ten results, and some advertisements
_LONGEST: Final = 20_000
_ICONS: Final = re.compile("[\ue000-\uf8ff]")  # letters of icon fonts


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed page, and whether its end has arrived."""

    tree: LexborHTMLParser
    is_whole: bool

    @classmethod
    def of(cls, reply: Reply) -> "Page":
        """The page that *reply* holds, whatever it holds."""
        text = decoded(reply)
        return cls(LexborHTMLParser(text), bool(_END.search(text[-_TAIL:])))

    def first(self, selector: str) -> LexborNode | None:
        """The first node that matches *selector*."""
        return self.tree.css_first(selector)

    def nodes(self, selector: str) -> list[LexborNode]:
        """The nodes that match *selector*, as far as a page of results has them."""
        return self.tree.css(selector)[:_MAX_NODES]

    def has(self, selector: str) -> bool:
        """Whether a node of the page matches *selector*."""
        return self.tree.css_first(selector) is not None


def decoded(reply: Reply) -> str:
    """The text of a page: byte order mark, header, meta, UTF-8, then GB 18030."""
    body = reply.body
    for mark, codec in _BOMS:
        if body.startswith(mark):
            return body.decode(codec, "replace")
    meta = _META.search(body[:_HEAD])
    labels = (
        reply.headers.get("content-type", ""),
        meta[0].decode("latin-1") if meta else "",
    )
    for label in labels:
        named = _CHARSET.search(label)
        if named and (known := _CODECS.get(named[1].lower())):
            return body.decode(known, "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body.decode("gb18030", "replace")


def text_of(node: LexborNode | None) -> str:
    """What a node shows, on one line; '' where there is none."""
    if node is None:
        return ""
    return " ".join(_ICONS.sub("", node.text(separator="")[:_LONGEST]).split())


def attribute(node: LexborNode | None, name: str) -> str:
    """The value of an attribute; '' where node, attribute or value is missing."""
    return (node.attributes.get(name) or "") if node is not None else ""


def absolute(href: str, base: str) -> str:
    """*href* as an http(s) address on a page at *base*; '' where it is none."""
    try:
        url = urljoin(base, href.strip())
        host = urlsplit(url).hostname
    except ValueError:
        return ""
    return url if host and url.lower().startswith(("http://", "https://")) else ""


def host_of(url: str) -> str:
    """Host of an address, lower case; '' where it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def is_at(host: str, domain: str) -> bool:
    """Whether *host* is *domain* or below it."""
    return host == domain or host.endswith(f".{domain}")


def parameter(url: str, name: str) -> str:
    """The first value of a parameter in an address; '' where there is none."""
    return parse_qs(urlsplit(url).query).get(name, [""])[0]
