"""Inline constructs other than brackets: escapes, code, HTML, addresses, formulas."""

from bisect import bisect_left

from citations import patterns as p
from citations.forms import Plain
from citations.pieces import BRACKET_MATH, Piece
from citations.window import Window

_TRAILING = "!?.,:;*_~'&$"  # of a sentence, not of an address


class Signs(Window):
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
        self._runs: dict[int, list[int]] | None = None
        self._missing: set[str] = set()
        self._url_end = -1
        self._defining = True  # nothing but definitions so far

    def _put(self, piece: Piece, end: int, *, marker: bool = False) -> bool:
        self._defining = False
        if not self._pieces.held:
            self._held_from = self._base + self._at
        self._pieces.put(piece, marker=marker)
        self._at = end
        return True

    def _inert(self, end: int) -> bool:
        return self._put(self._form.inert(self._raw[self._at : end]), end)

    def _text(self, end: int) -> bool:
        """Plain words up to *end*."""
        text = self._raw[self._at : end]
        defining = self._defining and not self._clean[self._at : end].strip()
        if self._pieces.math == "$" and ("\n" in text or p.HAN.search(text)):
            self._pieces.drop_math()
        self._put((text, text), end)
        self._defining = defining
        return True

    def _backslash(self, at: int) -> bool:
        after = self._next(at + 1)
        if after is None:
            return False
        pieces = self._pieces
        if self._form.page and after in ("h", "H"):
            # An address may follow, and its `<` must not be escaped.
            return self._put((r"\\", r"\\"), at + 1)
        if not p.ESCAPE.match(self._clean, at):
            return self._text(at + (2 if after in ("\u3010", "\uff3b") else 1))
        if pieces.math == "\\" + after:
            pieces.end_math()
        elif after in BRACKET_MATH:
            if not self._complete and p.MAYBE_ESCAPED_MARKER.match(self._clean, at):
                return False
            if escaped := p.ESCAPED_MARKER.match(self._clean, at):
                text = self._raw[at : escaped.end()]
                return self._put((text, text), escaped.end())
            pieces.begin_math(BRACKET_MATH[after])
        text = self._raw[at : at + 2]
        return self._put((text, text), at + 2)

    def _code(self, at: int) -> bool:
        run = p.RUN.match(self._clean, at)
        end = run.end() if run else at + 1
        close = self._closing_run(at, end)
        if close < 0:
            alone = self._form.backticks(self._raw[at:end])
            return self._complete and self._put(alone, end)
        return self._put(self._form.code(self._raw[at:close]), close)

    def _closing_run(self, at: int, end: int) -> int:
        size, last = end - at, len(self._clean)
        if not self._complete:
            for match in p.RUN.finditer(self._clean, end):
                if match.end() - match.start() == size and match.end() < last:
                    return match.end()
            return -1
        if self._runs is None:
            self._runs = {}
            for match in p.RUN.finditer(self._clean, at):
                length = match.end() - match.start()
                self._runs.setdefault(length, []).append(match.start())
        starts = self._runs.get(size, [])
        index = bisect_left(starts, end)
        return starts[index] + size if index < len(starts) else -1

    def _angle(self, at: int) -> bool:
        if match := p.AUTOLINK.match(self._clean, at):
            source = self._raw[at : match.end()]
            if piece := self._form.autolink(match[1], source):
                return self._put(piece, match.end())
            return self._put((r"\<", r"\<"), at + 1)
        end = self._html_end(at)
        return end is not None and self._text(end)

    def _html_end(self, at: int) -> int | None:
        """Where the tag or comment at *at* ends; after `<` where there is none."""
        clean = self._clean
        for pattern in (p.TAG, p.SHORT_COMMENT):
            if match := pattern.match(clean, at):
                return match.end()
        for begin, least, ending in p.HTML_ENDS:
            if clean.startswith(begin, at):
                return self._ending(ending, at, least)
        if p.DECLARATION.match(clean, at):
            return self._ending(">", at, 3)
        if not self._complete and p.MAYBE_ANGLE.match(clean, at):
            return None
        return at + 1

    def _ending(self, ending: str, at: int, least: int) -> int | None:
        end = -1 if ending in self._missing else self._clean.find(ending, at + least)
        if end >= 0:
            return end + len(ending)
        if not self._complete:
            return None
        self._missing.add(ending)
        return at + 1

    def _colon(self, at: int) -> bool:
        after, then = self._next(at + 1), self._next(at + 2)
        if after is None or (after == "/" and then is None):
            return False
        if after == "/" and then == "/" and self._before(at).isalnum():
            return self._other_address(at)
        if self._form.page and after.isascii() and after.isalpha():
            return self._put((r"\:", r"\:"), at + 1)
        return self._text(at + 1)

    def _address(self, at: int) -> bool:
        clean = self._clean
        match = p.WEB.match(clean, at)
        if match is None:
            if not p.WWW.match(clean, at):
                return self._complete and self._text(len(clean))
            return self._other_address(at)
        end = p.address_end(clean, match.end())
        if end == len(clean) and not self._complete:
            return False
        # Nothing may be linked right behind an address, unless the page ends it.
        self._url_end = self._base + end
        end = at + len(clean[at:end].rstrip(_TRAILING))
        if end <= match.end():
            return self._text(match.end())
        if self._form.page:
            self._url_end = -1
        return self._put(self._form.url(self._raw[at:end]), end)

    def _other_address(self, at: int) -> bool:
        """An address that is not http(s): it stays as it is."""
        end = p.address_end(self._clean, at, words=self._form.page)
        if end == len(self._clean) and not self._complete:
            return False
        # A `!` is left out: in front of a link it would make an image.
        trimmed = at + max(len(self._clean[at:end].rstrip(_TRAILING)), 1)
        self._url_end = -1 if self._form.page else self._base + end
        end = trimmed
        return self._put(self._form.other_address(self._raw[at:end]), end)

    def _dollar(self, at: int) -> bool:
        after = self._next(at + 1)
        if after is None:
            return False
        pieces = self._pieces
        sign = "$$" if after == "$" else "$"
        if pieces.math == sign:
            if sign == "$$" or not (self._before(at).isspace() or after.isdigit()):
                pieces.end_math()
        elif pieces.math in (None, BRACKET_MATH["["]):
            begins = sign == "$$" or self._begins_math(at, after)
            if begins is None:
                return False
            if begins:
                pieces.begin_math(sign)
        return self._text(at + len(sign))

    def _begins_math(self, at: int, after: str) -> bool | None:
        if not after or after.isspace() or self._before(at).isalnum():
            return False
        if not self._complete and p.MAYBE_CURRENCY.match(self._clean, at):
            return None
        return not p.CURRENCY.match(self._clean, at)
