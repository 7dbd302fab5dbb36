"""Search through a SearXNG server, also through an old searx."""

from collections.abc import Mapping
from typing import ClassVar, Final, Self
from urllib.parse import quote

from untrusted.text import without_commands
from websearch.config.address import BaseAddress
from websearch.config.settings import Settings
from websearch.engines.locales import accept_language, language_of, language_tag
from websearch.engines.searxng_response import PROVIDER, read, status_error
from websearch.models import SearchRequest, SearchResponse
from websearch.network.client import HttpClient
from websearch.network.response import Reply
from websearch.processes import Processes

LONG_QUERY: Final = 2_000  # bytes in an address; some proxies refuse 8,000

_DEFAULT_BUDGET_MS: Final = 5_000
_LEAST_TIME: Final = 0.1  # with less, a server suspends its engines
_REPLY_TIME: Final = 0.5  # reserved for the transfer of the response


class Searxng:
    """A SearXNG server with JSON enabled."""

    name = PROVIDER
    title: ClassVar = "SearXNG"

    def __init__(
        self,
        http: HttpClient,
        address: BaseAddress,
        *,
        key: str | None = None,
        language: str = "auto",
    ) -> None:
        self.address = address
        self._http = http
        self._language = language
        self._auth = address.authorization(key)

    @classmethod
    def from_settings(
        cls, settings: Settings, http: HttpClient, _processes: Processes | None = None
    ) -> Self:
        """Make the server from the settings."""
        key = settings.searxng_api_key
        return cls(
            http,
            settings.searxng_base_url,
            key=key.get_secret_value() if key else None,
            language=settings.language,
        )

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Ask for one page of results."""
        form = _form(request, language_of(request, self._language))
        spoken = accept_language(request.query, form.get("language"))
        reply = await self.ask("/search", form, spoken)
        if error := status_error(reply):
            raise error
        return read(request, reply, (form["q"], *self._auth.values()))

    async def ask(
        self, path: str, form: Mapping[str, str] | None = None, language: str = "en"
    ) -> Reply:
        """Send one request with our headers and credentials; long queries by POST."""
        url = self.address.url + path
        headers = {
            "Accept": "application/json, text/html;q=0.5",
            "Accept-Language": language,
            **self._auth,
        }
        query = (form or {}).get("q", "")
        if len(quote(query)) > LONG_QUERY:
            return await self._http.request("POST", url, data=form, headers=headers)
        return await self._http.request("GET", url, params=form, headers=headers)

    async def aclose(self) -> None:
        """Close the connections of the running loop."""
        await self._http.aclose()


def _form(request: SearchRequest, locale: str) -> dict[str, str]:
    query = without_commands(request.query)
    if request.site_filter:
        query = f"{query} site:{request.site_filter}"
    budget = (request.budget_ms or _DEFAULT_BUDGET_MS) / 1000
    form = {
        "q": query,
        "format": "json",
        "locale": "en",  # reasons of failed engines in English
        "timeout_limit": f"{max(budget - _REPLY_TIME, budget / 2, _LEAST_TIME):.2f}",
    }
    if locale != "auto":  # an old searx refuses `auto`
        form["language"] = language_tag(locale)
    if request.time_range:
        form["time_range"] = request.time_range
    return form
