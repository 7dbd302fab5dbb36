"""Search through Baidu's page of results; a CAPTCHA is an error, never evaded."""

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final

from websearch.engines.links import absolute, host_of
from websearch.engines.page_engine import PageEngine, ResultPage, Row
from websearch.models import SearchItem, SearchRequest
from websearch.network.response import Reply

_DAYS: Final[Mapping[str, int]] = {"day": 1, "week": 7, "month": 31, "year": 365}
_CAPTCHA_HOSTS: Final = ("wappass.baidu.com", "seccaptcha.baidu.com")
_CAPTCHA_TITLE: Final = "\u767e\u5ea6\u5b89\u5168\u9a8c\u8bc1"  # "Baidu security check"
_AD_WORDS: Final = {"\u5e7f\u544a", "\u63a8\u5e7f", "\u5546\u4e1a\u63a8\u5e7f"}


class Baidu(PageEngine):
    """Baidu's page of results, without an account."""

    name = "baidu_html"
    title = "Baidu"
    url = "https://www.baidu.com/s"
    rows = "#content_left:not(#content_left *) > *"
    fields: ClassVar = {
        "title": "h3",
        "link": "h3 a[href]@href",
        "target": "[mu]@mu",
        # The endings of these names change every few weeks.
        "snippet": ":is(.c-abstract, [class*='content-right_'],"
        " [class*='summary-gap_'], .text_2NOr6)",
        "advertisement": "[data-tuiguang], .ec-tuiguang",
        # The words of an advertisement may also be the title of a result.
        "label": ":is(span, i, a):not(h3 *)",
    }
    blocks: ClassVar = {
        "captcha_required": ":is(.passMod_dialog-wrapper, .timeout-button)"
    }
    empty = ".content_none, .nors"

    def params(self, request: SearchRequest) -> dict[str, Any]:
        """The query and its time range."""
        form = {"wd": self.query(request), "ie": "utf-8", "rn": "10"}
        if request.time_range:
            now, span = int(time.time()), 86_400 * _DAYS[request.time_range]
            form["gpc"] = f"stf={now - span},{now}|stftype=1"
        return form

    def block(self, reply: Reply, page: ResultPage) -> str | None:
        """The security check is a redirect, a page of its own, or a dialog."""
        host = host_of(absolute(reply.headers.get("location", ""), Baidu.url))
        if host in _CAPTCHA_HOSTS or page.title == _CAPTCHA_TITLE:
            return "captcha_required"
        return super().block(reply, page)

    def parse(self, rows: Sequence[Row]) -> Iterable[SearchItem | None]:
        """The cards of the list; a card inside another is a part of it."""
        return [_item(row) for row in rows if not _is_left_out(row)]


def _item(row: Row) -> SearchItem | None:
    """Read a card; its address is the target if Baidu states it, else the redirect."""
    link = absolute(row.first("link"), Baidu.url)
    stated = absolute(row.first("target"), "")
    url = stated if host_of(stated) not in ("", "nourl.ubs.baidu.com") else link
    title, snippet = row.first("title"), row.first("snippet")
    kept = link if url != link and "baidu.com/link?" in link else None
    return SearchItem(title, url, snippet, Baidu.name, link=kept) if url else None


def _is_left_out(row: Row) -> bool:
    """True for advertisements, further searches, and cards without a link."""
    link = row.first("link")
    further = ("/s?", f"{Baidu.url}?", "http://www.baidu.com/s?", "javascript:")
    if not link or link.startswith(further):
        return True
    return bool(row.all("advertisement")) or not _AD_WORDS.isdisjoint(row.all("label"))
