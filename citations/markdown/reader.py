"""Follow the blocks of a Markdown text; the inline reader gets their content only."""

import re
from typing import Final

from citations.markdown.blocks import PIPE, Container, Cursor, Leaf, Line
from citations.markdown.inline import Inline
from citations.markdown.patterns import Undecided

# What is still open is read again when it has grown by a 16th, so that reading takes
# linear time however small the chunks are.
_GROWTH: Final = 4
_OF_BLOCK: Final = 10  # and a long block when it has grown by a thousandth

_END = re.compile(r"\r\n?|\n")


class Reader:
    """Reader of the blocks of a text, line by line."""

    def __init__(self, inline: Inline) -> None:
        self._inline = inline
        self._text = ""
        self._passed = 0  # the length of the text before
        self._at = 0
        self._out: list[str] = []
        self._more: list[str] = []
        self._grown = self._stuck = 0
        self._in_line = False
        self._containers: list[Container] = []
        self._leaf: Leaf | None = None

    def feed(self, chunk: str) -> str:
        """Read *chunk* and return the decided text."""
        self._more.append(chunk)
        self._grown += len(chunk)
        least = max(self._stuck >> _GROWTH, self._inline.size >> _OF_BLOCK)
        if self._grown <= least:
            return ""
        self._read(complete=False)
        self._out.append(self._inline.read())
        self._stuck = max(len(self._text) - self._at, self._inline.stuck)
        return self.taken()

    def close(self) -> str:
        """End the text and return the rest."""
        self._read(complete=True)
        self._out.append(self._inline.finish())
        return self.taken()

    def taken(self) -> str:
        """Return the output that was not returned yet; after an error there is some."""
        out = "".join(self._out) + self._inline.taken()
        self._out.clear()
        return out

    @property
    def closing(self) -> str:
        """The end of the code or HTML that is still open; '' where none is."""
        # Outside of a container, a paragraph that follows ends all else.
        end = self._leaf.closing if self._leaf and not self._containers else ""
        return f"\n{end}" if end else ""

    @property
    def rest(self) -> str:
        """The text that was read and is not decided."""
        return self._inline.rest + self._text[self._at :] + "".join(self._more)

    def _read(self, *, complete: bool) -> None:
        self._passed += self._at
        self._text = self._text[self._at :] + "".join(self._more)
        self._at = self._grown = 0
        self._more.clear()
        while self._at < len(self._text):
            if not self._in_line:
                cursor = Cursor(self._text, self._at, complete=complete)
                try:
                    line = Line(cursor, self._containers, self._leaf)
                except Undecided:
                    return
                prefix = self._text[self._at : line.content]
                if line.continues:
                    self._add(prefix, " " * len(prefix))
                else:
                    table = line.leaf is not None and line.leaf.kind == "table"
                    self._out += self._inline.finish(table=table), prefix
                    self._inline.indent = line.indent
                self._at = line.content
                self._inline.line()
                if not line.blank:
                    for container in line.containers:
                        container.empty = False
                self._containers, self._leaf = line.containers, line.leaf
                if self._leaf:
                    self._leaf.line = ""
                self._in_line = True
            self._pass(complete)
            if self._in_line:
                return

    def _pass(self, complete: bool) -> None:
        """Pass on the content of a line, and its end; code and HTML stay."""
        match = _END.search(self._text, self._at)
        end = match.start() if match else len(self._text)
        leaf, text = self._leaf, self._text[self._at : end]
        if leaf:
            leaf.line += text
        if leaf is None or leaf.kind in ("fence", "indented", "html"):
            self._out.append(text)
        else:
            # No link or code reaches from a cell of a table into the next.
            shift = end - len(leaf.line)  # from a place in the row to one in the text
            is_row = leaf.kind == "table"
            for pipe in PIPE.finditer(leaf.line, self._at - shift) if is_row else ():
                place = pipe.start() + shift
                self._add(self._text[self._at : place])
                self._at = place
                self._out += self._inline.finish(), "|"
                self._at = place + 1
            self._add(self._text[self._at : end])
        self._at = end
        if match is None or (
            match[0] == "\r" and match.end() == len(self._text) and not complete
        ):
            return
        self._in_line = False
        if leaf and leaf.kind == "paragraph":
            self._add(match[0], "\n".rjust(len(match[0])))
        else:
            self._out += self._inline.finish(), match[0]
        self._at = match.end()
        if leaf and leaf.ends:
            self._leaf = None

    def _add(self, raw: str, clean: str | None = None) -> None:
        self._inline.add(self._passed + self._at, raw, clean)
