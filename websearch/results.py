"""Normalize the items of any backend: clean, without duplicates, ranked."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from untrusted.text import clean_text
from untrusted.urls import clean_url, page_key
from websearch.models import SearchItem, SearchResponse

logger = logging.getLogger(__name__)

MAX_TITLE: Final = 300
MAX_SNIPPET: Final = 5_000


def normalized(response: SearchResponse, count: int) -> SearchResponse:
    """Normalize a response once, as cleaning twice would change text."""
    if response.normalized:
        return replace(response, items=response.items[:count])
    items = normalize(response.items, count)
    return replace(response, items=items, normalized=True)


def normalize(items: Iterable[SearchItem], count: int) -> tuple[SearchItem, ...]:
    """Keep the first *count* distinct pages among *items*, ranked from 1."""
    pages: dict[str, list[SearchItem]] = {}
    dropped = 0
    for item in items:
        if (url := clean_url(item.url)) is None:
            dropped += 1
            continue
        twins = pages.setdefault(page_key(url), [])
        # By hand: `replace` takes three times as long, and this runs for each result.
        clean = SearchItem(
            title=clean_text(item.title)[:MAX_TITLE],
            url=url,
            snippet=clean_text(item.snippet)[:MAX_SNIPPET],
            provider=item.provider,
            rank=len(pages),
            engine=item.engine,
            published_at=item.published_at,
            score=item.score,
            link=item.link and clean_url(item.link),
        )
        twins.append(clean)
    if dropped:
        logger.warning("Dropped %d results without a usable http(s) address", dropped)
    return tuple(map(merged, list(pages.values())[:count]))


def merged(twins: Sequence[SearchItem]) -> SearchItem:
    """One item of several of the same page: the best of each field."""
    first = twins[0]
    if len(twins) == 1:
        return first
    return replace(
        first,
        # A whole title is better than a shortened one, and that than none.
        title=max(
            (twin.title.strip() for twin in twins),
            key=lambda title: (title != "", not title.endswith(("...", "\u2026"))),
        ),
        url=next((t.url for t in twins if t.url.startswith("https:")), first.url),
        snippet=max((twin.snippet for twin in twins), key=len),
        published_at=next((t.published_at for t in twins if t.published_at), None),
        link=next((t.link for t in twins if t.link), None),
    )


def clean_date(value: object) -> str | None:
    """Write *value* as ISO 8601; None if it is no such date."""
    if not isinstance(value, str) or not value[:4].isdecimal():
        return None
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    return moment.isoformat()
