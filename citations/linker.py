"""Turn the markers of an answer into links: at once, or while it streams or stops."""

import logging
from collections.abc import Mapping
from typing import Final

from markdown_it import MarkdownIt

from citations.inline import Inline
from citations.models import Source
from citations.page import PageForm
from citations.plain import PlainForm
from citations.reader import Reader

logger = logging.getLogger(__name__)

_PARSER: Final = MarkdownIt("commonmark")
_PROBE: Final = "\ue000after\ue000"
_HTML_ENDS: Final = (
    *("-->", "?>", "]]>", ">"),
    *("</pre>", "</script>", "</style>", "</textarea>"),
)

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
        self._reader: Reader | None = Reader(form)

    @property
    def works(self) -> bool:
        """False once converting failed: from there on the text stays as it was."""
        return self._reader is not None

    def feed(self, chunk: str) -> str:
        """Read *chunk*, and return the text that can be shown now."""
        if self._reader is None:
            return self.unlinked(chunk)
        try:
            return self._reader.feed(self._form.clean(chunk))
        except Exception as error:  # noqa: BLE001 -- an answer is worth more than links
            return self._give_up(self._reader, error)

    def close(self) -> str:
        """End the text, and return the rest."""
        if self._reader is None:
            return ""
        try:
            return self._reader.close()
        except Exception as error:  # noqa: BLE001 -- an answer is worth more than links
            return self._give_up(self._reader, error)

    def whole(self, text: str) -> str:
        """Link the whole *text*, or none of it if converting fails."""
        linked = self.feed(text) + self.close()
        return linked if self.works else self.unlinked(text)

    @property
    def held(self) -> int:
        """The number of characters that are undecided and held back."""
        return len(self._reader.rest) if self._reader else 0

    def unlinked(self, text: str) -> str:
        """Return *text* without links, in the form in which it is shown."""
        return self._form.failed(text)

    def _give_up(self, reader: Reader, error: Exception) -> str:
        # Only the type of the error: its message may quote the answer.
        logger.error("Markers stay as they are: %s", type(error).__name__)
        self._reader = None
        return reader.taken() + self.unlinked(reader.rest)


class Linker(_FormLinker):
    """
    Linker of the markers in a text that arrives in chunks.

    The joined output is that of `link` for the whole text, however it was cut. Unknown
    numbers are logged, but for a text that was linked, and logged, before.
    """

    def __init__(
        self, sources: Mapping[int, Source], *, is_logged: bool = True
    ) -> None:
        super().__init__(PlainForm(sources, is_logged=is_logged))


class PageLinker(_FormLinker):
    """
    Writer of the page's form for a text that arrives in chunks, like `page_form`.

    *image* stands for each image.
    """

    def __init__(self, sources: Mapping[int, Source], *, image: str = IMAGE) -> None:
        super().__init__(PageForm(sources, image))


def closing(text: str) -> str:
    """Return what closes a stopped *text*, so that a paragraph can follow."""
    for ends in ("", *_fence(text), *_HTML_ENDS):
        written = f"\n{ends}" if ends else ""
        if _is_free(text + written):
            return written
    return ""


def _fence(text: str) -> list[str]:
    """Return the fence of the code block that the text ends in, if any."""
    tokens = _PARSER.parse(f"{text}\n\n{_PROBE}")
    return [t.markup for t in tokens if t.type == "fence" and _PROBE in t.content]


def _is_free(text: str) -> bool:
    """Tell whether words behind *text* are a paragraph of their own."""
    tokens = _PARSER.parse(f"{text}\n\n{_PROBE}")
    return any(token.content == _PROBE and token.level == 1 for token in tokens)
