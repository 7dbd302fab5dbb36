"""Read the answer of SearXNG: results, failed engines, or the error of its status."""

import logging
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from untrusted.text import SHORT, clean_text, clip
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
from websearch.network.response import Reply
from websearch.results import clean_date

logger = logging.getLogger(__name__)

PROVIDER: Final = "searxng"

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
    rows = rows[:_MAX_ROWS]
    items = [item for row in rows if (item := _item(row)) is not None]
    if skipped := len(rows) - len(items):
        logger.warning("Skipped %d malformed results of %d", skipped, len(rows))
    failures = unresponsive(data, (request.query, *secrets))
    if failures and not items:
        raise engines_error(failures)
    errors = [engines_error(failures)] if failures else []
    return SearchResponse(request.query, PROVIDER, items, errors=errors)


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


def _item(row: Any) -> SearchItem | None:
    if not isinstance(row, dict) or not isinstance(url := row.get("url"), str):
        return None
    title, content, engine = row.get("title"), row.get("content"), row.get("engine")
    date = row.get("publishedDate") or row.get("pubdate")
    score: Any = row.get("score")
    # JSON allows numbers of thousands of digits, and True is an int.
    is_usable = type(score) in (int, float) and abs(score) < _MAX_SCORE
    return SearchItem(
        title=title if isinstance(title, str) else "",
        url=url,
        snippet=content if isinstance(content, str) else "",
        provider=PROVIDER,
        engine=engine if isinstance(engine, str) else None,
        published_at=clean_date(date) if date else None,
        score=score if is_usable else None,
    )


def _masked(text: object, hidden: Sequence[str]) -> str:
    """Mask query and secrets in a server's message; usual reasons are unchanged."""
    words = clean_text(text)
    if words.removeprefix("Suspended: ") in _USUAL_REASONS:
        return words
    for secret in filter(None, hidden):
        words = words.replace(secret, "…")
    return clip(words, SHORT)
