"""Turn the markers of an answer into links: at once, or while it streams."""

import logging
from collections.abc import Mapping
from typing import Final

from citations.markdown.reader import Reader
from citations.models import Source
from citations.page_form import Page, Plain

logger = logging.getLogger(__name__)

IMAGE: Final = "[图片已屏蔽]"


def link(
    text: str,
    sources: Mapping[int, Source],
    *,
    titles: bool = False,
    image: str = IMAGE,
) -> str:
    """*text* with each marker of a source linked; see Linker."""
    linker = Linker(sources, titles=titles, image=image)
    linked = linker.feed(text) + linker.close()
    return linked if linker.works else linker.unlinked(text)


class Linker:
    """
    Links the markers of a text that arrives in chunks.

    The joined output is that of `link` for the whole text, however it was cut. With
    *titles* it is the page's form: links carry titles, and what the page would load,
    hide or misread is made harmless; *image* stands for each image.
    """

    def __init__(
        self,
        sources: Mapping[int, Source],
        *,
        titles: bool = False,
        image: str = IMAGE,
    ) -> None:
        self._form = Page(sources, image) if titles else Plain(sources)
        self._works = True
        self._reader: Reader | None = None
        if sources or titles:
            self._reader = Reader(self._form)

    @property
    def works(self) -> bool:
        """False once converting failed: from there on the text stays as it was."""
        return self._works

    def feed(self, chunk: str) -> str:
        """What can be shown after *chunk*."""
        if self._reader is None:
            return self.unlinked(chunk)
        try:
            return self._reader.feed(self._form.clean(chunk))
        except Exception as error:  # noqa: BLE001 -- an answer is worth more than links
            return self._give_up(error)

    def close(self) -> str:
        """The rest, at the end of the text."""
        if self._reader is None:
            return ""
        try:
            return self._reader.close()
        except Exception as error:  # noqa: BLE001 -- an answer is worth more than links
            return self._give_up(error)

    @property
    def held(self) -> int:
        """How many characters wait, because it is not sure yet what they are."""
        return self._reader.held if self._reader else 0

    def unlinked(self, text: str) -> str:
        """*text* without links, fit to be shown."""
        return self._form.failed(text)

    def _give_up(self, error: Exception) -> str:
        # Only the kind of the error: its words may be those of the answer.
        logger.error("Markers stay as they are: %s", type(error).__name__)
        done, rest = self._reader.salvage() if self._reader else ("", "")
        self._reader = None
        self._works = False
        return done + self.unlinked(rest)
