"""Inline constructs other than brackets: escapes, code, HTML, formulas."""

from bisect import bisect_left

from citations.inline import patterns as p
from citations.inline.addresses import Addresses
from citations.inline.cells import cells
from citations.inline.pieces import BRACKET_MATH


class Signs(Addresses):
    """Signs that stand for themselves, or begin code, HTML or a formula."""

    def _clear(self) -> None:
        super()._clear()
        self._runs: dict[int, list[int]] | None = None
        self._missing: set[str] = set()

    def _inert(self, end: int) -> bool:
        return self._put(self._form.inert(self._raw[self._at : end]), end)

    def _backslash(self, at: int) -> bool:
        after = self._next(at + 1)
        if after is None:
            return False
        if self._form.page and after in ("h", "H"):
            # An address may follow, and its `<` must not be escaped.
            return self._put((r"\\", r"\\"), at + 1)
        if p.ESCAPE.match(self._clean, at):
            return self._escape(at, after)
        self._bare_slash = self._base + at + 1
        return self._text(at + (2 if after in ("\u3010", "\uff3b") else 1))

    def _escape(self, at: int, after: str) -> bool:
        """A sign with a backslash: the sign of a formula, or nothing but itself."""
        pieces = self._pieces
        if self._form.page and after == ":":
            slashed = self._slashes(at)
            if slashed is not None:
                return slashed
        if self._form.page and after == "@":
            return self._mail_host(at)
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
        source = self._raw[at:close]
        if self._form.page and "|" in source:
            # In the first row of a table a `|` would end the code, and a link begin.
            last = not 0 <= self._clean.find("\n", close) < len(self._clean) - 1
            if last and not self._complete:
                return False
            if last and self._before_table:
                source = cells(source)
        return self._put(self._form.code(source), close)

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
        if end is None:
            return False
        if end > at + 1 and self._form.hides(self._raw[at:end]):
            return self._put((r"\<", r"\<"), at + 1)
        return self._text(end)

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
