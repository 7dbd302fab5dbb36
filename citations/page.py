"""The page's form: links have titles, and nothing loads, hides or misleads."""

import re
from collections.abc import Callable, Sequence
from html import unescape
from string import ascii_letters, digits
from typing import Final

from citations import forms
from citations.markdown import patterns as p
from citations.markdown.formulas import Formula, formula_at
from citations.markdown.inline import Edit, Inline, Numbers, Opener, Shown
from citations.markdown.patterns import TRAILING, Tail, address_end, word_end
from untrusted.text import code, one_line, visible
from untrusted.urls import safe_url

_ALPHANUMERIC: Final = frozenset(ascii_letters + digits)
# Characters in front of an address that belong to it, or would change code.
_GLUE: Final = p.MAIL_SIGNS | frozenset("`:/@&\\#;<>")

_DRAWN: Final = 10_000  # letters of formulas; drawing a hundred of them takes 50 ms

_BACKSLASH = re.compile(r"\\([!-/:-@\[-`{-~])")
_SIGN = re.compile(r"[\[\]`$]")
_MAIL = re.compile(r"(?:mailto:)?[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+", re.IGNORECASE)
_COLON = re.compile(":(?=[A-Za-z])")
_WWW = re.compile("www[.]", re.IGNORECASE)
_ENTITY_BEGINS = re.compile(r"&(?=[#A-Za-z]|\Z)")
_ESCAPABLE = re.compile(r"[\[\]<`~!$\\]|:(?!/|\Z)")
_ADDRESS_BEGINS = re.compile(r"[Ww](?=\\*\.|\Z)|:(?=/|\Z)|@")
_WORDS = re.compile(r"[\w，。、；.-]+")
_PIPE = re.compile(r"(?<!\\)((?:\\\\)*)\|")
_HIDES = re.compile(r"\]\(|www|://|[@&\\<]", re.IGNORECASE)
# An even number of backslashes escapes no `|`.
_CELL_ENDS = re.compile(r"(\n[ \t>]*|(?:(?<!\\)|(?<=(?<!\\)\\\\))\|)")


class PageForm(Inline):
    """
    The form for the page, which also reads directives and bare addresses.

    Every bracket that is no link is escaped, so that no definition, footnote or image
    is left. Nothing leads anywhere but to a source: other addresses become code, to
    be read and copied.
    """

    special = p.PAGE_SPECIAL

    def __init__(
        self,
        link_of: Callable[[int], str | None],
        page_of: Callable[[str], str | None],
        image: str,
    ) -> None:
        super().__init__(link_of)
        self._room = _DRAWN
        self._page_of = page_of
        self._image = _signs(one_line(image))
        self._readers = {
            **self._readers,
            "&": self._entity,
            "@": self._at_sign,
        }

    def _clear(self) -> None:
        super()._clear()
        self._code_until = -1  # end of the last code, ours or the model's
        self._bare_slash = -1  # behind a backslash that escapes nothing

    def _put(
        self,
        end: int,
        text: str | None = None,
        inert: str | None = None,
        numbers: Numbers = None,
        start: int | None = None,
    ) -> None:
        if text is not None:
            inert = text if inert is None else inert
            # No sign before it changes code: a backslash, or the end of other code.
            if self._at == self._bare_slash and text.startswith(("`", "<")):
                text = "\\" + text
            elif self._at == self._code_until and text.startswith("`"):
                text = " " + text
        if (self._raw[end - 1 : end] if text is None else text).endswith("`"):
            self._code_until = end
        super()._put(end, text, inert, numbers, start)

    # Markers and brackets

    def _unlinked(self, source: str) -> str:
        # Escaped, no definition makes a link of it, and it ends no code that we write.
        return _signs(source)

    def _definition(self, at: int) -> bool:
        if match := forms.NUMBER_LABEL.match(self._clean, at):
            self._inert(match.end() - 1)
            return True
        self._wait_if(forms.MAYBE_NUMBER_LABEL, at)
        if not self._blank:
            return False
        self._wait_if(p.MAYBE_TASK, at)
        task = p.TASK.match(self._clean, at)
        if task:
            self._text(task.end())
        return task is not None

    def _push(self, at: int, end: int) -> None:
        super()._push(at, end)
        if at == self._code_until:
            self._openers[-1].before = "`"

    def _marker_after_bang(self, end: int) -> None:
        """Escape the `!`, or it would make the link an image."""
        del end
        self._put(self._at + 1, r"\!")

    # Links and images

    def _link(self, opener: Opener, tail: Tail, inner: Sequence[Edit]) -> Shown:
        after = self._next(tail.end) if opener.is_image else ""
        words = self._edited(opener.end, inner)
        dead = self._edited(opener.end, inner, inert=True)
        cited = tuple(number for edit in inner for number in edit.numbers or ())
        numbers: Numbers = cited or None
        if opener.is_image:
            text = inert = self._image
            if dead.strip():
                text, inert = f"{text} {words}", f"{text} {dead}"
        else:
            text, inert, numbers = self._linked(words, dead, numbers, tail.target)
        # Without its brackets, the text must not form an address with its neighbours.
        if after and (after in _GLUE or text.endswith("!")):
            text, inert = f"{text} ", f"{inert} "
        if opener.before in _GLUE and not text.startswith(("[", "\\")):
            text = f" {text}"
        return (text, inert, numbers)

    def _linked(self, words: str, dead: str, numbers: Numbers, target: str) -> Shown:
        """Write a link of the model: it has no title, and leads to a source only."""
        target = unescape(_BACKSLASH.sub(r"\1", target))
        if match := forms.NUMBER.fullmatch(dead):
            number = int(match[1])
            known = self._link_of(number)
            if known or "[" in dead:  # a number leads to its own source or nowhere
                text = rf"\[{number}\]"
                plain = _WORDS.fullmatch(target) and not _WWW.search(target)
                rest = f"({target})" if known and plain else ""
                return ((known or text) + rest, text, (number,) if known else None)
        if page := self._page_of(target):
            dead = _PIPE.sub(r"\1\|", dead)
            return (f"[{dead}]({page})", rf"\[{dead}\]", None)
        where = f" ({code(target)})" if _usable(target) else ""
        text = f"{words}{where}" if where else rf"\[{words}\]"
        return (text, rf"\[{dead}\]", numbers)

    # Escapes, code, HTML

    def _backslash(self, at: int) -> None:
        after = self._next(at + 1)
        if after and after in "hH":
            # An address may follow, and its `<` must not be escaped.
            self._put(at + 1, r"\\")
        elif after == "@":
            self._at_sign(at)
        elif not (after == ":" and self._slashes(at)):
            if not p.ESCAPE.match(self._clean, at):
                self._bare_slash = at + 1
            super()._backslash(at)

    def _code_span(self, end: int) -> None:
        """Split code in the first row of a table: a `|` ends it, and a link begins."""
        source = self._raw[self._at : end]
        if "|" in source and self._is_last_line(end):
            self._next(len(self._clean))
            if self._before_table:
                fence = "`" * (len(source) - len(source.lstrip("`")))
                parts = _CELL_ENDS.split(source[len(fence) : -len(fence)])
                for number, part in enumerate(parts):
                    if not number % 2 and part.strip():
                        pad = " " if "`" in part[:1] + part[-1:] else ""
                        parts[number] = fence + pad + part + pad + fence
                source = "".join(parts)
        self._put(end, source)

    def _drawn(self, formula: Formula) -> None:
        """Write a formula in the signs of the page, or as code behind very many."""
        start, end = self._at, formula.end
        lines = [line.strip() for line in formula.inner.split("\n")]
        inner = " ".join(lines)
        indent = self._alone(end) if formula.is_block else None
        in_dollars = f"${inner}$" + self._next(end)
        if len(inner) > self._room:
            source = " ".join(self._clean[start:end].split())
            text = f"`{source.replace('`', '´')}`"
        elif indent is not None:
            text = ("\n" + indent).join(["$$", *lines, "$$"])
        elif (
            formula.is_block
            or "$" in inner
            or self._before(start) in _ALPHANUMERIC
            or formula_at(in_dollars, 0, complete=True) is None
        ):
            space = " " if "$" in inner[:1] + inner[-1:] else ""
            text = f"$${space}{inner}{space}$$"
        else:
            text = f"${inner}$"
        self._room -= len(inner)
        # Two signs in a row would be another sign.
        self._put(end, f" {text}" if start == self._formula_end else text)

    def _alone(self, end: int) -> str | None:
        """Return what begins the line of a formula; None if it is not alone in it."""
        while self._next(end) in (" ", "\t"):
            end += 1
        begin = self._clean.rfind("\n", 0, self._at) + 1
        is_alone = not self._clean[begin : self._at].strip()
        if self._is_held or not is_alone or self._next(end) not in ("", "\n"):
            return None
        # A lazy line of a quote or an item begins otherwise than the others.
        is_lazy = begin and self.indent is not None
        return self._raw[begin : self._at] if is_lazy else self.indent

    def _tag(self, end: int) -> None:
        """Read HTML; a table could take apart a tag with an address in it."""
        html = self._raw[self._at : end]
        if "|" in html and _HIDES.search(html):
            self._put(self._at + 1, r"\<")
        else:
            self._text(end)

    def _entity(self, at: int) -> None:
        """Keep an entity, or escape it if it could hide an address."""
        match = p.ENTITY.match(self._clean, at)
        if match is None:
            self._wait_if(p.MAYBE_ENTITY, at)
            self._text(at + 1)
        elif p.ADDRESS_SIGN.search(unescape(match[0])):
            self._put(at + 1, "&amp;")
        else:
            self._text(match.end())

    # Addresses

    def _autolink(self, match: re.Match[str]) -> None:
        source, target = self._raw[match.start() : match.end()], match[1]
        text = _COLON.sub(r"\:", "\\" + _signs(source))
        if page := self._page_of(target):
            self._put(match.end(), f"<{page}>", text)
        elif _usable(target):
            self._put(match.end(), code(target), text)
        else:
            self._put(match.start() + 1, r"\<")

    def _colon(self, at: int) -> None:
        if self._slashes(at):
            return
        after = self._next(at + 1)
        if after.isascii() and after.isalpha():
            self._put(at + 1, r"\:")  # `:name` would be a directive
        else:
            self._text(at + 1)

    def _slashes(self, at: int) -> bool:
        """Read a `://`, with backslashes or without; False where there is none."""
        match = p.SLASHES.match(self._clean, at)
        if match is None:
            self._wait_if(p.MAYBE_SLASHES, at)
            return False
        if not self._before(at).isalnum():
            return False
        self._other_address(at, match.end())
        return True

    def _address(self, at: int) -> None:
        """Read http(s), `www.`, a name with an `@`, or the end of the text so far."""
        if match := p.WEB.match(self._clean, at):
            end = address_end(self._clean, match.end(), complete=self._complete)
            end = at + len(self._clean[at:end].rstrip(TRAILING))
            if end <= match.end():
                self._other_address(at, match.end())
                return
            source = self._raw[at:end]
            text = _COLON.sub(r"\:", _signs(source))
            # Angle brackets mark the end of the address: `https://example.org）[1]`.
            page = self._page_of(source)
            self._put(end, f"<{page}>" if page else code(source), text)
        elif match := p.PAGE_WWW.match(self._clean, at):
            self._other_address(at, match.end())
        elif match := p.MAIL.match(self._clean, at):
            self._mail(at, match.end() - 1)
        else:
            self._next(len(self._clean))
            self._text(at + 1)

    def _at_sign(self, at: int) -> None:
        """Read an `@` whose name is already written; the page would link both."""
        if self._before(at) in p.MAIL_SIGNS:
            self._mail(at, at)
        else:
            self._text(at + 1 + (self._clean[at] == "\\"))

    def _mail(self, at: int, sign: int) -> None:
        """Read a mail address with its `@` at *sign*, with a backslash or without."""
        if match := p.MAIL_HOST.match(self._clean, sign):
            self._other_address(at, match.end())
        else:
            self._wait_if(p.MAYBE_MAIL_HOST, sign)
            self._text(sign + 1 + (self._clean[sign] == "\\"))

    def _other_address(self, at: int, host: int) -> None:
        """Make code of an address that the page would link, but is not http(s)."""
        end = word_end(self._clean, host, complete=self._complete)
        # A `!` is left out: in front of a link it would make an image.
        end = max(at + len(self._clean[at:end].rstrip(TRAILING)), at + 1, host)
        source = self._raw[at:end]
        shown = code(source.replace("\\", ""))
        self._put(end, shown, _COLON.sub(r"\:", source).replace("$", r"\$"))


def harmless(text: str) -> str:
    """Escape the whole *text*, so that no part of it is read as an address."""
    text = _ENTITY_BEGINS.sub("&amp;", visible(text))
    text = _ESCAPABLE.sub(r"\\\g<0>", text)
    return _ADDRESS_BEGINS.sub(r"`\g<0>`", text)


def _signs(text: str) -> str:
    return _SIGN.sub(r"\\\g<0>", text)


def _usable(target: str) -> bool:
    return bool(_MAIL.fullmatch(target)) or safe_url(target) is not None
