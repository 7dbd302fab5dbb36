"""Bare addresses, and what a page would read as one."""

from html import unescape
from typing import Final

from citations.inline import patterns as p
from citations.inline.pieces import Piece
from citations.inline.window import Window
from citations.page_form import Plain

_TRAILING: Final = "!?.,:;*_~'&$"  # of a sentence, not of an address


class Addresses(Window):
    """
    Each method reads what begins at a place.

    It is false where more text is needed for that. What was decided stays decided:
    more text never changes it.
    """

    def __init__(self, form: Plain) -> None:
        self._form = form
        super().__init__()

    def _clear(self) -> None:
        super()._clear()
        self._url_end = -1
        self._defining = True  # nothing but definitions so far
        self._code_until = -1  # where the last code ended, ours or the model's
        self._bare_slash = -1  # behind a backslash that escapes nothing

    def _put(self, piece: Piece, end: int, *, marker: bool = False) -> bool:
        self._defining = False
        if not self._pieces.held:
            self._held_from = self._base + self._at
        self._pieces.put(self._apart(piece), marker=marker)
        self._at = end
        if piece[0].endswith("`"):
            self._code_until = self._base + end
        return True

    def _apart(self, piece: Piece) -> Piece:
        """No sign before *piece* changes it: a backslash, or the end of other code."""
        here = self._base + self._at
        if here == self._bare_slash and piece[0].startswith(("`", "<")):
            return ("\\" + piece[0], piece[1])
        if here == self._code_until and piece[0].startswith("`"):
            return (" " + piece[0], piece[1])
        return piece

    def _text(self, end: int) -> bool:
        """Plain words up to *end*."""
        text = self._raw[self._at : end]
        defining = self._defining and not self._clean[self._at : end].strip()
        if self._pieces.math == "$" and ("\n" in text or p.HAN.search(text)):
            self._pieces.drop_math()
        self._put((text, text), end)
        self._defining = defining
        return True

    def _entity(self, at: int) -> bool:
        """Stays, or is shown as it is typed where an address could hide in it."""
        match = p.ENTITY.match(self._clean, at)
        if match is None:
            maybe = not self._complete and p.MAYBE_ENTITY.match(self._clean, at)
            return not maybe and self._text(at + 1)
        if p.ADDRESS_SIGN.search(unescape(match[0])):
            return self._put(("&amp;", "&amp;"), at + 1)
        return self._text(match.end())

    def _mail_host(self, at: int) -> bool:
        """An `@` behind no short name; a page would make a link of name and host."""
        end = at + 1 + (self._clean[at] == "\\")
        host = self._host(end)
        if host is None:
            return False
        if host and self._before(at) in p.MAIL_SIGNS:
            return self._other_address(at, end)
        return self._text(end)

    def _host(self, at: int) -> bool | None:
        """Whether a host may begin here, with a backslash or without."""
        after = self._next(at)
        if after == "\\":
            after = self._next(at + 1)
            return None if after is None else after in ("-", "_")
        return None if after is None else after in p.HOST_SIGNS

    def _colon(self, at: int) -> bool:
        if self._form.page:
            return self._page_colon(at)
        after, then = self._next(at + 1), self._next(at + 2)
        if after is None or (after == "/" and then is None):
            return False
        if after == "/" and then == "/" and self._before(at).isalnum():
            return self._other_address(at, at)
        return self._text(at + 1)

    def _page_colon(self, at: int) -> bool:
        """The same, where `:name` must not be a directive."""
        slashed = self._slashes(at)
        if slashed is not None:
            return slashed
        after = self._next(at + 1) or ""
        if after.isascii() and after.isalpha():
            return self._put((r"\:", r"\:"), at + 1)
        return self._text(at + 1)

    def _slashes(self, at: int) -> bool | None:
        """A `://`, each sign with a backslash or without; None where there is none."""
        if match := p.SLASHES.match(self._clean, at):
            known = self._before(at).isalnum()
            return self._other_address(at, match.end()) if known else None
        waits = not self._complete and p.MAYBE_SLASHES.match(self._clean, at)
        return False if waits else None

    def _address(self, at: int) -> bool:
        clean = self._clean
        match = p.WEB.match(clean, at)
        if match is None:
            return self._name(at)
        end = p.address_end(clean, match.end())
        if end == len(clean) and not self._complete:
            return False
        # Nothing may be linked right behind an address, unless the page ends it.
        self._url_end = self._base + end
        end = at + len(clean[at:end].rstrip(_TRAILING))
        if end <= match.end():
            if self._form.page:
                return self._other_address(at, match.end())
            return self._text(match.end())
        if self._form.page:
            self._url_end = -1
        return self._put(self._form.url(self._raw[at:end]), end)

    def _name(self, at: int) -> bool:
        """`www.`, or a name with an `@`; otherwise the end of the text so far."""
        clean = self._clean
        pattern = p.PAGE_WWW if self._form.page else p.WWW
        if match := pattern.match(clean, at):
            return self._other_address(at, match.end() if self._form.page else at)
        if self._form.page and (match := p.MAIL.match(clean, at)):
            host = self._host(match.end())
            if host:
                return self._other_address(at, match.end())
            return host is not None and self._text(match.end())
        return self._complete and self._text(len(clean))

    def _other_address(self, at: int, host: int) -> bool:
        """An address that is not http(s): it stays as it is, or becomes code."""
        end = p.address_end(self._clean, host, words=self._form.page)
        if end == len(self._clean) and not self._complete:
            return False
        # A `!` is left out: in front of a link it would make an image.
        trimmed = at + max(len(self._clean[at:end].rstrip(_TRAILING)), 1)
        self._url_end = -1 if self._form.page else self._base + end
        if self._form.page:
            trimmed = max(trimmed, host)
        return self._put(self._form.other_address(self._raw[at:trimmed]), trimmed)
