"""Turn the markers of an answer into links: at once, or while it streams or stops."""

import logging
from collections.abc import Callable, Mapping
from typing import Final

from citations.citing import PlainForm, numbers_cited
from citations.markdown.inline import Inline
from citations.markdown.reader import Reader
from citations.models import Source
from citations.page import PageForm, harmless
from untrusted.text import escaped, one_line, visible
from untrusted.urls import page_key, safe_url

logger = logging.getLogger(__name__)

IMAGE: Final = "[图片已屏蔽]"


def link(text: str, sources: Mapping[int, Source]) -> str:
    """Link each marker of a source in *text*; definitions of numbers become words."""
    return Linker(sources).whole(text)


def page_form(text: str, sources: Mapping[int, Source], *, image: str = IMAGE) -> str:
    """Link *text* with titles; remove whatever makes the page load or hide things."""
    return PageLinker(sources, image=image).whole(text)


class _FormLinker:
    """Writer of one form for a text that arrives in chunks."""

    def __init__(self, form: Inline) -> None:
        self._form = form
        self._reader = Reader(form)
        self.works = True  # until converting fails: then the text stays as it was

    def feed(self, chunk: str) -> str:
        """Read *chunk*, and return the text that can be shown now."""
        if not self.works:
            return self.unlinked(chunk)
        return self._tried(lambda: self._reader.feed(self.readable(chunk)))

    def close(self) -> str:
        """End the text, and return the rest."""
        return self._tried(self._reader.close) if self.works else ""

    def whole(self, text: str) -> str:
        """Link the whole *text*, or none of it if converting fails."""
        linked = self.feed(text) + self.close()
        return linked if self.works else self.unlinked(text)

    @property
    def held(self) -> int:
        """The number of characters that are undecided and held back."""
        return len(self._reader.rest) if self.works else 0

    @property
    def cited(self) -> list[int]:
        """The numbers linked so far, in the order of their first marker."""
        return numbers_cited(self._form.markers)

    @property
    def closing(self) -> str:
        """The end of the code or HTML that a stopped text leaves open."""
        return self._reader.closing

    def readable(self, chunk: str) -> str:
        """Return *chunk* as it is read."""
        return chunk

    def unlinked(self, text: str) -> str:
        """Return *text* without links, in the form in which it is shown."""
        return text

    def _tried(self, read: Callable[[], str]) -> str:
        try:
            return read()
        except Exception as error:  # noqa: BLE001 -- an answer is worth more than links
            # Only the type of the error: its message may quote the answer.
            logger.error("Markers stay as they are: %s", type(error).__name__)  # noqa: TRY400
            self.works = False
            return self._reader.taken() + self.unlinked(self._reader.rest)


class Linker(_FormLinker):
    """
    Linker of the markers in a text that arrives in chunks.

    The joined output is that of `link` for the whole text, however it was cut.
    """

    def __init__(self, sources: Mapping[int, Source]) -> None:
        super().__init__(PlainForm(_Links(sources, _plain).of))


class PageLinker(_FormLinker):
    """
    Writer of the page's form for a text that arrives in chunks, like `page_form`.

    *image* stands for each image.
    """

    def __init__(self, sources: Mapping[int, Source], *, image: str = IMAGE) -> None:
        links = _Links(sources, _titled)
        super().__init__(PageForm(links.of, links.page, image))

    def readable(self, chunk: str) -> str:
        """Return *chunk* without invisible characters."""
        return visible(chunk)

    def unlinked(self, text: str) -> str:
        """Return *text* with every sign escaped that the page could make a link of."""
        return harmless(text)


class _Links:
    """The link of each number, written once; sources may be added meanwhile."""

    def __init__(
        self, sources: Mapping[int, Source], write: Callable[[int, Source], str]
    ) -> None:
        self._sources = sources
        self._write = write
        self._written: dict[int, str | None] = {}
        self._pages: dict[str, str] = {}
        self._counted = 0

    def of(self, number: int) -> str | None:
        """Return the link of *number*, None where no source has it, or has no link."""
        if number not in self._written:
            source = self._sources.get(number)
            if source is None or not source.href:
                logger.warning("No source has the number %d", number)
                self._written[number] = None
            else:
                self._written[number] = self._write(number, source)
        return self._written[number]

    def page(self, target: str) -> str | None:
        """
        Return the link of the source whose page *target* is.

        Never *target* itself: what the model adds to an address could tell the page
        what the user said.
        """
        if self._counted != len(self._sources):
            self._counted = len(self._sources)
            linked = [source for source in self._sources.values() if source.href]
            self._pages = {source.key: source.href for source in reversed(linked)}
        return self._pages.get(page_key(target)) if safe_url(target) else None


def _plain(number: int, source: Source) -> str:
    return f"[[{number}]]({source.href})"


def _titled(number: int, source: Source) -> str:
    """Write the link of a number with the title `[n] title — domain`."""
    title = escaped(one_line(source.title)) or source.domain
    words = f"{title} — {source.domain}" if source.domain else title
    return f'[[{number}]]({source.href} "[{number}] {words}")'
