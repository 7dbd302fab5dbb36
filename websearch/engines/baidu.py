"""Search through Baidu's page of results; a CAPTCHA is told, never evaded."""

import time
from collections.abc import Mapping, Sequence
from typing import Final, Self

from selectolax.lexbor import LexborNode

from websearch.config.settings import Settings
from websearch.engines.answers import Engine, HttpBackend
from websearch.engines.hrefs import absolute, host_of
from websearch.engines.html_page import Page, attribute, first_inside, label_of, text_of
from websearch.engines.locales import accept_language
from websearch.models import SearchItem, SearchRequest, SearchResponse
from websearch.network.client import Http
from websearch.network.response import Reply

ENGINE: Final = Engine("baidu_html", "Baidu")
URL: Final = "https://www.baidu.com/s"
_DAYS: Final[Mapping[str, int]] = {"day": 1, "week": 7, "month": 31, "year": 365}
_GATES: Final = ("wappass.baidu.com", "seccaptcha.baidu.com")
_BLOCK: Final = ":is(.passMod_dialog-wrapper, .timeout-button)"
_BLOCK_TITLE: Final = "\u767e\u5ea6\u5b89\u5168\u9a8c\u8bc1"  # "Baidu security check"
_LIST: Final = b'<div id="content_left"'
_CARD: Final = ":is(.c-container, .result, .result-op)"
_SNIPPET: Final = (  # endings of names change every few weeks
    ":is(.c-abstract, [class*='content-right_'], [class*='summary-gap_'], .text_2NOr6)"
)
_NOWHERE: Final = ("/s?", f"{URL}?", "http://www.baidu.com/s?", "javascript:")
_AD_WORDS: Final = {"\u5e7f\u544a", "\u63a8\u5e7f", "\u5546\u4e1a\u63a8\u5e7f"}


class Baidu(HttpBackend):
    """Baidu, as a reader without an account sees it."""

    name = ENGINE.name

    def __init__(self, http: Http, *, url: str = URL) -> None:
        super().__init__(http)
        self._url = url

    @classmethod
    def from_settings(cls, _settings: Settings, http: Http) -> Self:
        """Baidu; it has no settings of its own."""
        return cls(http)

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Ask for the first page, and read it."""
        with ENGINE.named():
            form = _form(request)
            spoken = {"Accept-Language": accept_language(form["wd"], None)}
            reply = await self._http.get(self._url, params=form, headers=spoken)
            return SearchResponse(request.query, self.name, _read(reply))


def _form(request: SearchRequest) -> dict[str, str]:
    form = {"wd": ENGINE.query(request), "ie": "utf-8", "rn": "10"}
    if request.time_range:
        now, span = int(time.time()), 86_400 * _DAYS[request.time_range]
        form["gpc"] = f"stf={now - span},{now}|stftype=1"
    return form


def _read(reply: Reply) -> Sequence[SearchItem]:
    return ENGINE.listed(reply, _LIST, _items, _is_challenge, ".content_none, .nors")


def _is_challenge(reply: Reply, page: Page) -> bool:
    gate = host_of(absolute(reply.headers.get("location", ""), URL)) in _GATES
    return gate or page.has(_BLOCK) or text_of(page.first("title")) == _BLOCK_TITLE


def _items(page: Page) -> Sequence[SearchItem]:
    blocks = (block.css_first(_CARD) for block in page.children("#content_left"))
    cards = [card for card in blocks if card and not _is_left_out(card)]
    return ENGINE.readable([_item(card) for card in cards])


def _item(card: LexborNode) -> SearchItem | None:
    """Its address is the target where Baidu states it, else Baidu's redirect."""
    link = absolute(attribute(first_inside(card, "h3", "a[href]"), "href"), URL)
    stated = absolute(attribute(card, "mu"), "")
    url = stated if host_of(stated) not in ("", "nourl.ubs.baidu.com") else link
    snippets = (text_of(node) for node in card.css(_SNIPPET)[:5])
    title, snippet = text_of(card.css_first("h3")), next(filter(None, snippets), "")
    kept = link if url != link and "baidu.com/link?" in link else None
    return SearchItem(title, url, snippet, ENGINE.name, link=kept) if url else None


def _is_left_out(card: LexborNode) -> bool:
    """Advertisements, further searches, and cards that lead nowhere."""
    link = first_inside(card, "h3", "a[href]")
    if link is None or attribute(link, "href").startswith(_NOWHERE):
        return True
    marks = [n for n in card.css("span, i, a")[:100] if label_of(n) in _AD_WORDS]
    titles = {n.mem_id for h in card.css("h3")[:5] for n in h.css("*")[:100]}
    marked = card.css_first("[data-tuiguang], .ec-tuiguang") is not None
    return marked or any(mark.mem_id not in titles for mark in marks)
