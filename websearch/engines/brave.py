"""Search through Brave's API, which needs a key."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

from websearch.engines.base import ApiEngine, Failure, Failures, inside, rows, texts
from websearch.engines.locales import brave_language
from websearch.errors import AuthError, InvalidInput, WebBlocked, WebParseError
from websearch.models import SearchItem, SearchRequest
from websearch.network.response import Reply
from websearch.results import clean_date

_BAD_KEY: Final[Failure] = (AuthError, "bad_key", "it refuses the key")
_QUOTA: Final[Failure] = (WebBlocked, "quota_exhausted", "the key's quota is used up")


class Brave(ApiEngine):
    """Brave's own index, by its API."""

    name = "brave"
    title = "Brave"
    url = "https://api.search.brave.com/res/v1/web/search"
    max_length = 400
    max_words = 50
    failures: ClassVar[Failures] = {
        401: _BAD_KEY,
        403: _BAD_KEY,
        "SUBSCRIPTION_NOT_FOUND": _BAD_KEY,
        "SUBSCRIPTION_TOKEN_INVALID": _BAD_KEY,
        422: (InvalidInput, None, "it refuses a value of the request"),
        429: (WebBlocked, None, "too many requests"),
        "QUOTA_LIMITED": _QUOTA,
    }

    def headers(self, request: SearchRequest) -> Mapping[str, str]:
        """Return the headers; Brave has its own one for the key."""
        return {**super().headers(request), "X-Subscription-Token": self.key()}

    def params(self, request: SearchRequest) -> dict[str, Any]:
        """The query with language, country and time range."""
        fixed = {"count": "10", "text_decorations": "false", "result_filter": "web"}
        since = {"freshness": f"p{request.time_range[0]}"} if request.time_range else {}
        language = brave_language(request, self._language)
        return {"q": self.query(request), **fixed, **since, **language}

    def parse(self, data: Mapping[str, Any]) -> Iterable[SearchItem | None]:
        """Parse the results; Brave omits `web` if it found nothing."""
        if data.get("type") == "search" and data.get("web") is None:
            return
        for row in rows(inside(data, "web", "results")):
            title, url, text = texts(row, "title", "url", "description")
            day = clean_date(row.get("page_age"))
            item = SearchItem(title, url, text, self.name, published_at=day)
            yield item if url else None

    def error_word(self, reply: Reply) -> str:
        """Return the code of an error, which is under one of two keys."""
        try:
            body = self.json(reply)
        except WebParseError:
            return ""
        errors = body.get("error") or body.get("errors")
        first = errors[0] if isinstance(errors, list) and errors else errors
        return texts(first, "code")[0] if isinstance(first, dict) else ""
