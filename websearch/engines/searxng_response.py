"""Read what SearXNG found, and what its engines say where they found nothing."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeGuard, cast

from untrusted.text import SHORT, clean_text, clip
from websearch.engines.searxng_status import not_searxng
from websearch.errors import BadGateway, EngineFailure, SearchError, WebBlocked
from websearch.models import SearchItem, SearchRequest, SearchResponse
from websearch.network.response import Reply
from websearch.results import clean_date

logger = logging.getLogger(__name__)

PROVIDER: Final = "searxng"

# Of a page of ten; what a hostile server sends beyond is not worth the time.
_MAX_ROWS: Final = 100
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


def read(
    request: SearchRequest, reply: Reply, secrets: Sequence[str] = ()
) -> SearchResponse:
    """
    Results in the server's order; rows that can't be read are skipped.

    What the server says of failed engines reaches logs: query and *secrets* are hidden.
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
    """Engines that failed, each once, with the server's reasons in short."""
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
    """The error that failed engines stand for, the worst of their reasons first."""
    told = ", ".join(f"{engine} ({reason})" for engine, reason in failures)
    reasons = " ".join(failure.reason.lower() for failure in failures)
    for words, detail_code in _BLOCKS:
        if words in reasons:
            return WebBlocked(
                f"Search engines behind SearXNG refused: {told}",
                detail_code=detail_code,
                engines=failures,
            )
    return BadGateway(
        f"Search engines behind SearXNG gave no answer: {told}",
        detail_code="engines_failed",
        engines=failures,
    )


def _item(row: Any) -> SearchItem | None:
    if not isinstance(row, dict) or not isinstance(url := row.get("url"), str):
        return None
    title, content, engine = row.get("title"), row.get("content"), row.get("engine")
    score, date = row.get("score"), row.get("publishedDate") or row.get("pubdate")
    return SearchItem(
        title=title if isinstance(title, str) else "",
        url=url,
        snippet=content if isinstance(content, str) else "",
        provider=PROVIDER,
        engine=engine if isinstance(engine, str) else None,
        published_at=clean_date(date) if date else None,
        score=score if _is_number(score) else None,
    )


def _masked(text: object, hidden: Sequence[str]) -> str:
    """A server's words without ours; its usual ones stay, whatever was searched for."""
    words = clean_text(text)
    if words.removeprefix("Suspended: ") in _USUAL_REASONS:
        return words
    for secret in filter(None, hidden):
        words = words.replace(secret, "…")
    return clip(words, SHORT)


def _is_number(value: object) -> TypeGuard[float]:
    """A number that can be one: JSON also holds some with thousands of digits."""
    return type(value) in (int, float) and abs(cast("float", value)) < _MAX_SCORE
