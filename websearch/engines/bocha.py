"""Search through Bocha's API, which needs a key; made for Chinese."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, Self

from websearch.config.settings import DEFAULT_BOCHA, Settings
from websearch.engines.base import ApiEngine, Failures, inside, rows, texts, unexpected
from websearch.errors import AuthError, InvalidInput, WebBlocked
from websearch.models import SearchItem, SearchRequest
from websearch.network.client import HttpClient
from websearch.network.response import Reply
from websearch.processes import Processes
from websearch.results import clean_date

_PATH: Final = "/v1/web-search"
_SINCE: Final[Mapping[str | None, str]] = {
    "day": "oneDay",
    "week": "oneWeek",
    "month": "oneMonth",
    "year": "oneYear",
}


class Bocha(ApiEngine):
    """Bocha's web search, by its API."""

    name = "bocha"
    title = "Bocha"
    url = DEFAULT_BOCHA + _PATH
    method = "POST"
    content = "json"
    failures: ClassVar[Failures] = {
        400: (InvalidInput, None, "it refuses a value of the request"),
        401: (AuthError, "bad_key", "it refuses the key"),
        403: (AuthError, "quota_exhausted", "the account of the key has no money left"),
        429: (WebBlocked, None, "too many requests"),
    }
    top_k = 10

    @classmethod
    def from_settings(
        cls, settings: Settings, http: HttpClient, _processes: Processes | None = None
    ) -> Self:
        """Bocha at the address and with the number of results of the settings."""
        url = settings.bocha_base_url.url.removesuffix(_PATH) + _PATH
        bocha = cls(http, url=url, key=settings.bocha_api_key)
        bocha.top_k = settings.bocha_top_k
        return bocha

    def headers(self, request: SearchRequest) -> Mapping[str, str]:
        """The key goes into the usual header."""
        return {**super().headers(request), "Authorization": f"Bearer {self.key()}"}

    def params(self, request: SearchRequest) -> dict[str, Any]:
        """Return the parameters; Bocha has its own one for the site."""
        form = {
            "query": request.query,
            "freshness": _SINCE.get(request.time_range, "noLimit"),
            "summary": request.need_summary,
            "count": max(self.top_k, request.max_results),
        }
        site = request.site_filter
        return form | ({"include": site} if site else {})

    async def read(self, reply: Reply) -> Sequence[SearchItem]:
        """The results of an answer, whose status stands in its body too."""
        self.check(reply)
        data = self.json(reply)
        status = str(inside(data, "code"))  # a number, or its digits as a text
        if not re.fullmatch("[2-5][0-9]{2}", status):
            raise unexpected("its answer holds no status")
        self.check(reply, int(status))
        return self.readable(self.parse(data))

    def parse(self, data: Mapping[str, Any]) -> Iterable[SearchItem | None]:
        """Parse the results; `webPages` is null if nothing was found."""
        pages = inside(data, "data", "webPages")
        for row in [] if pages is None else rows(inside(pages, "value")):
            title, url, text, summary = texts(row, "name", "url", "snippet", "summary")
            # The Z of `dateLastCrawled` stands for UTC+8, as Bocha's document says.
            (crawled,) = texts(row, "dateLastCrawled")
            in_china = re.sub("Z$", "+08:00", crawled)
            day = clean_date(row.get("datePublished")) or clean_date(in_china)
            item = SearchItem(title, url, summary or text, self.name, published_at=day)
            yield item if url else None
