"""Links to the sources of an answer, by number and by address."""

import logging
from collections.abc import Callable, Mapping

from citations.models import Source
from untrusted.urls import page_key, safe_url

logger = logging.getLogger(__name__)


class SourceLinks:
    """Writes the link of each number once; sources may be added meanwhile."""

    def __init__(
        self,
        sources: Mapping[int, Source],
        write: Callable[[int, Source, str], str],
    ) -> None:
        self._sources = sources
        self._write = write
        self._links: dict[int, str | None] = {}
        self._pages: dict[str, str] = {}
        self._counted = 0

    def of(self, number: int) -> str | None:
        """Return the link of *number*, None where no usable source has it."""
        if number not in self._links:
            source = self._sources.get(number)
            url = safe_url(source.url) if source else None
            if source is None or url is None:
                logger.warning("No source has the number %d", number)
                self._links[number] = None
            else:
                self._links[number] = self._write(number, source, url)
        return self._links[number]

    def page(self, target: str) -> str | None:
        """
        Return the address of the source whose page *target* is.

        Never *target* itself: what the model adds to an address could tell the page
        what the user said.
        """
        if self._counted != len(self._sources):
            self._counted = len(self._sources)
            self._pages = {}
            for source in self._sources.values():
                if url := safe_url(source.url):
                    self._pages.setdefault(page_key(url), url)
        return self._pages.get(page_key(target)) if safe_url(target) else None
