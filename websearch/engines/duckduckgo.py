"""Search through DuckDuckGo's page without scripts, by the form that it offers."""

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Final, Self

from untrusted.text import without_commands
from websearch.config.settings import Settings
from websearch.engines.answers import Engine, HttpBackend
from websearch.engines.hrefs import host_of, is_at, target
from websearch.engines.html_page import Page, Row, attribute, text_of
from websearch.engines.locales import accept_language
from websearch.engines.regions import duckduckgo, tag_of
from websearch.models import SearchItem, SearchRequest, SearchResponse
from websearch.network.client import Http
from websearch.network.response import Reply

ENGINE: Final = Engine("ddg_html", "DuckDuckGo", longest=499)
URL: Final = "https://html.duckduckgo.com/html/"

_OWN: Final = "duckduckgo.com"
_BLOCK: Final = (
    ":is(#challenge-form, .anomaly-modal__title, [data-testid=anomaly-modal],"
    " form[action*='anomaly.js'], script[src*='anomaly.js'])"
)
_LIST: Final = b'<div id="links"'
_ROWS: Final = ":is(div.result, div.web-result, a.result__a, .result__snippet)"
_PARTS: Final = ("result__a", "result__snippet")
_OTHERS: Final = frozenset({"result--ad", "result--no-result"})
_EMPTY: Final = ":is(.result--no-result, .no-results, .no-results__message)"
# A backslash goes to the first result, and a sign behind a word is a command too.
_COMMANDS: Final = re.compile(r"(?<!\S)\\|!(?!\S)")

_FULL_WIDTH: Final = {"!": "\uff01", "\\": "\uff3c"}


class DuckDuckGo(HttpBackend):
    """DuckDuckGo, asked politely and told as it is."""

    name = ENGINE.name

    def __init__(self, http: Http, *, url: str = URL, language: str = "auto") -> None:
        super().__init__(http)
        self._url = url
        self._language = language

    @classmethod
    def from_settings(cls, settings: Settings, http: Http) -> Self:
        """DuckDuckGo in the language of the settings."""
        return cls(http, language=settings.language)

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Send the form, and read the page that comes."""
        with ENGINE.named():
            form = _form(request, self._language)
            tag = tag_of(request, self._language)
            spoken = {"Accept-Language": accept_language(request.query, tag)}
            reply = await self._http.post_form(self._url, form=form, headers=spoken)
            return SearchResponse(request.query, self.name, _read(reply))


def _form(request: SearchRequest, language: str) -> dict[str, str]:
    query = without_commands(ENGINE.query(request))
    query = _COMMANDS.sub(lambda sign: _FULL_WIDTH[sign[0]], query)
    form = {"q": query, "b": "", "kl": duckduckgo(request, language)}
    return form | ({"df": request.time_range[0]} if request.time_range else {})


def _read(reply: Reply) -> Sequence[SearchItem]:
    return ENGINE.listed(reply, _LIST, _items, _is_challenge, _EMPTY)


def _is_challenge(reply: Reply, page: Page) -> bool:
    return reply.status == HTTPStatus.ACCEPTED or page.has(_BLOCK)


def _items(page: Page) -> Sequence[SearchItem]:
    found = ENGINE.readable([_item(row) for row in page.rows(_ROWS, _PARTS, _OTHERS)])
    # Only now: what is wrapped may be an advertisement too.
    return [item for item in found if not is_at(host_of(item.url), _OWN)]


def _item(row: Row) -> SearchItem | None:
    link, snippet = row.get("result__a"), row.get("result__snippet")
    url = target(attribute(link, "href"), URL, _OWN, "uddg")
    item = SearchItem(text_of(link), url, text_of(snippet), ENGINE.name)
    return item if url else None
