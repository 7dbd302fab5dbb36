"""Follow the blocks of a Markdown text; the inline reader gets their content only."""

import re
from typing import Final

from citations.inline.inline import Inline
from citations.markdown.blocks import Container, Cursor, Leaf, Line, Undecided

# An undecided beginning is read again only when it has grown by a 16th.
_GROWTH: Final = 4
_ENDED: Final = "ended"

_END = re.compile(r"\r\n?|\n")


class Reader:
    """Reader of the blocks of a text, line by line."""

    def __init__(self, inline: Inline) -> None:
        self._inline = inline
        self._text = ""
        self._at = 0
        self._out: list[str] = []
        self._more: list[str] = []
        self._grown = self._stuck = 0
        self._in_line = False
        self._containers: list[Container] = []
        self._leaf: Leaf | None = None
        self._tail = ""

    def feed(self, chunk: str) -> str:
        """Read *chunk* and return the decided text."""
        if self._flows() and "\n" not in chunk and "\r" not in chunk:
            self._content(chunk)
            return self._taken()
        self._more.append(chunk)
        self._grown += len(chunk)
        if self._grown <= self._stuck >> _GROWTH:
            return ""
        return self._run(complete=False)

    def close(self) -> str:
        """End the text and return the rest."""
        return self._run(complete=True) + self._inline.finish()

    def salvage(self) -> tuple[str, str]:
        """Return, after an error, the output not yet returned, and the unread text."""
        more = "".join(self._more)
        return "".join(self._out), self._inline.rest + self._text[self._at :] + more

    @property
    def held(self) -> int:
        """The number of characters that were read and not returned."""
        return self._inline.waiting + len(self._text) - self._at + self._grown

    def _run(self, *, complete: bool) -> str:
        self._text = self._text[self._at :] + "".join(self._more)
        self._at = 0
        self._more.clear()
        self._grown = self._stuck = 0
        while self._at < len(self._text):
            if not self._in_line and not self._begin(complete):
                self._stuck = len(self._text) - self._at
                break
            self._pass(complete)
            if self._in_line:
                break
        return self._taken()

    def _taken(self) -> str:
        out = self._out[0] if len(self._out) == 1 else "".join(self._out)
        self._out.clear()
        return out

    def _flows(self) -> bool:
        """Tell whether the next words belong to the line that is being read."""
        return self._in_line and not self._more and self._at == len(self._text)

    def _begin(self, complete: bool) -> bool:
        """Find the block of a line; False if more of the line is needed."""
        try:
            cursor = Cursor(self._text, self._at, complete=complete)
            line = Line(cursor, self._containers, self._leaf)
        except Undecided:
            return False
        prefix = self._text[self._at : line.content]
        self._at = line.content
        if line.continues:
            self._out.append(self._inline.feed(prefix, " " * len(prefix)))
        else:
            table = line.leaf is not None and line.leaf.kind == "table"
            self._out += [self._inline.finish(table=table), prefix]
        self._inline.line()
        if not line.blank:
            for container in line.containers:
                container.empty = False
        self._containers, self._leaf = line.containers, line.leaf
        self._in_line = True
        return True

    def _pass(self, complete: bool) -> None:
        """Pass on the content of a line, and its end."""
        match = _END.search(self._text, self._at)
        end = match.start() if match else len(self._text)
        if end > self._at:
            content = self._text[self._at : end]
            self._at = end
            self._content(content)
        if match is None:
            return
        ending = match[0]
        if ending == "\r" and match.end() == len(self._text) and not complete:
            return
        self._in_line = False
        self._at = match.end()
        leaf = self._leaf
        if leaf and leaf.kind == "paragraph":
            self._out.append(self._inline.feed(ending, "\n".rjust(len(ending))))
        else:
            self._out += [self._inline.finish(), ending]
        if leaf and (leaf.kind == "heading" or (leaf.until and self._tail == _ENDED)):
            self._leaf = None
        self._tail = ""

    def _content(self, text: str) -> None:
        leaf = self._leaf
        if leaf is None or leaf.kind in ("fence", "indented", "html"):
            self._out.append(text)
            if leaf and leaf.until and self._tail != _ENDED:
                seen = self._tail + text
                self._tail = _ENDED if leaf.until.search(seen) else seen[-16:]
        elif leaf.kind == "table":
            self._cells(text)
        else:
            leaf.line.append(text)
            self._out.append(self._inline.feed(text))

    def _cells(self, text: str) -> None:
        """Read each cell separately, because no link or code reaches into the next."""
        at = 0
        for match in re.finditer(r"\|", text):
            place = match.start()
            before = text[place - 1] if place else self._tail
            if before != "\\":
                self._out.append(self._inline.feed(text[at:place]))
                self._out += [self._inline.finish(), "|"]
                at = match.end()
        self._out.append(self._inline.feed(text[at:]))
        self._tail = text[-1:]
