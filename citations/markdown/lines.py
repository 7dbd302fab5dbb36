"""Read the beginning of a line, column by column."""

import re
from typing import Final

TAB: Final = 4

_END = re.compile(r"[\r\n]")


class Undecided(Exception):  # a signal to wait, not an error
    """More of the line is needed."""


class Cursor:
    """A position in a line that may not be complete yet."""

    __slots__ = ("at", "column", "end", "open", "rest", "text")

    def __init__(self, text: str, at: int, *, complete: bool) -> None:
        match = _END.search(text, at)
        self.text = text
        self.at = at
        self.end = match.start() if match else len(text)
        self.open = match is None and not complete
        self.column = 0
        self.rest = 0  # columns of a tab that are not used yet

    def char(self, at: int) -> str:
        """Return the character at *at*, '' at the line's end."""
        if at < self.end:
            return self.text[at]
        if self.open:
            raise Undecided
        return ""

    def indent(self) -> tuple[int, int]:
        """Return the columns of white space here, and its end."""
        at, column = self.at, self.column
        if self.rest:
            at += 1
            column += self.rest
        while at < self.end and self.text[at] in " \t":
            column += TAB - column % TAB if self.text[at] == "\t" else 1
            at += 1
        if at == self.end and self.open:
            raise Undecided
        return column - self.column, at

    def skip(self, columns: int) -> None:
        """Move over *columns* of white space."""
        while columns > 0 and self.at < self.end and self.text[self.at] in " \t":
            tab = self.text[self.at] == "\t"
            width = (self.rest or TAB - self.column % TAB) if tab else 1
            used = min(width, columns)
            self.column += used
            columns -= used
            self.rest = width - used
            if not self.rest:
                self.at += 1

    def go(self, columns: int, to: int) -> None:
        """Move over *columns* of white space, then to a character on this line."""
        self.skip(columns)
        self.column += to - self.at
        self.at = to

    def run(self, pattern: re.Pattern[str], at: int) -> re.Match[str] | None:
        """Match at *at*, where more text would not lengthen the match."""
        match = pattern.match(self.text, at, self.end)
        if match and match.end() == self.end and self.open:
            raise Undecided
        return match

    def line(self, at: int) -> str:
        """Return the whole line from *at*."""
        if self.open:
            raise Undecided
        return self.text[at : self.end]
