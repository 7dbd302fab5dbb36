"""Search through DuckDuckGo's page without scripts, by the form that it offers."""

import re
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, ClassVar, Final
from urllib.parse import parse_qs, urlsplit

from untrusted.text import without_commands
from websearch.engines.links import host_of, is_at, target
from websearch.engines.locales import accept_language, duckduckgo_region, tag_of
from websearch.engines.page_engine import PageEngine, ResultPage, Row
from websearch.models import SearchItem, SearchRequest
from websearch.network.response import Reply
from websearch.results import clean_date

_OWN_DOMAIN: Final = "duckduckgo.com"
# Redirects: of advertisements, and of links whose target can't be read.
_REDIRECTS: Final = ("/y.js", "/l/")
_END_HOST, _END_PATH = "www.google.com", "/search"
# A backslash redirects to the first result; a sign after a word is a command too.
_COMMANDS: Final = re.compile(r"(?<!\S)\\|!(?!\S)")
_FULL_WIDTH: Final = {"!": "\uff01", "\\": "\uff3c"}


class DuckDuckGo(PageEngine):
    """DuckDuckGo's page without scripts, requested with our own User-Agent."""

    name = "ddg_html"
    title = "DuckDuckGo"
    url = "https://html.duckduckgo.com/html/"
    method = "POST"
    content = "data"
    max_length = 499
    rows = (
        ":is(div.result, div.web-result)"
        ":not([class*='result--ad'], .web-result-sponsored, .result--no-result)"
    )
    # The second names are those of older pages.
    fields: ClassVar = {
        "title": ":is(a.result__a, a.large)",
        "link": ":is(a.result__a, a.large)@href",
        "snippet": ":is(.result__snippet, .snippet)",
        "date": ".result__extras span",
    }
    blocks: ClassVar = {
        "captcha_required": ":is(#challenge-form, .anomaly-modal__title,"
        " [data-testid=anomaly-modal], form[action*='anomaly.js'],"
        " script[src*='anomaly.js'])"
    }
    empty = ":is(.result--no-result, .no-results, .no-results__message)"

    def headers(self, request: SearchRequest) -> Mapping[str, str]:
        """Ask for the language of the search."""
        tag = tag_of(request, self._language)
        return {"Accept-Language": accept_language(request.query, tag)}

    def params(self, request: SearchRequest) -> dict[str, Any]:
        """The fields of the form; commands in the query become plain words."""
        query = without_commands(self.query(request))
        query = _COMMANDS.sub(lambda sign: _FULL_WIDTH[sign[0]], query)
        form = {"q": query, "b": "", "kl": duckduckgo_region(request, self._language)}
        return form | ({"df": request.time_range[0]} if request.time_range else {})

    def block(self, reply: Reply, page: ResultPage) -> str | None:
        """A challenge is known by status 202, or by its form on the page."""
        if reply.status == HTTPStatus.ACCEPTED:
            return "captcha_required"
        return super().block(reply, page)

    def parse(self, rows: Sequence[Row]) -> Iterable[SearchItem | None]:
        """The results without advertisements, own searches, and the end of the list."""
        for row in rows:
            link, title, snippet = map(row.first, ("link", "title", "snippet"))
            url = target(link, self.url, _OWN_DOMAIN, "uddg") if link else ""
            parts, host = urlsplit(url), host_of(url)
            if is_at(host, _OWN_DOMAIN):
                is_result = not (
                    parts.path in _REDIRECTS or "q" in parse_qs(parts.query)
                )
            else:
                is_result = (host, parts.path) != (_END_HOST, _END_PATH)
            if is_result:
                day = next(filter(None, map(clean_date, row.all("date"))), None)
                item = SearchItem(title, url, snippet, self.name, published_at=day)
                yield item if url else None
