"""Search through a SearXNG server, also through an old searx."""

import logging
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, ClassVar, Final, Self
from urllib.parse import quote

from untrusted.text import SHORT, clean_text, clip, without_commands
from websearch.config.address import BaseAddress
from websearch.config.settings import Settings
from websearch.engines.base import texts
from websearch.engines.locales import accept_language, language_of, language_tag
from websearch.errors import (
    AuthError,
    BadGateway,
    EngineFailure,
    InvalidInput,
    SearchError,
    WebBlocked,
    WebParseError,
)
from websearch.models import SearchItem, SearchRequest, SearchResponse
from websearch.network.client import HttpClient
from websearch.network.response import Reply
from websearch.processes import Processes
from websearch.results import clean_date

logger = logging.getLogger(__name__)

NAME: Final = "searxng"
LONG_QUERY: Final = 2_000  # bytes in an address; some proxies refuse 8,000

_DEFAULT_BUDGET_MS: Final = 5_000
_LEAST_TIME: Final = 0.1  # with less, a server suspends its engines
_REPLY_TIME: Final = 0.5  # reserved for the transfer of the response
# A page has ten results; more of a hostile server would only take time.
_MAX_ROWS: Final = 100
# SearXNG's own messages, which are not masked even if the query contains a word.
_USUAL_REASONS: Final = frozenset(
    {
        "CAPTCHA",
        "HTTP connection error",
        "HTTP error",
        "HTTP protocol error",
        "access denied",
        "network error",
        "parsing error",
        "proxy error",
        "server API error",
        "timeout",
        "too many requests",
        "unexpected crash",
    }
)
_MAX_SCORE: Final = 1e9
_MAX_ENGINES: Final = 50
# Reasons in English, as `locale=en` asks for; the worst comes first.
_BLOCKS: Final = (
    ("captcha", "captcha_required"),
    ("access denied", "http_403"),
    ("too many requests", "http_429"),
)
_PARAMETER = re.compile(r"for parameter ([a-z_]{1,20})")
# Flask's page for abort(403): SearXNG sends it if a format is not enabled.
_READ_PROTECTED = b"It is either read-protected or not readable by the server."
_STATUSES: Final[Mapping[int, tuple[type[SearchError], str]]] = {
    400: (InvalidInput, "SearXNG refuses the request{parameter}"),
    401: (AuthError, "A proxy in front of SearXNG wants other credentials"),
    403: (AuthError, "A proxy or firewall in front of SearXNG refuses the request"),
    404: (WebParseError, "Nothing is there: the path of the base address is wrong"),
    414: (InvalidInput, "The query is too long for a proxy in front of SearXNG"),
    429: (WebBlocked, "Too many requests: the limiter of SearXNG or a proxy is on"),
}


class Searxng:
    """A SearXNG server with JSON enabled."""

    name = NAME
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
        query = without_commands(request.query)
        if request.site_filter:
            query = f"{query} site:{request.site_filter}"
        budget = (request.budget_ms or _DEFAULT_BUDGET_MS) / 1000
        seconds = max(budget - _REPLY_TIME, budget / 2, _LEAST_TIME)
        form = {
            "q": query,
            "format": "json",
            "locale": "en",  # reasons of failed engines in English
            "timeout_limit": f"{seconds:.2f}",
        }
        locale = language_of(request, self._language)
        if locale != "auto":  # an old searx refuses `auto`
            form["language"] = language_tag(locale)
        if request.time_range:
            form["time_range"] = request.time_range
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


def read(
    request: SearchRequest, reply: Reply, secrets: Sequence[str] = ()
) -> SearchResponse:
    """
    Read the results in the server's order; malformed rows are skipped.

    The reasons of failed engines reach logs, so query and *secrets* in them are masked.
    """
    if reply.media_type == "text/html":
        raise not_searxng(reply)
    data = reply.json()
    rows = data.get("results") if isinstance(data, dict) else None
    if not isinstance(rows, list):
        raise not_searxng(reply)
    rows, items = rows[:_MAX_ROWS], []
    for row in rows:
        if not isinstance(row, dict) or not isinstance(row.get("url"), str):
            continue
        title, url, snippet, engine = texts(row, "title", "url", "content", "engine")
        date = row.get("publishedDate") or row.get("pubdate")
        score: Any = row.get("score")
        # JSON allows numbers of thousands of digits, and True is an int.
        is_usable = type(score) in (int, float) and abs(score) < _MAX_SCORE
        items.append(
            SearchItem(
                title,
                url,
                snippet,
                NAME,
                engine=engine or None,
                published_at=clean_date(date),
                score=score if is_usable else None,
            )
        )
    if skipped := len(rows) - len(items):
        logger.warning("Skipped %d malformed results of %d", skipped, len(rows))
    failures = unresponsive(data, (request.query, *secrets))
    if failures and not items:
        raise engines_error(failures)
    errors = [engines_error(failures)] if failures else []
    return SearchResponse(request.query, NAME, items, errors=errors)


def unresponsive(
    data: Mapping[str, Any], hidden: Sequence[str] = ()
) -> tuple[EngineFailure, ...]:
    """List the failed engines, each once, with the server's short reasons."""
    rows = data.get("unresponsive_engines")
    if not isinstance(rows, list):
        return ()
    pairs = ((*row, "")[:2] for row in rows if isinstance(row, list) and row)
    failures = (
        EngineFailure(_masked(name, hidden), _masked(reason, hidden))
        for name, reason in pairs
    )
    distinct = dict.fromkeys(failure for failure in failures if failure.engine)
    return tuple(distinct)[:_MAX_ENGINES]


def engines_error(failures: Sequence[EngineFailure]) -> SearchError:
    """The error of failed engines: that of the worst of their reasons."""
    named = ", ".join(f"{engine} ({reason})" for engine, reason in failures)
    reasons = " ".join(failure.reason.lower() for failure in failures)
    for words, detail_code in _BLOCKS:
        if words in reasons:
            return WebBlocked(
                f"Search engines behind SearXNG refused: {named}",
                detail_code=detail_code,
                engines=failures,
            )
    return BadGateway(
        f"Search engines behind SearXNG gave no answer: {named}",
        detail_code="engines_failed",
        engines=failures,
    )


def status_error(reply: Reply) -> SearchError | None:
    """The error of a status; None for 200."""
    status = reply.status
    if status == HTTPStatus.OK:
        return None
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return _error(BadGateway, reply, f"The server answered {status}")
    if status in {301, 302, 303, 307, 308}:
        message = "The server sends us elsewhere, which is not followed"
        return _error(WebParseError, reply, message, "redirect")
    if status == HTTPStatus.FORBIDDEN and _READ_PROTECTED in reply.body:
        message = "SearXNG is running, but its JSON format is not enabled"
        return _error(AuthError, reply, message, "json_disabled")
    if known := _STATUSES.get(status):
        kind, message = known
        # The parameter that SearXNG names; its other words may quote the query.
        named = _PARAMETER.search(reply.text[:1_000])
        parameter = f": the value of {named[1]}" if named else ""
        return _error(kind, reply, message.format(parameter=parameter))
    return not_searxng(reply)


def not_searxng(reply: Reply) -> SearchError:
    """Make the error for a response that is not from SearXNG."""
    kind = "a web page" if reply.media_type == "text/html" else "something else"
    message = f"The server answered {reply.status} with {kind}, not as SearXNG does"
    return _error(WebParseError, reply, message, "not_searxng")


def _error(
    kind: type[SearchError], reply: Reply, message: str, detail_code: str | None = None
) -> SearchError:
    return kind(
        message,
        detail_code=detail_code or f"http_{reply.status}",
        retry_after=reply.retry_after,
        facts=reply.facts(),
    )


def _masked(text: object, hidden: Sequence[str]) -> str:
    """Mask query and secrets in a server's message; usual reasons are unchanged."""
    words = clean_text(text)
    if words.removeprefix("Suspended: ") in _USUAL_REASONS:
        return words
    for secret in filter(None, hidden):
        words = words.replace(secret, "…")
    return clip(words, SHORT)
