"""Search through Baidu's page of results; a CAPTCHA is an error, never evaded."""

import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any, ClassVar, Final
from urllib.parse import parse_qs, urlsplit

from websearch.engines.dates import leading_date
from websearch.engines.links import absolute, host_of, is_at
from websearch.engines.page_engine import PageEngine, ResultPage, Row
from websearch.models import SearchItem, SearchRequest
from websearch.network.response import Reply

_CHINA: Final = timezone(timedelta(hours=8))
_DAYS: Final[Mapping[str, int]] = {"day": 1, "week": 7, "month": 31, "year": 365}
_CAPTCHA_HOSTS: Final = ("wappass.baidu.com", "seccaptcha.baidu.com")
_CAPTCHA_TITLE: Final = "\u767e\u5ea6\u5b89\u5168\u9a8c\u8bc1"  # "Baidu security check"
_AD_WORDS: Final = {"\u5e7f\u544a", "\u63a8\u5e7f", "\u5546\u4e1a\u63a8\u5e7f"}

_MAIN_HOSTS: Final = ("baidu.com", "www.baidu.com", "m.baidu.com")
# First parts of paths: searches and collections of videos, and advertisements.
_MAIN_PATHS: Final = ("s", "sf", "baidu", "baidu.php")
# Those of searches on the other sites; `/s` without such a parameter is an article.
_SEARCH_PATHS: Final = ("s", "sf", "search", "ns", "i", "v")
_QUERY_NAMES: Final = ("wd", "word")
# `mu` of cards without a page: whatever they link to is a collection of Baidu's own.
_COLLECTIONS: Final = ("lightapp.baidu.com", "recommend_list.baidu.com")
_NO_ADDRESS: Final = "nourl.ubs.baidu.com"

_LIST: Final = "#content_left:not(#content_left *)"
_LEAST_PARAGRAPH: Final = 20  # shorter texts are names of buttons and sources


class Baidu(PageEngine):
    """Baidu's page of results, without an account."""

    name = "baidu_html"
    title = "Baidu"
    url = "https://www.baidu.com/s"
    max_bytes = 3_000_000  # pages of 2026 have 0.5 to 1.3 MB
    rows = (
        f":is({_LIST}, {_LIST} > .c-group-wrapper) > :not(.c-group-wrapper, script,"
        " style)"
    )
    fields: ClassVar = {
        "title": ":is(h3 a[href], a[href] h3)",
        "link": ":is(h3 a[href], a[href]:has(h3))@href",
        "target": "[mu]@mu",
        # The endings of these names change every few weeks.
        "snippet": ":is([data-module='abstract'], .c-abstract, .text_2NOr6,"
        " [class*='content-right_'], [class*='summary-gap_'],"
        " [class*='summary-text_'], .c-color-text[class*='c-line-clamp'])",
        "paragraph": ":is(p, div, span, font):not(:has(p, div, h3, img, li, table))"
        ":not(h3 *, a:not(:has(h3)) *)",
        "date": ":is(.c-color-gray2, [class*='newTimeFactor_'],"
        " [class*='prefix-time_'])",
        # May be a date; Baidu marks words of the query, and no dates of its own.
        "opening": "span:not(h3 *, :has(em))",
        # The word itself is not on the pages of 2026, where a style sheet writes it.
        "advertisement": ":is([data-tuiguang], [data-cmatchid], [data-bidword],"
        " [class*='ec-tuiguang'], [class*='ec_tuiguang'], [class*='EC_result'],"
        " a[href*='baidu.com/baidu.php?'])",
        # The words of an advertisement may also be the title of a result.
        "label": ":is(span, i, a):not(h3 *)",
    }
    blocks: ClassVar = {
        "captcha_required": ":is(.passMod_dialog-wrapper, .timeout-button)",
        # A page with nothing but this answers a User-Agent that Baidu does not serve.
        "user_agent_refused": "body:not(:has(#content_left)) > noscript:only-child"
        " > meta[http-equiv='refresh' i]",
        # Its form for another search; the rest looks like a page without results.
        "no_such_page": "input[name='tn'][value='baiduerr']",
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
        now = datetime.now(_CHINA)
        for row in rows:
            link = row.first("link").strip()
            # Others lead to a script, or into Baidu's site, such as `/sf/vsearch?`.
            if not link.startswith(("http://", "https://", "//", "/link?")):
                continue
            link, stated = absolute(link, self.url), absolute(row.first("target"), "")
            host = host_of(stated)
            if (
                _is_own(link)
                or _is_own(stated)
                or any(is_at(host, domain) for domain in _COLLECTIONS)
                or row.all("advertisement")
                or not _AD_WORDS.isdisjoint(row.all("label"))
            ):
                continue
            url = stated if host not in ("", _NO_ADDRESS) else link
            kept = link if url != link and "baidu.com/link?" in link else None
            title, text = row.first("title"), row.first("snippet")
            if not text:  # a card of unknown form: its longest paragraph, if it has any
                text = max(row.all("paragraph"), key=len, default="")
                text = text if len(text) >= _LEAST_PARAGRAPH else ""
            # The day stands before the text or beside it; several are those of a list.
            beside = [_day(date, now) for date in row.all("date") if date not in text]
            day = beside[0] if len(beside) == 1 else None
            for opening in (*row.all("date"), *row.all("opening")):
                if text.startswith(opening) and (before := _day(opening, now)):
                    text, day = text.removeprefix(opening).lstrip(" -"), before
                    break
            item = SearchItem(title, url, text, self.name, published_at=day, link=kept)
            yield item if url else None


def _day(text: str, now: datetime) -> str | None:
    day, rest = leading_date(text.strip(" -"), now)
    return None if rest else day


def _is_own(url: str) -> bool:
    """True for a search on any of Baidu's sites, and for its advertisements."""
    parts = urlsplit(url)
    host, first = parts.hostname or "", parts.path[1:].partition("/")[0]
    if host in _MAIN_HOSTS:
        return first in _MAIN_PATHS
    names = parse_qs(parts.query)
    is_search = first in _SEARCH_PATHS and any(n in names for n in _QUERY_NAMES)
    return is_search and is_at(host, "baidu.com")
