"""Read the inline Markdown of a block while it arrives."""

from collections.abc import Callable, Mapping, Sequence
from re import Match, Pattern
from typing import ClassVar

from citations.inline import patterns as p
from citations.inline.pieces import BRACKET_MATH, Opener, Piece, Pieces
from citations.inline.targets import WAIT, Tail, link_tail
from citations.markers import REACH, looks_like_code
from citations.models import SourceLinks


class Inline:
    """
    Reader of the inline constructs of one block at a time; a form is a subclass.

    This class changes nothing: the forms override the methods below "Forms". Decided
    text is written at once. Undecided text (an open bracket, code or tag) is held
    until it closes or the block ends. A method that reads a construct returns False
    if it needs more text. More text never changes a decision.

    Two texts have the same length: `_raw`, and `_clean`, where spaces replace the
    signs of containers (the `> ` of a quote).
    """

    # Possible beginnings of constructs.
    special: ClassVar[Pattern[str]] = p.SPECIAL

    def __init__(self, links: SourceLinks) -> None:
        self._links = links
        self._readers: Mapping[str, Callable[[int], bool]] = {
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
        self._size += len(raw)

    def line(self) -> None:
        """Note that the content of a line begins here."""
        self._lines.add(self._size)

    def read(self) -> str:
        """Return what is decided of the block."""
        return self._scan(complete=False)

    def finish(self, *, table: bool = False) -> str:
        """End the block; before a *table* its last line is the table's first row."""
        if not self._size:
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
        self._size = 0
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
        stuck = False
        while self._at < size and not stuck:
            match = self.special.search(clean, self._at)
            start = match.start() if match else size
            if start > self._at:
                self._text(start)
            if match:
                stuck = not self._construct(clean[start], start)
        return self._pieces.take()

    def _construct(self, char: str, at: int) -> bool:
        return self._readers.get(char, self._address)(at)

    def _next(self, at: int) -> str | None:
        """Return the character at *at*, "" at the block's end, None if it may come."""
        if at < len(self._clean):
            return self._clean[at]
        return "" if self._complete else None

    def _before(self, at: int) -> str:
        return self._clean[at - 1] if at else ""

    def _begins_line(self, at: int) -> bool:
        return at in self._lines

    def _waits(self, maybe: Pattern[str], at: int) -> bool:
        """Tell whether more text could complete the construct *maybe*."""
        return not self._complete and maybe.match(self._clean, at) is not None

    def _put(self, piece: Piece, end: int, *, marker: bool = False) -> bool:
        """Write *piece* for the text up to *end*."""
        self._blank = False
        self._pieces.put(piece, marker=marker)
        self._at = end
        return True

    def _keep(self, end: int) -> bool:
        """Write the text up to *end* as it is."""
        return self._same(self._raw[self._at : end], end)

    def _same(self, text: str, end: int) -> bool:
        """Write *text* in links and outside, for the text up to *end*."""
        return self._put((text, text), end)

    def _text(self, end: int) -> bool:
        """Write plain words as they are; formulas in `$` end before some of them."""
        words = self._raw[self._at : end]
        blank = self._blank and not self._clean[self._at : end].strip()
        if self._pieces.math == "$" and ("\n" in words or p.HAN.search(words)):
            self._pieces.drop_math()
        self._keep(end)
        self._blank = blank
        return True

    def _inert(self, end: int) -> bool:
        """Write brackets that are no citation."""
        return self._same(self._unlinked(self._raw[self._at : end]), end)

    # Markers

    def _open(self, at: int) -> bool:
        if self._begins_line(at):
            defined = self._definition(at)
            if defined is not None:
                return defined
        if self._clean.startswith("[[", at):
            return self._push(at, at + 1)
        if match := p.MARKER.match(self._clean, at):
            return self._square(at, match.end())
        if self._waits(p.MAYBE_MARKER, at):
            return False
        return self._push(at, at + 1)

    def _wide(self, at: int) -> bool:
        """Read a full-width bracket: a marker or a word."""
        match = p.WIDE.match(self._clean, at)
        if match is None:
            return not self._waits(p.MAYBE_MARKER, at) and self._text(at + 1)
        if self._next(match.end()) is None:
            return False
        # The link's own `[` must not complete what stands before it.
        if self._clean.endswith("[CDATA", 0, at):
            return self._inert(match.end())
        return self._cite(at, match.end())

    def _square(self, at: int, end: int) -> bool:
        after = self._next(end)
        if after is None:
            return False
        if after == "(":
            return self._push(at, at + 1)  # its words may be a number
        self._pieces.nest()
        label = after == "[" and self._label_follows(end)
        if label is None:
            return False
        code = not label and self._is_code(at, end)
        if code is None:
            return False
        if code:
            self._code_end = end
        return self._inert(end) if label or code else self._cite(at, end)

    def _cite(self, at: int, end: int) -> bool:
        numbers = p.numbers_in(self._clean[at:end])
        if not numbers or not self._may_cite(at, end):
            return self._inert(end)
        return self._put(self._marker(numbers, self._raw[at:end]), end, marker=True)

    def _marker(self, numbers: Sequence[int], source: str) -> Piece:
        links = [self._links.of(number) for number in numbers]
        inert = self._unlinked(source)
        if not any(links):
            return (inert, inert)
        pairs = zip(numbers, links, strict=True)
        shown = [link or self._unlinked(f"[{number}]") for number, link in pairs]
        return ("".join(shown), inert)

    def _is_code(self, at: int, end: int) -> bool | None:
        before, after = self._clean[max(0, at - REACH) : at], self._clean[end : end + 2]
        attached = before[-1:].isalnum() and before[-1:].isascii()
        if after == "." and attached and not self._complete:
            return None
        return at == self._code_end or looks_like_code(before, after)

    def _bang(self, at: int) -> bool:
        after = self._next(at + 1)
        if after is None:
            return False
        if after not in ("[", "\u3010", "\uff3b"):
            return self._text(at + 1)
        wide = after != "["
        match = (p.WIDE if wide else p.MARKER).match(self._clean, at + 1)
        if match is None:
            if self._waits(p.MAYBE_MARKER, at + 1):
                return False
            return self._text(at + 2) if wide else self._push(at, at + 2)
        follows = self._next(match.end())
        if follows is None:
            return False
        if not wide and follows in ("(", "["):
            return self._push(at, at + 2)
        return self._marker_after_bang(match.end())

    # Links and images

    def _push(self, at: int, end: int) -> bool:
        """Open a bracket; with a `!` it may begin an image."""
        shown = self._unlinked(self._raw[at:end])
        image = self._clean[at] == "!"
        self._pieces.open((shown, shown), image=image, before=self._shown_before(at))
        self._blank = False
        self._at = end
        return True

    def _close(self, at: int) -> bool:
        opener = self._pieces.innermost
        if opener is None:
            return self._lone(at)
        after = self._next(at + 1)
        if after is None:
            return False
        if after == "(":
            tail = self._tail(at + 1) if self._pieces.can_link else None
            if tail == WAIT:
                return False
            if isinstance(tail, Tail):
                return self._close_link(opener, tail)
            self._no_target(at + 2)
        label = self._is_label(opener)
        return label is not None and self._shut(opener, at, label=label)

    def _tail(self, at: int) -> Tail | str | None:
        return link_tail(self._clean, at, complete=self._complete)

    def _close_link(self, opener: Opener, tail: Tail) -> bool:
        piece = self._link(opener, tail)
        if piece is None:
            return False
        self._pieces.join()
        if not opener.image:
            self._pieces.forbid_links()
        return self._put(piece, tail.end)

    def _shut(self, opener: Opener, at: int, *, label: bool) -> bool:
        """Close a bracket that is no link, perhaps the *label* of a reference."""
        if label:
            self._pieces.unlink(opener)
        self._pieces.shut()
        self._label_end = at + 1
        if opener.before.isalnum():
            self._code_end = self._label_end
        return self._lone(at)

    # Escapes, code, HTML, formulas

    def _backslash(self, at: int) -> bool:
        after = self._next(at + 1)
        if after is None:
            return False
        if p.ESCAPE.match(self._clean, at):
            return self._escape(at, after)
        return self._text(at + (2 if after in ("\u3010", "\uff3b") else 1))

    def _escape(self, at: int, after: str) -> bool:
        """Read a sign with a backslash: of a formula, or nothing but itself."""
        if self._pieces.math == "\\" + after:
            self._pieces.end_math()
        elif after in BRACKET_MATH:
            if self._waits(p.MAYBE_ESCAPED_MARKER, at):
                return False
            if escaped := p.ESCAPED_MARKER.match(self._clean, at):
                return self._keep(escaped.end())
            self._pieces.begin_math(BRACKET_MATH[after])
        return self._keep(at + 2)

    def _code(self, at: int) -> bool:
        run = p.RUN.match(self._clean, at)
        end = run.end() if run else at + 1
        close = self._closing_run(self._clean[at:end], end)
        if close < 0:
            return self._complete and self._lone_backticks(end)
        return self._code_span(close)

    def _closing_run(self, run: str, at: int) -> int:
        """Return the end of the next *run* of backticks behind *at*, -1 without one."""
        if run in self._missing:
            return -1
        for match in p.RUN.finditer(self._clean, at):
            if match[0] == run and self._next(match.end()) is not None:
                return match.end()
        if self._complete:
            self._missing.add(run)
        return -1

    def _angle(self, at: int) -> bool:
        if match := p.AUTOLINK.match(self._clean, at):
            return self._autolink(match)
        end = self._html_end(at)
        return end is not None and self._tag(end)

    def _html_end(self, at: int) -> int | None:
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
        return None if self._waits(p.MAYBE_ANGLE, at) else at + 1

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
        if self._waits(p.MAYBE_CURRENCY, at):
            return None
        return not p.CURRENCY.match(self._clean, at)

    # Forms

    def clean(self, chunk: str) -> str:
        """Return *chunk* as it is read, which a form may reduce."""
        return chunk

    def failed(self, text: str) -> str:
        """Return *text* as it is shown if converting failed."""
        return text

    def _definition(self, at: int) -> bool | None:
        """Read a definition at a line's start; None if there is none."""
        raise NotImplementedError

    def _colon(self, at: int) -> bool:
        raise NotImplementedError

    def _address(self, at: int) -> bool:
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

    def _label_follows(self, at: int) -> bool | None:
        """Tell whether the label of a reference begins at *at*; None: unknown yet."""
        del at
        return False

    def _is_label(self, opener: Opener) -> bool | None:
        """Tell whether the bracket that closes may be a label; None: unknown yet."""
        del opener
        return False

    def _shown_before(self, at: int) -> str:
        """Return the character that will stand before *at*."""
        return self._before(at)

    def _marker_after_bang(self, end: int) -> bool:
        """Read a `!` and the marker behind it."""
        return self._text(end)

    def _link(self, opener: Opener, tail: Tail) -> Piece | None:
        """Write a link or an image; None where the next character must be known."""
        del opener
        first, inner = self._pieces.inner()
        source = first + inner[1] + self._raw[self._at : tail.end]
        return (source, source)

    def _lone(self, at: int) -> bool:
        """Read a `]` that ends no link."""
        return self._inert(at + 1)

    def _code_span(self, end: int) -> bool:
        return self._keep(end)

    def _lone_backticks(self, end: int) -> bool:
        """Read backticks that begin no code."""
        return self._keep(end)

    def _autolink(self, match: Match[str]) -> bool:
        """Read an address in angle brackets."""
        return self._keep(match.end())

    def _tag(self, end: int) -> bool:
        """Read HTML, or a `<` that begins none."""
        return self._text(end)
