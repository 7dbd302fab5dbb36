"""Read the inline Markdown of a block while it arrives."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from re import Match, Pattern
from typing import ClassVar

from citations import forms
from citations.markdown import patterns as p
from citations.markdown.formulas import Formula, formula_at
from citations.markdown.indices import REACH, looks_like_code
from citations.markdown.patterns import Tail, Undecided, link_tail

Numbers = tuple[int, ...] | None  # None: no citation


@dataclass(frozen=True, slots=True)
class Marker:
    """
    A citation: its place in the text, and the numbers that it cites.

    It has none where it is of a form that names no source of ours: it is removed.
    """

    start: int
    end: int
    numbers: tuple[int, ...]


@dataclass(slots=True)
class Edit:
    """The words in place of a part of the block: *text*, or *inert* in a link."""

    start: int
    end: int
    text: str
    inert: str
    numbers: Numbers = None  # that the text cites


# What is written for a link, also inside another one, and the numbers it cites.
Shown = tuple[str, str, Numbers]


@dataclass(slots=True)
class Opener:
    """An opening bracket that is not closed yet: where it begins and ends."""

    start: int
    end: int
    edits: int  # of the block before it
    before: str  # the character in front of it
    is_image: bool
    is_nested: bool = False  # holds other brackets


class Inline:
    """
    Reader of the inline constructs of one block at a time; a form is a subclass.

    A form says by `_put` what is written in place of the source; all else stays. Text
    that is decided is written at once, and what may still become a link or a formula
    is held back until it closes or the block ends. A method that needs more text to
    read a construct raises `Undecided`. More text never changes a decision.

    Two texts have the same length: `_raw`, and `_clean`, where spaces replace the
    signs of containers (the `> ` of a quote).
    """

    # Possible beginnings of constructs.
    special: ClassVar[Pattern[str]] = p.SPECIAL
    # Whether a bracket may be a label, as its definition may stand further down.
    has_labels: ClassVar[bool] = False

    def __init__(self, link_of: Callable[[int], str | None]) -> None:
        self._link_of = link_of
        self.markers: list[Marker] = []  # of all blocks so far
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
        self._out: list[str] = []
        self.size = 0  # of the block
        # How another line of the block begins, None where there can be no other.
        self.indent: str | None = None
        self._clear()

    def add(self, place: int, raw: str, clean: str | None = None) -> None:
        """
        Take more of the block, which stands at *place* of the text.

        *clean* has spaces in place of container markers.
        """
        if not self.size:
            self._place = place
        self._more.append((raw, raw if clean is None else clean))
        self.size += len(raw)

    def line(self) -> None:
        """Note that the content of a line begins here."""
        self._lines.add(self.size)

    def read(self) -> str:
        """Return what is decided of the block."""
        self._scan(complete=False)
        self._write_unless_held()
        return self.taken()

    def finish(self, *, table: bool = False) -> str:
        """End the block; before a *table* its last line is the table's first row."""
        if not self.size:
            return ""
        self._before_table = table
        self._scan(complete=True)
        self._release()
        self._clear()
        return self.taken()

    def taken(self) -> str:
        """Return what is written and was not returned yet."""
        out = "".join(self._out)
        self._out.clear()
        return out

    @property
    def stuck(self) -> int:
        """The length of the construct that needs more text; 0 if none does."""
        return len(self._clean) - self._at

    @property
    def rest(self) -> str:
        """The text that was read and is not written."""
        return self._raw[self._written :] + "".join(raw for raw, _ in self._more)

    # The text

    def _clear(self) -> None:
        self._raw = self._clean = ""
        self._place = 0  # of the block in the text
        self._at = 0  # the text before is decided
        self._written = 0  # and this is written
        self._more: list[tuple[str, str]] = []
        self.size = 0
        self._complete = self._before_table = False
        self._lines: set[int] = set()  # offsets at which the content of lines begins
        self._guarded = False  # a definition that stays; the rest of it does, too
        self._blank = True  # nothing but white space so far
        self._code_end = self._label_end = -1
        # Ends of HTML and code that don't follow, and `<` if one began neither.
        self._missing: set[str] = set()
        self._edits: list[Edit] = []  # of the text that is not written
        self._links: list[Edit] = []  # markers that a label may still hold
        self._openers: list[Opener] = []
        self._dead = 0  # openers below can't begin a link any more
        self._live = 0  # openers that can begin a link or an image
        self._images = 0
        self._formula_end = -1

    def _scan(self, *, complete: bool) -> None:
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
                if match is None:
                    continue
                char = clean[start]
                if self._guarded and not (char == "[" and start in self._lines):
                    self._text(start + 1)
                else:
                    self._readers.get(char, self._address)(start)

    def _next(self, at: int) -> str:
        """Return the character at *at*, "" at the block's end."""
        if at < len(self._clean):
            return self._clean[at]
        if not self._complete:
            raise Undecided
        return ""

    def _before(self, at: int) -> str:
        return self._clean[at - 1] if at else ""

    def _wait_if(self, maybe: Pattern[str], at: int) -> None:
        """Wait for more text if it could complete the construct *maybe*."""
        if not self._complete and maybe.match(self._clean, at):
            raise Undecided

    def _put(
        self,
        end: int,
        text: str | None = None,
        inert: str | None = None,
        numbers: Numbers = None,
        start: int | None = None,
    ) -> None:
        """Write *text*, and *inert* in a link, for the source up to *end*."""
        if not self._is_held:
            self._links.clear()
        start = self._at if start is None else start
        if text is not None:
            inert = text if inert is None else inert
            if numbers is not None or not text == inert == self._raw[start:end]:
                self._edits.append(Edit(start, end, text, inert, numbers))
        self._blank = False
        self._at = end

    def _text(self, end: int) -> None:
        """Pass over plain words."""
        blank = self._blank and not self._clean[self._at : end].strip()
        self._put(end)
        self._blank = blank

    def _inert(self, end: int) -> None:
        """Write signs that are no markup."""
        self._put(end, self._unlinked(self._raw[self._at : end]))

    @property
    def _is_held(self) -> bool:
        """Tell whether an open bracket may change what is read."""
        return self._live > 0

    def _write_unless_held(self) -> None:
        """Write the decided text unless an open bracket holds it back."""
        if not self._is_held:
            self._release()

    def _release(self) -> None:
        """Write the decided text with its edits."""
        self._out.append(self._edited(self._written, self._edits))
        for edit in self._edits:
            if edit.numbers is not None:
                place = self._place
                marker = Marker(place + edit.start, place + edit.end, edit.numbers)
                self.markers.append(marker)
        self._written = self._at
        self._edits.clear()
        self._links.clear()

    def _edited(self, start: int, edits: Sequence[Edit], *, inert: bool = False) -> str:
        """Return the source from *start* on with its *edits*."""
        parts: list[str] = []
        for edit in edits:
            parts += self._raw[start : edit.start], edit.inert if inert else edit.text
            start = edit.end
        return "".join(parts) + self._raw[start : self._at]

    def _unlink(self, start: int) -> None:
        """Unlink the markers from *start* on."""
        while self._links and self._links[-1].start >= start:
            edit = self._links.pop()
            edit.text, edit.numbers = edit.inert, None

    # Markers

    def _open(self, at: int) -> None:
        if at in self._lines and self._definition(at):
            return
        match = forms.MARKER.match(self._clean, at)
        if match is None:
            self._wait_if(forms.MAYBE_MARKER, at)
        follows = self._next(match.end()) if match else ""
        if match is None or follows == "(":  # words of a link may be a number
            self._push(at, at + 1)
            return
        end = match.end()
        self._nest()
        if follows == "[" and self.has_labels and self._label_follows(end):
            self._inert(end)
            return
        before, after = self._clean[max(0, at - REACH) : at], self._clean[end : end + 2]
        if after == "." and before[-1:].isalnum() and before[-1:].isascii():
            self._next(end + 1)  # `.name` would make it code
        is_code = at == self._code_end or looks_like_code(before, after)
        if is_code and at != self._formula_end:
            self._code_end = end
            self._inert(end)
        else:
            self._cite(at, end)

    def _wide(self, at: int) -> None:
        """Read a full-width bracket: a marker or a word."""
        if match := forms.WIDE.match(self._clean, at):
            self._next(match.end())
            # The link's own `[` must not complete what stands before it.
            if self._clean.endswith("[CDATA", 0, at):
                self._inert(match.end())
            else:
                self._cite(at, match.end())
        elif match := forms.TWO_NUMBERS.match(self._clean, at):
            end = match.end()
            if not self._may_cite(at, end):
                self._inert(end)
                return
            # It names no source of ours, and is removed. Where what stands around it
            # could become markup, an invisible sign keeps it apart.
            self._wait_if(p.MAYBE_PUNCTUATED, end)
            is_word = p.AFTER_WORD.search(self._clean, max(0, at - REACH), at)
            is_gone = is_word and p.PUNCTUATED.match(self._clean, end)
            text = "" if is_gone and "<" not in self._missing else p.APART
            self._mark(end, text, self._unlinked(self._raw[at:end]), ())
        else:
            self._wait_if(forms.MAYBE_MARKER, at)
            self._text(at + 1)

    def _cite(self, at: int, end: int) -> None:
        numbers = forms.numbers_in(self._clean[at:end])
        may_cite = numbers and self._may_cite(at, end)
        links = [self._link_of(number) for number in numbers] if may_cite else []
        known = [n for n, link in zip(numbers, links, strict=False) if link is not None]
        if not known:
            self._inert(end)
            return
        shown = [
            self._unlinked(f"[{number}]") if link is None else link
            for number, link in zip(numbers, links, strict=True)
        ]
        inert = self._unlinked(self._raw[at:end])
        self._mark(end, "".join(shown), inert, tuple(known))

    def _mark(self, end: int, text: str, inert: str, numbers: tuple[int, ...]) -> None:
        """Write a citation, which an open label may still undo."""
        is_held = self._is_held
        self._put(end, text, inert, numbers)
        if is_held:
            self._links.append(self._edits[-1])

    def _bang(self, at: int) -> None:
        after = self._next(at + 1)
        if after not in ("[", "\u3010", "\uff3b"):
            self._text(at + 1)
            return
        wide = after != "["
        match = (forms.WIDE if wide else forms.MARKER).match(self._clean, at + 1)
        if match is None:
            self._wait_if(forms.MAYBE_MARKER, at + 1)
        follows = self._next(match.end()) if match else ""
        if match and (wide or follows not in ("(", "[")):
            self._marker_after_bang(match.end())
        elif wide:
            self._text(at + 1)
        else:
            self._push(at, at + 2)

    # Links and images

    def _nest(self) -> None:
        """Note that the innermost bracket holds another."""
        if self._openers:
            self._openers[-1].is_nested = True

    def _push(self, at: int, end: int) -> None:
        """Open a bracket; with a `!` it may begin an image."""
        self._nest()
        self._write_unless_held()
        is_image, before = self._clean[at] == "!", self._before(at)
        self._openers.append(Opener(at, end, len(self._edits), before, is_image))
        self._live += 1
        self._images += is_image
        self._put(end, self._unlinked(self._raw[at:end]))

    def _close(self, at: int) -> None:
        """Read a `]`, which ends a link or an image, a label, or nothing."""
        if not self._openers:
            self._inert(at + 1)
            return
        opener, follows = self._openers[-1], self._next(at + 1)
        can_link = len(self._openers) > self._dead or opener.is_image
        tail = None
        if follows == "(" and can_link:
            tail = link_tail(self._clean, at + 1, complete=self._complete)
        if tail:
            edits = self._edits[opener.edits :]
            inner = [edit for edit in edits if edit.start >= opener.end]
            shown = self._link(opener, tail, inner)  # may wait for more text
            self._pop()
            del self._edits[opener.edits :]
            while self._links and self._links[-1].start >= opener.start:
                self._links.pop()
            if not opener.is_image:  # links can't be nested: no open `[` begins another
                self._dead = len(self._openers)
                self._live = self._images
            self._put(tail.end, *shown, start=opener.start)
            return
        if follows == "(":
            self._no_target(at + 2)
        if self.has_labels:
            is_text = can_link and follows == "[" and self._label_follows(at + 1)
            if is_text or not opener.is_nested:
                self._unlink(opener.start)
        self._pop()
        self._label_end = at + 1
        if opener.before.isalnum():
            self._code_end = self._label_end
        self._inert(at + 1)

    def _label_follows(self, at: int) -> bool:
        """Tell whether a label that is no number begins at *at*."""
        clean = self._clean
        if forms.MARKER.match(clean, at) or clean.startswith("[[", at):
            return False
        if p.LABEL.match(clean, at) or clean.startswith("[]", at):
            return True
        self._wait_if(p.MAYBE_LABEL, at)
        return False

    def _pop(self) -> None:
        """Close the innermost bracket."""
        opener = self._openers.pop()
        self._live -= opener.is_image or len(self._openers) >= self._dead
        self._images -= opener.is_image
        self._dead = min(self._dead, len(self._openers))

    # Escapes, code, HTML, formulas

    def _backslash(self, at: int) -> None:
        """Read a sign with a backslash: of a formula, or nothing but itself."""
        after = self._next(at + 1)
        if not p.ESCAPE.match(self._clean, at):
            self._text(at + (2 if after in ("\u3010", "\uff3b") else 1))
            return
        if after == "[":
            self._wait_if(forms.MAYBE_ESCAPED_MARKER, at)
            if escaped := forms.ESCAPED_MARKER.match(self._clean, at):
                self._put(escaped.end())
                return
        if after in ("(", "[") and self._formula(at):
            return
        self._put(at + 2)

    def _code(self, at: int) -> None:
        """Read code up to the same run of backticks, or a run that none ends."""
        end = p.RUN.match(self._clean, at).end()  # type: ignore[union-attr]
        run = self._clean[at:end]
        if run not in self._missing:
            for match in p.RUN.finditer(self._clean, end):
                if match[0] == run:
                    self._next(match.end())
                    self._code_span(match.end())
                    return
            self._next(len(self._clean))
            self._missing.add(run)
        self._inert(end)

    def _angle(self, at: int) -> None:
        """Read an autolink, a tag or a comment, or a `<` that begins none of them."""
        clean = self._clean
        if match := p.AUTOLINK.match(clean, at):
            self._autolink(match)
            return
        if match := p.TAG.match(clean, at) or p.SHORT_COMMENT.match(clean, at):
            self._tag(match.end())
            return
        for begins, least, ending in p.HTML_ENDS:
            if begins.match(clean, at):
                end = -1 if ending in self._missing else clean.find(ending, at + least)
                if end < 0:
                    self._next(len(clean))
                    self._missing.add(ending)
                self._tag(end + len(ending) if end >= 0 else at + 1)
                return
        self._wait_if(p.MAYBE_ANGLE, at)
        self._missing.add("<")
        self._tag(at + 1)

    def _dollar(self, at: int) -> None:
        if not self._formula(at):
            self._inert(p.DOLLARS.match(self._clean, at).end())  # type: ignore[union-attr]

    def _formula(self, at: int) -> bool:
        """Read a formula, in which nothing is linked; False where none begins."""
        formula = formula_at(self._clean, at, complete=self._complete)
        if formula and "|" in formula.inner and self._is_last_line(formula.end):
            self._next(len(self._clean))
            if self._before_table:  # whose cells end before each `|`
                return False
        if formula:
            self._drawn(formula)
            self._formula_end = formula.end
        return formula is not None

    def _is_last_line(self, at: int) -> bool:
        """Tell whether no other line follows the one of *at*, as far as is known."""
        return not 0 <= self._clean.find("\n", at) < len(self._clean) - 1

    # Forms

    def _definition(self, at: int) -> bool:
        """Read a definition at a line's start; False if there is none."""
        raise NotImplementedError

    def _colon(self, at: int) -> None:
        raise NotImplementedError

    def _address(self, at: int) -> None:
        """Read a possible bare address."""
        raise NotImplementedError

    def _link(self, opener: Opener, tail: Tail, inner: Sequence[Edit]) -> Shown:
        """Return a link or an image, whose words have the edits *inner*."""
        raise NotImplementedError

    def _unlinked(self, source: str) -> str:
        """Return signs that are no markup, in the form in which they are shown."""
        return source

    def _may_cite(self, at: int, end: int) -> bool:
        """Tell whether a link at *at* would be read as one."""
        del at, end
        return True

    def _no_target(self, at: int) -> None:
        """Note that no target begins at *at*, behind `](`."""

    def _marker_after_bang(self, end: int) -> None:
        """Read a `!` and the marker behind it, which ends at *end*."""
        raise NotImplementedError

    def _code_span(self, end: int) -> None:
        self._put(end)

    def _drawn(self, formula: Formula) -> None:
        self._put(formula.end)

    def _autolink(self, match: Match[str]) -> None:
        """Read an address in angle brackets."""
        self._put(match.end())

    def _tag(self, end: int) -> None:
        """Read HTML, or a `<` that begins none."""
        self._text(end)
