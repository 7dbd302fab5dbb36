"""Read the words of one block after the other, as they arrive."""

from collections.abc import Callable
from typing import Final

from citations.inline import patterns as p
from citations.inline.brackets import Brackets

_READERS: Final = {
    "[": "_open",
    "]": "_close",
    "\u3010": "_wide",
    "\uff3b": "_wide",
    "!": "_bang",
    "\\": "_backslash",
    "`": "_code",
    "<": "_angle",
    ":": "_colon",
    "$": "_dollar",
    "&": "_entity",
    "@": "_mail_host",
}


class Inline(Brackets):
    """
    The inline constructs of a block.

    What is decided goes out at once; what is not is held: an open bracket, code or
    tag until it closes, at most until the block ends. Each decision depends on the
    text alone, never on how it was cut.
    """

    def feed(self, raw: str, clean: str | None = None) -> str:
        """Read more of the block; *clean* has spaces for what is no content."""
        if not self._add(raw, raw if clean is None else clean):
            return ""
        self._take()
        return self._scan(complete=False)

    def finish(self, *, table: bool = False) -> str:
        """End the block; before a *table* its last line is the table's first row."""
        self._before_table = table
        if self._clean or self._more:
            self._take()
            out = self._scan(complete=True) + self._pieces.take_all()
            self._clear()
            return out
        return ""

    def _scan(self, *, complete: bool) -> str:
        self._complete = complete
        clean, size = self._clean, len(self._clean)
        stuck = False
        special = p.SPECIAL
        if self._form.page:
            special = p.PAGE_SPECIAL_AT_END if complete else p.PAGE_SPECIAL
        while self._at < size and not stuck:
            match = special.search(clean, self._at)
            start = match.start() if match else size
            if start > self._at:
                self._text(start)
            if match:
                stuck = not self._construct(clean[start], start)
        self._stuck = size - self._at if stuck else 0
        return self._pieces.take()

    def _construct(self, char: str, at: int) -> bool:
        """Read what begins at *at*; false where more text is needed for that."""
        if self._guarded and not (char == "[" and self._begins_line(at)):
            return self._text(at + 1)
        reader: Callable[[int], bool] = getattr(self, _READERS.get(char, "_address"))
        return reader(at)
