"""Turn the markers of an answer into links: at once, or while it streams or stops."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Final

from citations.citing import PlainForm, numbers_cited
from citations.markdown.inline import Inline
from citations.markdown.reader import Reader
from citations.page import PageForm, harmless
from citations.sources import Source
from untrusted.text import in_title, one_line, visible
from untrusted.urls import page_key, safe_url

logger = logging.getLogger(__name__)

IMAGE: Final = "[图片已屏蔽]"
_NO_SOURCES: Final[Mapping[int, Source]] = {}  # where no number is looked for


def link(text: str, sources: Mapping[int, Source]) -> str:
    """Link each marker of a source in *text*; definitions of numbers become words."""
    return Linker(sources).whole(text)


def page_form(
    text: str, sources: Mapping[int, Source] | None, *, image: str = IMAGE
) -> str:
    """Link *text* with titles; remove whatever makes the page load or hide things."""
    return PageLinker(sources, image=image).whole(text)


class _FormLinker(ABC):
    """Writer of one form for a text that arrives in chunks; *sources* may grow."""

    def __init__(self, sources: Mapping[int, Source], form: Inline) -> None:
        self.sources = sources
        self.works = True  # until converting fails: then the text stays as it was
        self._form = form
        self._reader = Reader(form)
        self._unknown: dict[int, None] = {}  # numbers, in the order of their markers

    def feed(self, chunk: str) -> str:
        """Read *chunk*, and return the text that can be shown now."""
        if not self.works:
            return self.unlinked(chunk)
        return self._tried(lambda: self._reader.feed(self.readable(chunk)))

    def close(self) -> str:
        """End the text, and return the rest; the log names its unknown numbers."""
        rest = self._tried(self._reader.close) if self.works else ""
        if self._unknown and self.sources is not _NO_SOURCES:
            numbers = ", ".join(map(str, self._unknown))
            logger.warning("No source has the number %s", numbers)
        self._unknown.clear()
        return rest

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

    def link_of(self, number: int) -> str | None:
        """Return the link of *number*, None where no source has it."""
        source = self.sources.get(number)
        if source is None or not source.is_known:
            self._unknown[number] = None
            return None
        return self.written(number, source)

    @abstractmethod
    def written(self, number: int, source: Source) -> str:
        """Return the link of *source*, or its number where it has none."""

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
        super().__init__(sources, PlainForm(self.link_of))

    def written(self, number: int, source: Source) -> str:
        """Return the link of *source*, or its number where it has none."""
        return f"[[{number}]]({source.href})" if source.href else f"[{number}]"


class PageLinker(_FormLinker):
    """
    Writer of the page's form for a text that arrives in chunks, like `page_form`.

    Without sources (None) no number is looked for. *image* stands for each image.
    """

    def __init__(
        self, sources: Mapping[int, Source] | None, *, image: str = IMAGE
    ) -> None:
        form = PageForm(self.link_of, self.page_of, image)
        super().__init__(_NO_SOURCES if sources is None else sources, form)

    def page_of(self, target: str) -> str | None:
        """
        Return the link of the source whose page *target* is.

        Never *target* itself: what the model adds to an address could tell the page
        what the user said.
        """
        key = page_key(target) if safe_url(target) else None
        pages = (one.href for one in self.sources.values() if one.key == key)
        return next(filter(None, pages), None)

    def written(self, number: int, source: Source) -> str:
        """Return a link with the title `[n] title — domain`, or the number as code."""
        if not source.href:
            return f"`[{number}]`"
        title = in_title(one_line(source.title)) or source.domain
        words = f"{title} — {source.domain}" if source.domain else title
        return f'[[{number}]]({source.href} "[{number}] {words}")'

    def readable(self, chunk: str) -> str:
        """Return *chunk* without invisible characters."""
        return visible(chunk)

    def unlinked(self, text: str) -> str:
        """Return *text* with every sign escaped that the page could make a link of."""
        return harmless(text)
