"""The part of a block that is being read."""

from typing import Final

from citations.inline.pieces import Pieces
from citations.markers import REACH

_KEPT: Final = 4 * REACH
# A construct that is still open is looked at again when it has grown by a 16th, so
# that reading takes linear time however small the chunks are.
_GROWTH: Final = 4


class Window:
    """
    Text that arrives, the place in it, and some of what was before.

    There are two texts of one length: as it is, and with spaces in place of what is
    no content (the `> ` of a quote).
    """

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._raw = self._clean = ""
        self._base = self._at = self._held_from = 0
        self._more: list[tuple[str, str]] = []
        self._grown = self._stuck = 0
        self._complete = self._before_table = False
        self._lines: set[int] = set()  # where the content of lines begins
        self._pieces = Pieces()

    @property
    def rest(self) -> str:
        """What was read, and is not decided."""
        more = "".join(raw for raw, _ in self._more)
        return self._pieces.inert + self._raw[self._at :] + more

    @property
    def waiting(self) -> int:
        """How many characters were read, and are not decided."""
        begin = self._held_from if self._pieces.held else self._base + self._at
        return self._base + len(self._clean) + self._grown - begin

    def line(self) -> None:
        """Say that a line's content begins here."""
        self._lines.add(self._base + len(self._clean) + self._grown)

    def _add(self, raw: str, clean: str) -> bool:
        """Keep more text; whether it is time to read."""
        self._more.append((raw, clean))
        self._grown += len(raw)
        return self._grown > self._stuck >> _GROWTH

    def _take(self) -> None:
        if self._at > _KEPT:
            drop = self._at - REACH
            self._raw, self._clean = self._raw[drop:], self._clean[drop:]
            self._base += drop
            self._at = REACH
        for raw, clean in self._more[:1]:
            self._raw += raw
            self._clean += clean
        if len(self._more) > 1:
            self._raw += "".join([raw for raw, _ in self._more[1:]])
            self._clean += "".join([clean for _, clean in self._more[1:]])
        self._more.clear()
        self._grown = 0

    def _next(self, at: int) -> str | None:
        """The character at *at*, "" at the block's end, None where it is to come."""
        if at < len(self._clean):
            return self._clean[at]
        return "" if self._complete else None

    def _before(self, at: int) -> str:
        return self._clean[at - 1] if at else ""

    def _begins_line(self, at: int) -> bool:
        return self._base + at in self._lines
