"""Hold back pieces of a block until an open bracket or a formula is decided."""

from dataclasses import dataclass
from typing import Final

# A piece as it is shown, and as it is shown inside a link, where no link may be.
Piece = tuple[str, str]

BRACKET_MATH: Final = {"(": r"\)", "[": r"\]"}


@dataclass(slots=True)
class Opener:
    """An opening bracket that is not closed yet, and its index among the pieces."""

    piece: int
    image: bool
    before: str  # the character in front of it
    nested: bool = False


class Pieces:
    """Pieces in order; those behind an open bracket are held."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._held: list[Piece] = []
        self._markers: list[int] = []  # indices of held pieces that are markers
        self._openers: list[Opener] = []
        self._dead = 0  # openers below can't begin a link any more
        self._live = 0  # openers that can begin a link or an image
        self._images = 0
        self.math: str | None = None  # the sign that ends the formula
        self._math_from = 0

    def put(self, piece: Piece, *, marker: bool = False) -> None:
        """Add *piece*."""
        if not (self._live or self.math):
            self._flush()
            self._out.append(piece[0])
            return
        if marker:
            self._markers.append(len(self._held))
        self._held.append(piece)

    def take(self) -> str:
        """Return the pieces that are no longer held."""
        if not self._out:
            return ""
        out = "".join(self._out)
        self._out.clear()
        return out

    def take_all(self) -> str:
        """Return all pieces at the end of a block, where open brackets stay open."""
        self._flush()
        return self.take()

    @property
    def inert(self) -> str:
        """The held text in its form inside a link."""
        return "".join(self._out) + "".join(inert for _, inert in self._held)

    # Brackets

    @property
    def innermost(self) -> Opener | None:
        """The bracket that the next `]` closes, if any."""
        return self._openers[-1] if self._openers else None

    @property
    def can_link(self) -> bool:
        """True where the innermost bracket may begin a link or an image."""
        return len(self._openers) > self._dead or self._openers[-1].image

    def open(self, piece: Piece, *, image: bool, before: str) -> None:
        """Add an opening bracket."""
        self.nest()
        if not (self._live or self.math):
            self._flush()
        self._live += 1
        self._images += image
        self._openers.append(Opener(len(self._held), image, before))
        self._held.append(piece)

    def nest(self) -> None:
        """Note that the innermost bracket holds another."""
        if self._openers:
            self._openers[-1].nested = True

    def shut(self) -> Opener:
        """Close the innermost bracket, which is no link."""
        opener = self._openers.pop()
        alive = opener.image or len(self._openers) >= self._dead
        self._live -= alive
        self._images -= opener.image
        self._dead = min(self._dead, len(self._openers))
        return opener

    def inner(self) -> tuple[str, Piece]:
        """Return the sign of the innermost bracket and the words inside."""
        first, *inner = self._held[self._openers[-1].piece :]
        live = "".join(live for live, _ in inner)
        return first[1], (live, "".join(inert for _, inert in inner))

    def join(self) -> None:
        """Remove the innermost bracket and its content; one piece will replace them."""
        opener = self.shut()
        del self._held[opener.piece :]
        while self._markers and self._markers[-1] >= opener.piece:
            self._markers.pop()
        if self.math and self._math_from > opener.piece:
            self.drop_math()

    def forbid_links(self) -> None:
        """Note a link: links can't be nested, so no open bracket begins another."""
        self._dead = len(self._openers)
        self._live = self._images

    def unlink(self, opener: Opener) -> None:
        """Unlink the markers inside *opener*."""
        self._unlink_from(opener.piece)

    # Formulas

    def begin_math(self, closer: str) -> None:
        """Begin a formula that *closer* ends; one in brackets gives way to others."""
        if self.math in (None, BRACKET_MATH["["]):
            if not (self._live or self.math):
                self._flush()
            self.math = closer
            self._math_from = len(self._held)

    def end_math(self) -> None:
        """End a formula and unlink the markers inside."""
        self._unlink_from(self._math_from)
        self.math = None

    def drop_math(self) -> None:
        """Treat an unfinished formula as text: its markers stay links."""
        self.math = None

    def _unlink_from(self, begin: int) -> None:
        while self._markers and self._markers[-1] >= begin:
            marker = self._markers.pop()
            inert = self._held[marker][1]
            self._held[marker] = (inert, inert)

    def _flush(self) -> None:
        if self._held:
            self._out += [live for live, _ in self._held]
            self._held.clear()
            self._markers.clear()
