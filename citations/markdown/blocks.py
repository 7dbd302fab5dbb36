"""Find the containers of a line and the block that its content goes to."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_letters
from typing import Final, Literal

from markdown_it.common.html_blocks import block_names

from citations.markdown.formulas import formula_at
from citations.markdown.patterns import HTML_ENDS, TAG, Undecided

_TAB: Final = 4
_END = re.compile(r"[\r\n]")
_MOST: Final = 100  # depth of containers; deeper ones are read as text
_CODE: Final = 4  # columns of indent
_LOWEST_HEADING: Final = 6
_SHORTEST: Final = 3  # fence or rule
_MOST_DIGITS: Final = 9

_FAR: Final = 2_000  # longer than any formula
# The sign of a formula that has lines of its own, or the beginning of one.
_FORMULA = re.compile(r"(?:(\$\$|\\\[)|[$\\])[ \t]*")

_HASHES = re.compile("#+")
_FENCE = re.compile("`+|~+")
_RULE = {sign: re.compile(rf"(?:{re.escape(sign)}[ \t]*)+") for sign in "-_*"}
_UNDERLINE = {"=": re.compile(r"=+[ \t]*"), "-": re.compile(r"-+[ \t]*")}
_DIGITS = re.compile("[0-9]{1,10}")
_DELIMITER_SIGNS = re.compile(r"[-:| \t]+")
_DELIMITERS = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
PIPE: Final = re.compile(r"(?<!\\)\|")

_HTML_NAMED = re.compile(rf"(?i:</?(?:{'|'.join(block_names)})(?=[ \t]|/?>|$))")
# The beginning of a block, and the sign that ends it in its last line.
_CODE_NAMES = "script|pre|style|textarea"
_HTML_UNTIL: Final = (
    (
        re.compile(rf"(?i:<(?:{_CODE_NAMES})(?=[ \t>]|$))"),
        re.compile(rf"(?i:</(?:{_CODE_NAMES})>)"),
    ),
    *((begin, re.compile(re.escape(end))) for begin, _, end in HTML_ENDS),
)
_HTML_CLOSING: Final = (">", "-->", "?>", "]]>", "</pre>")
_BLANK_LINE: Final = re.compile("(?!)")  # matches nothing: a blank line ends the block
_TAG_BEGINS: Final = frozenset(f"{ascii_letters}/!?")

Kind = Literal["paragraph", "heading", "table", "fence", "html", "indented"]


class Cursor:
    """A position in a line that may not be complete yet."""

    __slots__ = ("at", "column", "complete", "end", "open", "rest", "text")

    def __init__(self, text: str, at: int, *, complete: bool) -> None:
        match = _END.search(text, at)
        self.text = text
        self.at = at
        self.complete = complete
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
            column += _TAB - column % _TAB if self.text[at] == "\t" else 1
            at += 1
        if at == self.end and self.open:
            raise Undecided
        return column - self.column, at

    def skip(self, columns: int) -> None:
        """Move over *columns* of white space."""
        while columns > 0 and self.at < self.end and self.text[self.at] in " \t":
            tab = self.text[self.at] == "\t"
            width = (self.rest or _TAB - self.column % _TAB) if tab else 1
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


@dataclass(slots=True)
class Container:
    """A list item with the indent of its content, or a quote, which has none."""

    width: int
    empty: bool = False


@dataclass(slots=True)
class Leaf:
    """The block that the content of lines goes to."""

    kind: Kind
    fence: str = ""
    until: re.Pattern[str] | None = None
    line: str = ""  # the content of the last line
    formula: int = 0  # lines of a formula that follow: they begin no block

    @property
    def ends(self) -> bool:
        """Tell whether the block ends with its last line."""
        ends_html = self.until is not None and self.until.search(self.line)
        return self.kind == "heading" or bool(ends_html)

    @property
    def closing(self) -> str:
        """A line that ends code or HTML which no blank line ends."""
        if self.until is None or self.ends:
            return self.fence
        return next((end for end in _HTML_CLOSING if self.until.search(end)), "")


class Line:
    """A line, read until its containers and its block are known."""

    def __init__(
        self, cursor: Cursor, containers: Sequence[Container], leaf: Leaf | None
    ) -> None:
        self._cursor = cursor
        self.containers = list(containers)
        self.leaf = leaf
        self.continues = False  # the paragraph of the line before
        self.blank = False
        outer, matched = self.containers, self._matched()
        inside = matched == len(outer)
        if inside and self.leaf and self.leaf.kind in ("fence", "html"):
            self._verbatim(self.leaf)
        elif self._paragraph and self._paragraph.formula:
            self.continues = True
        else:
            self.containers = outer[:matched]
            if not inside and self._paragraph is None:
                self.leaf = None
            if self._begins(inside=inside):
                pass
            elif self._paragraph:
                self.containers = outer
                self.continues = True
            elif self.leaf is None or self.leaf.kind != "table":
                self.leaf = Leaf("paragraph")
        self.content = cursor.indent()[1]
        if self._paragraph and not self.blank:
            # This comes last, so that a line which waits for more counts once.
            more = self._paragraph.formula
            self._paragraph.formula = more - 1 if more else self._formula()

    @property
    def indent(self) -> str | None:
        """The signs that begin another line of the paragraph; None outside of one."""
        signs = (" " * one.width or "> " for one in self.containers)
        return "".join(signs) if self._paragraph else None

    @property
    def _paragraph(self) -> Leaf | None:
        return self.leaf if self.leaf and self.leaf.kind == "paragraph" else None

    def _formula(self) -> int:
        """Return how many lines a formula has behind this one, which is its sign."""
        cursor = self._cursor
        text = cursor.text[self.content : self.content + _FAR]
        is_sign = _FORMULA.fullmatch(text, 0, cursor.end - self.content)
        if is_sign is None:
            return 0
        is_all = cursor.complete or len(text) == _FAR
        if cursor.open:
            raise Undecided
        formula = formula_at(text, 0, complete=is_all) if is_sign[1] else None
        return text.count("\n", 0, formula.end) if formula else 0

    def _begins(self, *, inside: bool) -> bool:
        """Open the containers and the block that begin here; False without a block."""
        while True:
            width, start = self._cursor.indent()
            if start == self._cursor.end:
                self.blank = True
                if self.leaf and self.leaf.kind != "indented":
                    self.leaf = None
                return True
            if width >= _CODE:
                if self._paragraph:
                    return False
                self.leaf = Leaf("indented")
                return True
            direct = self._paragraph if inside else None
            if self._leaf_begins(start, direct):
                return True
            if not self._container_begins(width, start, direct=direct is not None):
                return False
            self.leaf = None

    def _matched(self) -> int:
        """Count the containers that go on in this line."""
        cursor = self._cursor
        for index, container in enumerate(self.containers):
            width, start = cursor.indent()
            blank = start == cursor.end
            if not container.width:
                if width >= _CODE or blank or cursor.text[start] != ">":
                    return index
                cursor.go(width, start + 1)
                self._space()
            elif blank:
                if container.empty:
                    return index
                cursor.go(width, start)
            elif width >= container.width:
                cursor.skip(container.width)
            else:
                return index
        return len(self.containers)

    def _space(self) -> None:
        if self._cursor.char(self._cursor.at) in (" ", "\t"):
            self._cursor.skip(1)

    def _verbatim(self, leaf: Leaf) -> None:
        """Read a line of code or HTML, which may end the block."""
        cursor = self._cursor
        width, start = cursor.indent()
        self.blank = start == cursor.end
        if leaf.kind == "html":
            if self.blank and leaf.until is _BLANK_LINE:
                self.leaf = None
            return
        if width >= _CODE or self.blank or cursor.text[start] != leaf.fence[0]:
            return
        run = cursor.run(_FENCE, start)
        if run and len(run[0]) >= len(leaf.fence):
            cursor.go(width, run.end())
            if cursor.indent()[1] == cursor.end:
                self.leaf = None

    def _leaf_begins(self, start: int, direct: Leaf | None) -> bool:
        """Read a block that begins here; *direct* is the paragraph just before it."""
        cursor = self._cursor
        sign = cursor.text[start]
        if direct and self._ends_paragraph(direct, sign, start):
            return True
        leaf: Leaf | None = None
        if sign == "#":
            run = cursor.run(_HASHES, start)
            if run and len(run[0]) <= _LOWEST_HEADING:
                is_heading = cursor.char(run.end()) in (" ", "\t", "")
                leaf = Leaf("heading") if is_heading else None
        elif sign in "`~":
            run = cursor.run(_FENCE, start)
            if run and len(run[0]) >= _SHORTEST:
                behind = cursor.text[run.end() : cursor.end] if sign == "`" else ""
                if "`" not in behind:  # which makes it code in a line
                    leaf = Leaf("fence", fence=run[0])
                if leaf and sign == "`":
                    cursor.line(start)  # the rest may have one
        elif sign == "<" and cursor.char(start + 1) in _TAG_BEGINS:
            after_paragraph = self._paragraph is not None
            until = _html_block(cursor.line(start), after_paragraph=after_paragraph)
            leaf = Leaf("html", until=until) if until else None
        elif sign in _RULE:
            run = cursor.run(_RULE[sign], start)
            if run and run.end() == cursor.end and run[0].count(sign) >= _SHORTEST:
                self.leaf = None
                return True
        self.leaf = leaf or self.leaf
        return leaf is not None

    def _ends_paragraph(self, leaf: Leaf, sign: str, start: int) -> bool:
        """Read an underline, which makes a heading, or a delimiter row of a table."""
        cursor = self._cursor
        if sign in _UNDERLINE:
            run = cursor.run(_UNDERLINE[sign], start)
            if run and run.end() == cursor.end:
                self.leaf = None
                return True
        if sign in "|:-":
            run = cursor.run(_DELIMITER_SIGNS, start)
            is_row = run and run.end() == cursor.end and _DELIMITERS.fullmatch(run[0])
            if run and is_row and "|" in leaf.line:
                if _columns(leaf.line) != _columns(run[0]):
                    return False
                self.leaf = Leaf("table")
                cursor.at = cursor.end
                return True
        return False

    def _container_begins(self, width: int, start: int, *, direct: bool) -> bool:
        """Open a quote or a list item; *direct* is one right behind a paragraph."""
        cursor = self._cursor
        sign = cursor.text[start]
        if len(self.containers) >= _MOST:
            return False
        if sign == ">":
            cursor.go(width, start + 1)
            self._space()
            self.containers.append(Container(0))
            return True
        end = self._list_marker(sign, start)
        if end is None:
            return False
        at, column, rest = cursor.at, cursor.column, cursor.rest
        cursor.go(width, end)
        padding, content = cursor.indent()
        empty = content == cursor.end
        # Only a list that begins with 1 interrupts a paragraph.
        first = sign in "-+*" or cursor.text[start : end - 1].lstrip("0") == "1"
        if direct and (empty or not first):
            cursor.at, cursor.column, cursor.rest = at, column, rest
            return False
        columns = 1 if empty or padding > _CODE else padding
        cursor.skip(columns)
        self.containers.append(Container(width + end - start + columns, empty))
        return True

    def _list_marker(self, sign: str, start: int) -> int | None:
        """Return the end of the list marker at *start*; None if there is none."""
        cursor = self._cursor
        end = start + 1
        if sign not in "-+*":
            run = cursor.run(_DIGITS, start) if sign in "0123456789" else None
            if run is None or len(run[0]) > _MOST_DIGITS:
                return None
            end = run.end() + 1
            if cursor.char(run.end()) not in (".", ")"):
                return None
        return end if cursor.char(end) in (" ", "\t", "") else None


def _columns(row: str) -> int:
    """Count the cells of a table's row."""
    row = row.strip().removeprefix("|")
    if row.endswith("|") and not row.endswith("\\|"):
        row = row[:-1]
    return len(PIPE.findall(row)) + 1


def _html_block(line: str, *, after_paragraph: bool) -> re.Pattern[str] | None:
    """Return the pattern that ends the block that *line*, without indent, begins."""
    for begin, end in _HTML_UNTIL:
        if begin.match(line):
            return end
    if _HTML_NAMED.match(line):
        return _BLANK_LINE
    tag = None if after_paragraph else TAG.match(line)
    return _BLANK_LINE if tag and not line[tag.end() :].strip(" \t") else None
