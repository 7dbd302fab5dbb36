"""Items of any backend made uniform: safe addresses, clean text, no twins, ranks."""

import logging
import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Final
from urllib.parse import parse_qsl, urlencode

import ada_url

from untrusted.text import clean_text
from websearch.models import SearchItem

logger = logging.getLogger(__name__)

MAX_URL: Final = 2_048
MAX_TITLE: Final = 300
MAX_SNIPPET: Final = 5_000

_TRACKER = re.compile(
    "utm_.*|fbclid|gclid|msclkid|yclid|spm|share_token|isappinstalled|mc_[ce]id"
    "|igshid|_ga|ved|usg|srsltid"
)
# Scheme and host must be there, and none of what a browser would repair: what needs a
# repair is not an address to trust. In `http:///path`, the scheme or host was lost on
# the way, and a browser would take the first word of the path for the host.
_ADDRESS = re.compile(
    r"\s*https?://[^/?#\\\x00-\x20][^\\\x00-\x1f\x7f\ud800-\udfff]*", re.IGNORECASE
)


class Normal(tuple[SearchItem, ...]):
    """Items that are uniform already; cleaning text twice would change it."""

    __slots__ = ()


def normalize(items: Iterable[SearchItem], count: int) -> tuple[SearchItem, ...]:
    """The first *count* distinct pages among *items*, ranked from 1."""
    if isinstance(items, Normal):
        return items[:count]
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
    return Normal(tuple(pages.values())[:count])


def clean_url(url: object) -> str | None:
    """*url* as a browser would write it, or None where it is no safe web address."""
    if not isinstance(url, str) or len(url) > MAX_URL or not _ADDRESS.fullmatch(url):
        return None
    try:
        href = ada_url.normalize_url(url.strip())
    except ValueError:
        return None
    authority = href.partition("://")[2].partition("/")[0]
    return None if "@" in authority or len(href) > MAX_URL else href


def page_key(url: str) -> str:
    """Key under which two addresses are one page: no scheme, www, tracker, fragment."""
    page, _, fragment = url.partition("#")
    address, _, query = page.partition("?")
    place = address.partition("://")[2].removeprefix("www.").removeprefix("m.")
    if query:
        pairs = parse_qsl(query, keep_blank_values=True, encoding="latin-1")
        query = urlencode(
            sorted(pair for pair in pairs if not _TRACKER.fullmatch(pair[0]))
        )
    # `#!/page` and `#/page` name pages; other fragments name places on one.
    route = fragment if fragment.startswith(("!", "/")) else ""
    return f"{place.rstrip('/')}?{query}#{route}"


def clean_date(value: object) -> str | None:
    """*value* as ISO 8601, or None where it is no such date."""
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
    """Keep the first of two twins, with the longer snippet and the https address."""
    return replace(
        old,
        title=old.title or new.title,
        snippet=max(old.snippet, new.snippet, key=len),
        url=new.url if _upgrades(old.url, new.url) else old.url,
        link=old.link or new.link,
    )


def _upgrades(old: str, new: str) -> bool:
    return old.startswith("http:") and new.startswith("https:")
