"""Search through Brave's API, which needs a key."""

from collections.abc import Mapping
from typing import Any, Final, Self

from pydantic import SecretStr

from websearch.config.settings import Settings
from websearch.engines.answers import Engine, HttpBackend, Meanings, inside, texts
from websearch.engines.regions import brave
from websearch.errors import AuthError, InvalidInput, WebBlocked, WebParseError
from websearch.models import SearchItem, SearchRequest, SearchResponse
from websearch.network.client import Http
from websearch.network.response import Reply
from websearch.results import clean_date

ENGINE: Final = Engine("brave", "Brave", longest=400, most_words=50)
URL: Final = "https://api.search.brave.com/res/v1/web/search"

_BAD_KEY: Final = (AuthError, "bad_key", "it refuses the key")
_MEANINGS: Final[Meanings] = {
    401: _BAD_KEY,
    403: _BAD_KEY,
    "SUBSCRIPTION_NOT_FOUND": _BAD_KEY,
    "SUBSCRIPTION_TOKEN_INVALID": _BAD_KEY,
    422: (InvalidInput, None, "it refuses a value of the request"),
    429: (WebBlocked, None, "too many requests"),
    "QUOTA_LIMITED": (WebBlocked, "quota_exhausted", "the quota of the key is used up"),
}


class Brave(HttpBackend):
    """Brave's own index, by its API."""

    name = ENGINE.name

    def __init__(
        self,
        http: Http,
        key: SecretStr | None,
        *,
        url: str = URL,
        language: str = "auto",
    ) -> None:
        super().__init__(http)
        self._key = key
        self._url = url
        self._language = language

    @classmethod
    def from_settings(cls, settings: Settings, http: Http) -> Self:
        """Brave with the key of the settings."""
        return cls(http, settings.brave_api_key, language=settings.language)

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Ask for the first page of results."""
        with ENGINE.named():
            key = ENGINE.key(self._key, "BRAVE_API_KEY")
            headers = {"Accept": "application/json", "X-Subscription-Token": key}
            form = _form(request) | brave(request, self._language)
            reply = await self._http.get(self._url, params=form, headers=headers)
            ENGINE.check(reply, _MEANINGS, code=_code(reply))
            items = ENGINE.rows(_rows(ENGINE.json(reply)), _item)
            return SearchResponse(request.query, self.name, items)


def _form(request: SearchRequest) -> dict[str, str]:
    fixed = {"count": "10", "text_decorations": "false", "result_filter": "web"}
    since = {"freshness": f"p{request.time_range[0]}"} if request.time_range else {}
    return {"q": ENGINE.query(request), **fixed, **since}


def _code(reply: Reply) -> str:
    """Brave's own word for what went wrong; its reference and its answers differ."""
    try:
        body = ENGINE.json(reply)
    except WebParseError:
        return ""
    errors = body.get("error") or body.get("errors")
    first = errors[0] if isinstance(errors, list) and errors else errors
    return texts(first, "code")[0] if isinstance(first, dict) else ""


def _rows(data: Mapping[str, Any]) -> Any:
    """Brave leaves `web` out where it found nothing."""
    if data.get("type") == "search" and data.get("web") is None:
        return []
    return inside(data, "web", "results")


def _item(row: Mapping[str, Any]) -> SearchItem | None:
    title, url, snippet = texts(row, "title", "url", "description")
    date = clean_date(row.get("page_age"))
    item = SearchItem(title, url, snippet, ENGINE.name, published_at=date)
    return item if url else None
