"""Search through DuckDuckGo's page without scripts, by the form that it offers."""

import re
from collections.abc import Sequence
from typing import Final, Self

from selectolax.lexbor import LexborNode

from websearch.engine_answers import PAGES, Engine, HttpBackend
from websearch.engine_regions import duckduckgo, tag_of
from websearch.errors import WebBlocked
from websearch.http import Http
from websearch.language import accept_language
from websearch.models import SearchItem, SearchRequest, SearchResponse
from websearch.page import Page, absolute, attribute, host_of, is_at, parameter, text_of
from websearch.reply import Reply
from websearch.settings import Settings
from websearch.text import without_commands

ENGINE: Final = Engine("ddg_html", "DuckDuckGo", longest=499)
URL: Final = "https://html.duckduckgo.com/html/"

_OWN: Final = "duckduckgo.com"
_BLOCK: Final = (
    ":is(#challenge-form, .anomaly-modal__title, [data-testid=anomaly-modal],"
    " form[action*='anomaly.js'], script[src*='anomaly.js'])"
)
_RESULT: Final = ":is(div.result, div.web-result):not(.result--ad, .result--no-result)"
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
    page = Page.of(reply)
    if reply.status == 202 or page.has(_BLOCK):  # noqa: PLR2004  never with results
        raise WebBlocked("it asks for a CAPTCHA", detail_code="captcha_required")
    ENGINE.check(reply, PAGES)
    found = ENGINE.readable([_item(node) for node in page.nodes(_RESULT)])
    # Only now: what is wrapped may be an advertisement too.
    items = [item for item in found if not is_at(host_of(item.url), _OWN)]
    return ENGINE.of_page(page, items, _EMPTY)


def _item(node: LexborNode) -> SearchItem | None:
    link = node.css_first("a.result__a")
    url = absolute(attribute(link, "href"), URL)
    if is_at(host_of(url), _OWN) and (target := parameter(url, "uddg")):
        url = absolute(target, URL)
    snippet = text_of(node.css_first(".result__snippet"))
    return SearchItem(text_of(link), url, snippet, ENGINE.name) if url else None
