"""Search through Baidu's page of results; a CAPTCHA is an error, never evaded."""

import time
from collections.abc import Iterable, Mapping
from typing import Any, Final

from selectolax.lexbor import LexborNode

from websearch.engines.base import PageEngine
from websearch.engines.html_page import (
    Page,
    absolute,
    attribute,
    first_inside,
    host_of,
    label_of,
    text_of,
)
from websearch.models import SearchItem, SearchRequest
from websearch.network.response import Reply

_DAYS: Final[Mapping[str, int]] = {"day": 1, "week": 7, "month": 31, "year": 365}
_CAPTCHA_HOSTS: Final = ("wappass.baidu.com", "seccaptcha.baidu.com")
_CAPTCHA_TITLE: Final = "\u767e\u5ea6\u5b89\u5168\u9a8c\u8bc1"  # "Baidu security check"
_CARD: Final = ":is(.c-container, .result, .result-op)"
_SNIPPET: Final = (  # the endings of these names change every few weeks
    ":is(.c-abstract, [class*='content-right_'], [class*='summary-gap_'], .text_2NOr6)"
)
_AD_WORDS: Final = {"\u5e7f\u544a", "\u63a8\u5e7f", "\u5546\u4e1a\u63a8\u5e7f"}


class Baidu(PageEngine):
    """Baidu's page of results, without an account."""

    name = "baidu_html"
    title = "Baidu"
    url = "https://www.baidu.com/s"
    challenge = ":is(.passMod_dialog-wrapper, .timeout-button)"
    empty = ".content_none, .nors"

    def params(self, request: SearchRequest) -> dict[str, Any]:
        """The query and its time range."""
        form = {"wd": self.query(request), "ie": "utf-8", "rn": "10"}
        if request.time_range:
            now, span = int(time.time()), 86_400 * _DAYS[request.time_range]
            form["gpc"] = f"stf={now - span},{now}|stftype=1"
        return form

    def is_challenge(self, reply: Reply, page: Page) -> bool:
        """True for the security check: a redirect, its page, or a dialog."""
        host = host_of(absolute(reply.headers.get("location", ""), Baidu.url))
        titled = text_of(page.first("title")) == _CAPTCHA_TITLE
        return host in _CAPTCHA_HOSTS or titled or super().is_challenge(reply, page)

    def parse(self, page: Page) -> Iterable[SearchItem | None]:
        """The cards of the list; a card inside another is a part of it."""
        blocks = (block.css_first(_CARD) for block in page.children("#content_left"))
        return [_item(card) for card in blocks if card and not _is_left_out(card)]


def _item(card: LexborNode) -> SearchItem | None:
    """Read a card; its address is the target if Baidu states it, else the redirect."""
    link = absolute(attribute(first_inside(card, "h3", "a[href]"), "href"), Baidu.url)
    stated = absolute(attribute(card, "mu"), "")
    url = stated if host_of(stated) not in ("", "nourl.ubs.baidu.com") else link
    snippets = (text_of(node) for node in card.css(_SNIPPET)[:5])
    title, snippet = text_of(card.css_first("h3")), next(filter(None, snippets), "")
    kept = link if url != link and "baidu.com/link?" in link else None
    return SearchItem(title, url, snippet, Baidu.name, link=kept) if url else None


def _is_left_out(card: LexborNode) -> bool:
    """True for advertisements, further searches, and cards without a link."""
    link = attribute(first_inside(card, "h3", "a[href]"), "href")
    further = ("/s?", f"{Baidu.url}?", "http://www.baidu.com/s?", "javascript:")
    if not link or link.startswith(further):
        return True
    if card.css_first("[data-tuiguang], .ec-tuiguang") is not None:
        return True
    # The words of an advertisement may also be the title of a result.
    labels = [n for n in card.css("span, i, a")[:100] if label_of(n) in _AD_WORDS]
    titles = {n.mem_id for h in card.css("h3")[:5] for n in h.css("*")[:100]}
    return any(label.mem_id not in titles for label in labels)
