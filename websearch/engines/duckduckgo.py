"""Search through DuckDuckGo's page without scripts, by the form that it offers."""

import re
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, ClassVar, Final

from untrusted.text import without_commands
from websearch.engines.links import host_of, is_at, target
from websearch.engines.locales import accept_language, duckduckgo_region, tag_of
from websearch.engines.page_engine import PageEngine, ResultPage, Row
from websearch.models import SearchItem, SearchRequest
from websearch.network.response import Reply

_OWN_DOMAIN: Final = "duckduckgo.com"
# A backslash redirects to the first result; a sign after a word is a command too.
_COMMANDS: Final = re.compile(r"(?<!\S)\\|!(?!\S)")
_FULL_WIDTH: Final = {"!": "\uff01", "\\": "\uff3c"}


class DuckDuckGo(PageEngine):
    """DuckDuckGo's page without scripts, requested with our own User-Agent."""

    name = "ddg_html"
    title = "DuckDuckGo"
    url = "https://html.duckduckgo.com/html/"
    max_length = 499
    rows = ":is(div.result, div.web-result):not(.result--ad):not(.result--no-result)"
    fields: ClassVar = {
        "title": "a.result__a",
        "link": "a.result__a@href",
        "snippet": ".result__snippet",
    }
    blocks: ClassVar = {
        "captcha_required": ":is(#challenge-form, .anomaly-modal__title,"
        " [data-testid=anomaly-modal], form[action*='anomaly.js'],"
        " script[src*='anomaly.js'])"
    }
    empty = ":is(.result--no-result, .no-results, .no-results__message)"

    async def send(self, request: SearchRequest) -> Reply:
        """Post the form of the page."""
        headers, form = self.headers(request), self.params(request)
        return await self._http.post_form(self.url, form=form, headers=headers)

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
        """The results; those that lead to DuckDuckGo itself are advertisements."""
        found = [_item(row) for row in rows]
        return [i for i in found if not i or not is_at(host_of(i.url), _OWN_DOMAIN)]


def _item(row: Row) -> SearchItem | None:
    url = target(row.first("link"), DuckDuckGo.url, _OWN_DOMAIN, "uddg")
    title, snippet = row.first("title"), row.first("snippet")
    return SearchItem(title, url, snippet, DuckDuckGo.name) if url else None
