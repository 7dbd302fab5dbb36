"""Search through Bocha's API, which needs a key; made for Chinese."""

import re
from collections.abc import Mapping
from typing import Any, Final, Self

from pydantic import SecretStr

from websearch.config.address import BaseAddress
from websearch.config.settings import Settings
from websearch.engines.answers import Engine, HttpBackend, Meanings, inside, texts
from websearch.errors import AuthError, InvalidInput, WebBlocked, WebParseError
from websearch.models import SearchItem, SearchRequest, SearchResponse
from websearch.network.client import Http
from websearch.results import clean_date

ENGINE: Final = Engine("bocha", "Bocha")
PATH: Final = "/v1/web-search"

_SINCE: Final[Mapping[str | None, str]] = {
    "day": "oneDay",
    "week": "oneWeek",
    "month": "oneMonth",
    "year": "oneYear",
}
_MEANINGS: Final[Meanings] = {
    400: (InvalidInput, None, "it refuses a value of the request"),
    401: (AuthError, "bad_key", "it refuses the key"),
    403: (AuthError, "quota_exhausted", "the account of the key has no money left"),
    429: (WebBlocked, None, "too many requests"),
}


class Bocha(HttpBackend):
    """Bocha's web search, by its API."""

    name = ENGINE.name

    def __init__(
        self, http: Http, address: BaseAddress, key: SecretStr | None, *, top_k: int
    ) -> None:
        super().__init__(http)
        self._url = address.url.removesuffix(PATH) + PATH
        self._key = key
        self._top_k = top_k

    @classmethod
    def from_settings(cls, settings: Settings, http: Http) -> Self:
        """Bocha with the key and at the address of the settings."""
        key, top_k = settings.bocha_api_key, settings.bocha_top_k
        return cls(http, settings.bocha_base_url, key, top_k=top_k)

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Ask for the first page of results."""
        with ENGINE.named():
            key = ENGINE.key(self._key, "BOCHA_API_KEY")
            headers = {"Accept": "application/json", "Authorization": f"Bearer {key}"}
            form = _form(request, self._top_k)
            reply = await self._http.post_json(self._url, data=form, headers=headers)
            ENGINE.check(reply, _MEANINGS)
            data = ENGINE.json(reply)
            ENGINE.check(reply, _MEANINGS, status=_status(data))
            items = ENGINE.rows(_rows(data), _item)
            return SearchResponse(request.query, self.name, items)


def _form(request: SearchRequest, top_k: int) -> dict[str, Any]:
    form = {
        "query": request.query,
        "freshness": _SINCE.get(request.time_range, "noLimit"),
        "summary": request.need_summary,
        "count": max(top_k, request.max_results),
    }
    return form | ({"include": request.site_filter} if request.site_filter else {})


def _status(data: Mapping[str, Any]) -> int:
    """The status in the body, which is told as a number or as a text."""
    code = str(inside(data, "code"))
    if not re.fullmatch("[2-5][0-9]{2}", code):
        raise WebParseError("its answer holds no status", detail_code="unexpected_page")
    return int(code)


def _rows(data: Mapping[str, Any]) -> Any:
    """Where nothing was found, `webPages` may be null."""
    pages = inside(data, "data", "webPages")
    return [] if pages is None else inside(pages, "value")


def _item(row: Mapping[str, Any]) -> SearchItem | None:
    title, url, snippet, summary = texts(row, "name", "url", "snippet", "summary")
    date = clean_date(row.get("datePublished") or row.get("dateLastCrawled"))
    item = SearchItem(title, url, summary or snippet, ENGINE.name, published_at=date)
    return item if url else None
