"""Normalize the items of any backend: clean, without duplicates, ranked."""

import logging
from collections.abc import Iterable
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
    pages: dict[str, SearchItem] = {}
    dropped = 0
    for item in items:
        if (url := clean_url(item.url)) is None:
            dropped += 1
            continue
        key = page_key(url)
        old = pages.get(key)
        new = _clean(item, url, rank=len(pages) + 1)
        pages[key] = _better(old, new) if old else new
    if dropped:
        logger.warning("Dropped %d results without a usable http(s) address", dropped)
    return tuple(pages.values())[:count]


def clean_date(value: object) -> str | None:
    """Write *value* as ISO 8601; None if it is no such date."""
    if not isinstance(value, str) or not value[:4].isdecimal():
        return None
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    return moment.isoformat()


def _clean(item: SearchItem, url: str, rank: int) -> SearchItem:
    # Built by hand: `replace` takes three times as long, and this runs for each result.
    return SearchItem(
        title=clean_text(item.title)[:MAX_TITLE],
        url=url,
        snippet=clean_text(item.snippet)[:MAX_SNIPPET],
        provider=item.provider,
        rank=rank,
        engine=item.engine,
        published_at=item.published_at,
        score=item.score,
        link=item.link and clean_url(item.link),
    )


def _better(old: SearchItem, new: SearchItem) -> SearchItem:
    """Merge two items of one page: the longer snippet, the https address."""
    return replace(
        old,
        title=old.title or new.title,
        snippet=max(old.snippet, new.snippet, key=len),
        url=new.url if _upgrades(old.url, new.url) else old.url,
        link=old.link or new.link,
    )


def _upgrades(old: str, new: str) -> bool:
    return old.startswith("http:") and new.startswith("https:")
