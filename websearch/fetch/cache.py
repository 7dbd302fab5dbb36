"""Pages of one session, found by the address asked for and by the final one."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from cachetools import LRUCache

from untrusted.urls import page_key
from websearch.models import Page
from websearch.single_flight import SingleFlight

MOST_PAGES: Final = 40


class PageCache:
    """
    The latest pages; equal requests at once download one page.

    Failures are not kept, but shared by those who wait for the same page.
    """

    def __init__(self, size: int = MOST_PAGES) -> None:
        self._pages: LRUCache[str, Page] = LRUCache(size)
        self._final: LRUCache[str, str] = LRUCache(4 * size)  # asked key -> final key
        self._flights: SingleFlight[Page] = SingleFlight()

    async def load(self, url: str, read: Callable[[], Awaitable[Page]]) -> Page:
        """The cached page of *url*, or that of an equal request, or a new one."""
        key = page_key(url)
        page = self._pages.get(self._final.get(key, key))
        if page is not None:
            return replace(page, url=url, cached=True, took_ms=0)

        async def keep() -> Page:
            page = await read()
            final = page_key(page.final_url)
            self._pages[final] = page
            self._final[key] = final
            return page

        page, is_shared = await self._flights.run(key, keep)
        return replace(page, url=url, cached=True, took_ms=0) if is_shared else page
