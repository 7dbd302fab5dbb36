"""Inline constructs in brackets: markers, links, images, definitions."""

from citations.inline import patterns as p
from citations.inline.pieces import BRACKET_MATH, Opener
from citations.inline.signs import Signs
from citations.markers import REACH, looks_like_code

# What an address may consist of where it begins, or what would change code.
_GLUE = p.MAIL_SIGNS | frozenset("`:/@&\\#;<>")


class Brackets(Signs):
    """Which brackets are citations."""

    def _clear(self) -> None:
        super()._clear()
        self._code_end = self._label_end = -1
        self._no_tail = -1  # behind a `](` that begins no target
        self._tail_spaced = self._tail_closed = False
        self._defined = False  # a definition of a number was made words
        self._guarded = False  # a definition that stays; the rest of it does, too

    def _open(self, at: int) -> bool:
        if self._begins_line(at):
            defined = self._definition(at)
            if defined is not None:
                return defined
        if self._clean.startswith("[[", at):
            return self._push(at, at + 1, image=False)
        if match := p.MARKER.match(self._clean, at):
            return self._marker(at, match.end())
        if not self._complete and p.MAYBE_MARKER.match(self._clean, at):
            return False
        return self._push(at, at + 1, image=False)

    def _wide(self, at: int) -> bool:
        """A full-width bracket: a marker or a word."""
        match = p.WIDE.match(self._clean, at)
        if match is None:
            maybe = not self._complete and p.MAYBE_MARKER.match(self._clean, at)
            return not maybe and self._text(at + 1)
        end = match.end()
        if self._next(end) is None:
            return False
        here = self._base + at
        after_label = here == self._label_end and not self._form.page
        # The link's own `[` must not complete what stands before it.
        completes = self._clean.endswith("[CDATA", 0, at)
        numbers = p.numbers_in(match[0])
        if after_label or completes or here == self._url_end or not numbers:
            return self._inert(end)
        if self._may_be_target(at, end):
            return self._inert(end)
        return self._put(
            self._form.marker(numbers, self._raw[at:end]), end, marker=True
        )

    def _marker(self, at: int, end: int) -> bool:
        after = self._next(end)
        if after is None:
            return False
        self._pieces.nest()
        if after == "(":
            return self._marker_link(at, end)
        if after == "[" and not self._form.page:
            following = self._reference(end)
            if following is None:
                return False
            if following:
                return self._inert(end)
        code = self._is_code(at, end)
        return code is not None and self._plain_marker(at, end, code=code)

    def _plain_marker(self, at: int, end: int, *, code: bool) -> bool:
        numbers = p.numbers_in(self._clean[at:end])
        if code:
            self._code_end = self._base + end
        here = self._base + at
        if code or not numbers or here == self._url_end or self._may_be_target(at, end):
            return self._inert(end)
        return self._put(
            self._form.marker(numbers, self._raw[at:end]), end, marker=True
        )

    def _guard_tail(self, at: int) -> None:
        self._no_tail = self._base + at
        self._tail_spaced = self._tail_closed = False

    def _may_be_target(self, at: int, end: int) -> bool:
        """Whether a link here could make a target of what is none: `[a](b [1, 2])`."""
        if self._form.page:
            return False
        if p.HALF_AUTOLINK.search(self._clean, max(0, at - REACH), at):
            return True
        if self._no_tail < 0:
            return False
        begin = max(self._no_tail - self._base, 0)
        self._tail_spaced |= p.SPACE.search(self._clean, begin, at) is not None
        self._tail_closed |= p.CLOSE.search(self._clean, begin, at) is not None
        ended = self._tail_spaced and self._tail_closed
        self._no_tail = -1 if ended else self._base + end
        return not ended

    def _is_code(self, at: int, end: int) -> bool | None:
        before, after = self._clean[max(0, at - REACH) : at], self._clean[end : end + 2]
        attached = before[-1:].isalnum() and before[-1:].isascii()
        if after == "." and attached and not self._complete:
            return None
        return self._base + at == self._code_end or looks_like_code(before, after)

    def _marker_link(self, at: int, end: int) -> bool:
        tail = p.link_tail(self._clean, end, complete=self._complete)
        if tail == p.WAIT:
            return False
        if not isinstance(tail, p.Tail):
            self._guard_tail(end + 1)
            return self._inert(end)
        self._pieces.deaden()
        inner = self._form.inert(self._raw[at + 1 : end - 1])
        source = self._raw[at : tail.end]
        return self._put(self._form.link(inner, tail.target, source), tail.end)

    def _reference(self, at: int) -> bool | None:
        """Whether a label that is no number begins at *at*; None: not known yet."""
        clean = self._clean
        if p.MARKER.match(clean, at) or clean.startswith("[[", at):
            return False
        if p.LABEL.match(clean, at) or clean.startswith("[]", at):
            return True
        if self._complete or not p.MAYBE_LABEL.match(clean, at):
            return False
        return None

    def _push(self, at: int, end: int, *, image: bool) -> bool:
        shown = self._form.opening
        shown = "!" + shown if image else shown
        before = self._before(at)
        attached = before.isalnum()
        if not self._pieces.held:
            self._held_from = self._base + at
        glued = before in _GLUE or self._base + at == self._code_until
        self._pieces.open((shown, shown), image=image, attached=attached, glued=glued)
        if self._form.page and self._pieces.math == BRACKET_MATH["["]:
            self._pieces.begin_math(BRACKET_MATH["["])  # escaped, it begins another
        self._defining = False
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
            tail = self._tail(at + 1)
            if tail == p.WAIT:
                return False
            if isinstance(tail, p.Tail):
                return self._link(opener, tail)
            self._guard_tail(at + 2)
        label = not opener.nested
        if self._pieces.can_link and after == "[" and not self._form.page:
            reference = self._reference(at + 1)
            if reference is None:
                return False
            label = label or reference
        return self._shut(opener, at, label=label and not self._form.page)

    def _lone(self, at: int) -> bool:
        """A `]` that ends no link; the page escapes it, so it may end a formula."""
        if self._form.page and self._pieces.math == BRACKET_MATH["["]:
            self._pieces.end_math()
        return self._inert(at + 1)

    def _tail(self, at: int) -> p.Tail | p.Wait | None:
        if not self._pieces.can_link:
            return None
        return p.link_tail(self._clean, at, complete=self._complete)

    def _shut(self, opener: Opener, at: int, *, label: bool) -> bool:
        if label:  # of a reference, perhaps
            self._pieces.quiet(opener)
        self._pieces.shut()
        self._label_end = self._base + at + 1
        if opener.attached:
            self._code_end = self._label_end
        return self._lone(at)

    def _link(self, opener: Opener, tail: p.Tail) -> bool:
        apart = self._form.page and opener.image and self._next(tail.end)
        if apart is None:
            return False
        first, inner = self._pieces.inner()
        source = first + inner[1] + self._raw[self._at : tail.end]
        if opener.image:
            piece = self._form.image(inner, source)
        else:
            piece = self._form.link(inner, tail.target, source)
        # Words without their brackets must not make an address of what is beside them.
        if apart and (apart in _GLUE or piece[0].endswith("!")):
            piece = (f"{piece[0]} ", f"{piece[1]} ")
        if self._form.page and opener.glued and not piece[0].startswith(("[", "\\")):
            piece = (f" {piece[0]}", piece[1])
        self._pieces.join()
        if not opener.image:
            self._pieces.deaden()
        return self._put(piece, tail.end)

    def _bang(self, at: int) -> bool:
        after = self._next(at + 1)
        if after is None:
            return False
        if after not in ("[", "\u3010", "\uff3b"):
            return self._text(at + 1)
        wide = after != "["
        match = (p.WIDE if wide else p.MARKER).match(self._clean, at + 1)
        if match is None:
            if not self._complete and p.MAYBE_MARKER.match(self._clean, at + 1):
                return False
            return self._text(at + 2) if wide else self._push(at, at + 2, image=True)
        follows = self._next(match.end())
        if follows is None:
            return False
        if not wide and follows in ("(", "["):
            return self._push(at, at + 2, image=True)
        if self._form.page:  # escaped, or it would make the link an image
            return self._put((r"\!", r"\!"), at + 1)
        return self._text(match.end())

    def _definition(self, at: int) -> bool | None:
        """A definition or a box to tick at a line's start; None where there is none."""
        if match := p.NUMBER_LABEL.match(self._clean, at):
            return self._number_definition(match)
        if not self._complete and p.MAYBE_NUMBER_LABEL.match(self._clean, at):
            return False
        if self._guarded:
            return self._text(at + 1)
        if not self._defining:
            return None
        if self._form.page:
            if not self._complete and p.MAYBE_TASK.match(self._clean, at):
                return False
            task = p.TASK.match(self._clean, at)
            return self._text(task.end()) if task else None
        return self._label_definition(at)

    def _label_definition(self, at: int) -> bool | None:
        label = p.LABEL.match(self._clean, at)
        if label is None:
            waits = not self._complete and p.MAYBE_LABEL.match(self._clean, at)
            return False if waits else None
        after = self._next(label.end())
        if after == ":":
            self._guarded = True
            return self._text(at + 1)
        return False if after is None else None

    def _number_definition(self, match: p.Match) -> bool:
        """It would redirect the number, so it becomes words; a footnote stays."""
        if self._form.page:
            return self._inert(match.end() - 1)
        possible = self._defining or self._guarded
        if possible and "^" in match[0]:
            self._guarded = True
        elif possible or self._defined:
            self._defined, self._guarded = True, False
            self._put(("\\", ""), self._at)
        else:
            return self._inert(match.end())
        return self._text(match.end())
