"""Read the inline Markdown of a block while it arrives."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from re import Match, Pattern
from typing import ClassVar

from citations import patterns as p
from citations.markers import REACH, looks_like_code
from citations.models import SourceLinks
from citations.patterns import Tail, Undecided, link_tail
from citations.pieces import BRACKET_MATH, Opener, Piece, Pieces


class Inline:
    """
    Reader of the inline constructs of one block at a time; a form is a subclass.

    This class changes nothing: the forms override the methods below "Forms". Decided
    text is written at once. Undecided text (an open bracket, code or tag) is held
    until it closes or the block ends: a method that needs more text to read a
    construct raises `Undecided`. More text never changes a decision.

    Two texts have the same length: `_raw`, and `_clean`, where spaces replace the
    signs of containers (the `> ` of a quote).
    """

    # Possible beginnings of constructs.
    special: ClassVar[Pattern[str]] = p.SPECIAL

    def __init__(self, links: SourceLinks) -> None:
        self._links = links
        self._readers: Mapping[str, Callable[[int], None]] = {
            "[": self._open,
            "]": self._close,
            "\u3010": self._wide,
            "\uff3b": self._wide,
            "!": self._bang,
            "\\": self._backslash,
            "`": self._code,
            "<": self._angle,
            ":": self._colon,
            "$": self._dollar,
        }
        self._clear()

    def add(self, raw: str, clean: str | None = None) -> None:
        """Take more of the block; *clean* has spaces in place of container markers."""
        self._more.append((raw, raw if clean is None else clean))
        self.size += len(raw)

    def line(self) -> None:
        """Note that the content of a line begins here."""
        self._lines.add(self.size)

    def read(self) -> str:
        """Return what is decided of the block."""
        return self._scan(complete=False)

    def finish(self, *, table: bool = False) -> str:
        """End the block; before a *table* its last line is the table's first row."""
        if not self.size:
            return ""
        self._before_table = table
        out = self._scan(complete=True) + self._pieces.take_all()
        self._clear()
        return out

    @property
    def stuck(self) -> int:
        """The length of the construct that needs more text; 0 if none does."""
        return len(self._clean) - self._at

    @property
    def rest(self) -> str:
        """The text that was read and is not decided, without links."""
        more = "".join(raw for raw, _ in self._more)
        return self._pieces.inert + self._raw[self._at :] + more

    # The text

    def _clear(self) -> None:
        self._raw = self._clean = ""
        self._at = 0  # the text before is decided
        self._more: list[tuple[str, str]] = []
        self.size = 0
        self._complete = self._before_table = False
        self._lines: set[int] = set()  # offsets at which the content of lines begins
        self._pieces = Pieces()
        self._blank = True  # nothing but white space so far
        self._code_end = self._label_end = -1
        self._missing: set[str] = set()  # ends of HTML and code that don't follow

    def _scan(self, *, complete: bool) -> str:
        self._complete = complete
        self._raw += "".join([raw for raw, _ in self._more])
        self._clean += "".join([clean for _, clean in self._more])
        self._more.clear()
        clean, size = self._clean, len(self._clean)
        with suppress(Undecided):
            while self._at < size:
                match = self.special.search(clean, self._at)
                start = match.start() if match else size
                if start > self._at:
                    self._text(start)
                if match:
                    self._construct(clean[start], start)
        return self._pieces.take()

    def _construct(self, char: str, at: int) -> None:
        self._readers.get(char, self._address)(at)

    def _next(self, at: int) -> str:
        """Return the character at *at*, "" at the block's end."""
        if at < len(self._clean):
            return self._clean[at]
        if not self._complete:
            raise Undecided
        return ""

    def _before(self, at: int) -> str:
        return self._clean[at - 1] if at else ""

    def _begins_line(self, at: int) -> bool:
        return at in self._lines

    def _wait_if(self, maybe: Pattern[str], at: int) -> None:
        """Wait for more text if it could complete the construct *maybe*."""
        if not self._complete and maybe.match(self._clean, at):
            raise Undecided

    def _put(self, piece: Piece, end: int, *, marker: bool = False) -> None:
        """Write *piece* for the text up to *end*."""
        self._blank = False
        self._pieces.put(piece, marker=marker)
        self._at = end

    def _keep(self, end: int) -> None:
        """Write the text up to *end* as it is."""
        self._same(self._raw[self._at : end], end)

    def _same(self, text: str, end: int) -> None:
        """Write *text* in links and outside, for the text up to *end*."""
        self._put((text, text), end)

    def _text(self, end: int) -> None:
        """Write plain words as they are; formulas in `$` end before some of them."""
        words = self._raw[self._at : end]
        blank = self._blank and not self._clean[self._at : end].strip()
        if self._pieces.math == "$" and ("\n" in words or p.HAN.search(words)):
            self._pieces.drop_math()
        self._keep(end)
        self._blank = blank

    def _inert(self, end: int) -> None:
        """Write brackets that are no citation."""
        self._same(self._unlinked(self._raw[self._at : end]), end)

    # Markers

    def _open(self, at: int) -> None:
        if self._begins_line(at) and self._definition(at):
            return
        if self._clean.startswith("[[", at):
            self._push(at, at + 1)
        elif match := p.MARKER.match(self._clean, at):
            self._square(at, match.end())
        else:
            self._wait_if(p.MAYBE_MARKER, at)
            self._push(at, at + 1)

    def _wide(self, at: int) -> None:
        """Read a full-width bracket: a marker or a word."""
        match = p.WIDE.match(self._clean, at)
        if match is None:
            self._wait_if(p.MAYBE_MARKER, at)
            self._text(at + 1)
            return
        self._next(match.end())
        # The link's own `[` must not complete what stands before it.
        if self._clean.endswith("[CDATA", 0, at):
            self._inert(match.end())
        else:
            self._cite(at, match.end())

    def _square(self, at: int, end: int) -> None:
        after = self._next(end)
        if after == "(":
            self._push(at, at + 1)  # its words may be a number
            return
        self._pieces.nest()
        if after == "[" and self._label_follows(end):
            self._inert(end)
        elif self._is_code(at, end):
            self._code_end = end
            self._inert(end)
        else:
            self._cite(at, end)

    def _cite(self, at: int, end: int) -> None:
        numbers = p.numbers_in(self._clean[at:end])
        if numbers and self._may_cite(at, end):
            self._put(self._marker(numbers, self._raw[at:end]), end, marker=True)
        else:
            self._inert(end)

    def _marker(self, numbers: Sequence[int], source: str) -> Piece:
        links = [self._links.of(number) for number in numbers]
        inert = self._unlinked(source)
        if not any(links):
            return (inert, inert)
        pairs = zip(numbers, links, strict=True)
        shown = [link or self._unlinked(f"[{number}]") for number, link in pairs]
        return ("".join(shown), inert)

    def _is_code(self, at: int, end: int) -> bool:
        before, after = self._clean[max(0, at - REACH) : at], self._clean[end : end + 2]
        if after == "." and before[-1:].isalnum() and before[-1:].isascii():
            self._next(end + 1)
        return at == self._code_end or looks_like_code(before, after)

    def _bang(self, at: int) -> None:
        after = self._next(at + 1)
        if after not in ("[", "\u3010", "\uff3b"):
            self._text(at + 1)
            return
        wide = after != "["
        match = (p.WIDE if wide else p.MARKER).match(self._clean, at + 1)
        if match is None:
            self._wait_if(p.MAYBE_MARKER, at + 1)
        follows = self._next(match.end()) if match else ""
        if match and (wide or follows not in ("(", "[")):
            self._marker_after_bang(match.end())
        elif wide:
            self._text(at + 2)
        else:
            self._push(at, at + 2)

    # Links and images

    def _push(self, at: int, end: int) -> None:
        """Open a bracket; with a `!` it may begin an image."""
        shown = self._unlinked(self._raw[at:end])
        image = self._clean[at] == "!"
        self._pieces.open((shown, shown), image=image, before=self._shown_before(at))
        self._blank = False
        self._at = end

    def _close(self, at: int) -> None:
        opener = self._pieces.innermost
        if opener is None:
            self._lone(at)
            return
        if self._next(at + 1) == "(":
            if tail := self._pieces.can_link and self._tail(at + 1):
                self._close_link(opener, tail)
                return
            self._no_target(at + 2)
        self._shut(opener, at, label=self._is_label(opener))

    def _tail(self, at: int) -> Tail | None:
        return link_tail(self._clean, at, complete=self._complete)

    def _close_link(self, opener: Opener, tail: Tail) -> None:
        piece = self._link(opener, tail)
        self._pieces.join()
        if not opener.image:
            self._pieces.forbid_links()
        self._put(piece, tail.end)

    def _shut(self, opener: Opener, at: int, *, label: bool) -> None:
        """Close a bracket that is no link, perhaps the *label* of a reference."""
        if label:
            self._pieces.unlink(opener)
        self._pieces.shut()
        self._label_end = at + 1
        if opener.before.isalnum():
            self._code_end = self._label_end
        self._lone(at)

    # Escapes, code, HTML, formulas

    def _backslash(self, at: int) -> None:
        after = self._next(at + 1)
        if p.ESCAPE.match(self._clean, at):
            self._escape(at, after)
        else:
            self._text(at + (2 if after in ("\u3010", "\uff3b") else 1))

    def _escape(self, at: int, after: str) -> None:
        """Read a sign with a backslash: of a formula, or nothing but itself."""
        if self._pieces.math == "\\" + after:
            self._pieces.end_math()
        elif after in BRACKET_MATH:
            self._wait_if(p.MAYBE_ESCAPED_MARKER, at)
            if escaped := p.ESCAPED_MARKER.match(self._clean, at):
                self._keep(escaped.end())
                return
            self._pieces.begin_math(BRACKET_MATH[after])
        self._keep(at + 2)

    def _code(self, at: int) -> None:
        end = p.RUN.match(self._clean, at).end()  # type: ignore[union-attr]
        close = self._closing_run(self._clean[at:end], end)
        if close is None:
            self._lone_backticks(end)
        else:
            self._code_span(close)

    def _closing_run(self, run: str, at: int) -> int | None:
        """Return the end of the next *run* of backticks behind *at*."""
        if run in self._missing:
            return None
        for match in p.RUN.finditer(self._clean, at):
            if match[0] == run:
                self._next(match.end())
                return match.end()
        if not self._complete:
            raise Undecided
        self._missing.add(run)
        return None

    def _angle(self, at: int) -> None:
        if match := p.AUTOLINK.match(self._clean, at):
            self._autolink(match)
        else:
            self._tag(self._html_end(at))

    def _html_end(self, at: int) -> int:
        """Return where the tag or comment at *at* ends; behind `<` if there is none."""
        clean = self._clean
        for pattern in (p.TAG, p.SHORT_COMMENT):
            if match := pattern.match(clean, at):
                return match.end()
        for begin, least, ending in p.HTML_ENDS:
            if clean.startswith(begin, at):
                return self._ending(ending, at, least)
        if p.DECLARATION.match(clean, at):
            return self._ending(">", at, 3)
        self._wait_if(p.MAYBE_ANGLE, at)
        return at + 1

    def _ending(self, ending: str, at: int, least: int) -> int:
        end = -1 if ending in self._missing else self._clean.find(ending, at + least)
        if end >= 0:
            return end + len(ending)
        if not self._complete:
            raise Undecided
        self._missing.add(ending)
        return at + 1

    def _dollar(self, at: int) -> None:
        after = self._next(at + 1)
        pieces = self._pieces
        sign = "$$" if after == "$" else "$"
        if pieces.math == sign:
            if sign == "$$" or not (self._before(at).isspace() or after.isdigit()):
                pieces.end_math()
        elif sign == "$$" or self._begins_math(at, after):
            pieces.begin_math(sign)
        self._text(at + len(sign))

    def _begins_math(self, at: int, after: str) -> bool:
        if not after or after.isspace() or self._before(at).isalnum():
            return False
        self._wait_if(p.MAYBE_CURRENCY, at)
        return not p.CURRENCY.match(self._clean, at)

    # Forms

    def clean(self, chunk: str) -> str:
        """Return *chunk* as it is read, which a form may reduce."""
        return chunk

    def failed(self, text: str) -> str:
        """Return *text* as it is shown if converting failed."""
        return text

    def _definition(self, at: int) -> bool:
        """Read a definition at a line's start; False if there is none."""
        raise NotImplementedError

    def _colon(self, at: int) -> None:
        raise NotImplementedError

    def _address(self, at: int) -> None:
        """Read a possible bare address."""
        raise NotImplementedError

    def _unlinked(self, source: str) -> str:
        """Return brackets that are no link, in the form in which they are shown."""
        return source

    def _may_cite(self, at: int, end: int) -> bool:
        """Tell whether a link at *at* would be read as one."""
        del at, end
        return True

    def _no_target(self, at: int) -> None:
        """Note that no target begins at *at*, behind `](`."""

    def _label_follows(self, at: int) -> bool:
        """Tell whether the label of a reference begins at *at*."""
        del at
        return False

    def _is_label(self, opener: Opener) -> bool:
        """Tell whether the bracket that closes may be a label."""
        del opener
        return False

    def _shown_before(self, at: int) -> str:
        """Return the character that will stand before *at*."""
        return self._before(at)

    def _marker_after_bang(self, end: int) -> None:
        """Read a `!` and the marker behind it."""
        self._text(end)

    def _link(self, opener: Opener, tail: Tail) -> Piece:
        """Write a link or an image."""
        del opener
        first, inner = self._pieces.inner()
        source = first + inner[1] + self._raw[self._at : tail.end]
        return (source, source)

    def _lone(self, at: int) -> None:
        """Read a `]` that ends no link."""
        self._inert(at + 1)

    def _code_span(self, end: int) -> None:
        self._keep(end)

    def _lone_backticks(self, end: int) -> None:
        """Read backticks that begin no code."""
        self._keep(end)

    def _autolink(self, match: Match[str]) -> None:
        """Read an address in angle brackets."""
        self._keep(match.end())

    def _tag(self, end: int) -> None:
        """Read HTML, or a `<` that begins none."""
        self._text(end)
