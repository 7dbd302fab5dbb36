"""Pages of one session, found by the address asked for and by the final one."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from threading import Lock
from typing import Final

from cachetools import LRUCache

from untrusted.urls import page_key
from websearch.errors import SearchError, copy_of
from websearch.models import Page

MOST_PAGES: Final = 40


class PageCache:
    """
    The latest pages; equal requests at once download one page.

    Failures are not kept, but shared by those who wait for the same page.
    """

    def __init__(self, size: int = MOST_PAGES) -> None:
        self._pages: LRUCache[str, Page] = LRUCache(size)
        self._final: LRUCache[str, str] = LRUCache(4 * size)  # asked key -> final key
        # By event loop and key: a future belongs to its loop.
        self._flights: dict[tuple[int, str], asyncio.Future[SearchError | None]] = {}
        self._lock = Lock()  # a reader serves event loops of several threads

    def get(self, url: str) -> Page | None:
        """The page of *url*, if this session has read it."""
        key = page_key(url)
        with self._lock:
            page = self._pages.get(self._final.get(key, key))
        return replace(page, url=url, cached=True, took_ms=0) if page else None

    async def load(self, url: str, read: Callable[[], Awaitable[Page]]) -> Page:
        """The cached page of *url*, or that of an equal request, or a new one."""
        key = (id(asyncio.get_running_loop()), page_key(url))
        while True:
            if (page := self.get(url)) is not None:
                return page
            flight = self._flights.get(key)
            if flight is None:
                return await self._fly(key, read)
            outcome = await asyncio.shield(flight)
            if isinstance(outcome, SearchError):
                raise copy_of(outcome)
            # None: its caller was cancelled, so this one reads the page itself.

    async def _fly(
        self, key: tuple[int, str], read: Callable[[], Awaitable[Page]]
    ) -> Page:
        flight = asyncio.get_running_loop().create_future()
        self._flights[key] = flight
        outcome: SearchError | None = None
        try:
            page = await read()
            final = page_key(page.final_url)
            with self._lock:
                self._pages[final] = page
                self._final[key[1]] = final
        except SearchError as error:
            outcome = error
            raise
        else:
            return page
        finally:
            del self._flights[key]
            flight.set_result(outcome)
