"""Find where a link's target and a bare address end."""

import re
from typing import Final, NamedTuple

TRAILING: Final = "!?.,:;*_~'&$"  # punctuation of a sentence, not of an address

_SPACE = r"[ \t\n]"
_BLANK = re.compile(rf"{_SPACE}*+")
_ANGLE_TARGET = re.compile(r"<((?:[^<>\n\\]|\\[^\n])*+)>")
_MAYBE_ANGLE_TARGET = re.compile(r"<(?:[^<>\n\\]|\\[^\n])*+\\?\Z")
_TARGET = re.compile(r"(?:[^\\()\x00-\x20\x7f]|\\[!-/:-@\[-`{-~]|\\)*+")
_TITLE = re.compile(
    r"\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\)", re.DOTALL
)
_MAYBE_TITLE = re.compile(
    r"(?:\"(?:[^\"\\]|\\.)*+|'(?:[^'\\]|\\.)*+|\((?:[^()\\]|\\.)*+)\\?\Z", re.DOTALL
)
_DEEPEST = 32

# A web address ends before a space, quotes or Chinese punctuation.
_ADDRESS = re.compile(
    '[^\\s<>"`\\\\^{}|()\\[\\]\u3000-\u303f\u2018-\u201f\u2026\uff01-\uff0f\uff1a-\uff20'
    "\uff3b-\uff40\uff5b-\uff65]*+"
)
_WORDS = re.compile(_ADDRESS.pattern.replace("[^", "[^:"))
_CLOSES = {"(": ")", "[": "]"}


class Tail(NamedTuple):
    """The part of a link behind `[text]`: its end and its target."""

    end: int
    target: str


class Undecided(Exception):  # a signal to wait, not an error
    """More text is needed."""


def link_tail(text: str, at: int, *, complete: bool) -> Tail | None:
    """Return the `(target "title")` at *at*; None if there is none."""
    start = _skip(text, at + 1, complete=complete)
    if start == len(text):
        return None
    place = _target(text, start, complete=complete)
    if place is None:
        return None
    end = _skip(text, place.end, complete=complete)
    if end > place.end and (title := _TITLE.match(text, end)):
        end = _skip(text, title.end(), complete=complete)
    elif end > place.end and not complete and _MAYBE_TITLE.match(text, end):
        raise Undecided
    return Tail(end + 1, place.target) if text[end : end + 1] == ")" else None


def address_end(text: str, at: int, *, complete: bool) -> int:
    """Return the end of an address; a `[` needs its `]`."""
    opened: list[tuple[str, int]] = []
    end = at
    while True:
        end = _ADDRESS.match(text, end).end()  # type: ignore[union-attr]
        char = text[end : end + 1]
        if char in _CLOSES:
            opened.append((_CLOSES[char], end))
        elif opened and char == opened[-1][0]:
            opened.pop()
        elif not char and not complete:
            raise Undecided
        else:
            return next((begin for closer, begin in opened if closer == "]"), end)
        end += 1


def word_end(text: str, at: int, *, complete: bool) -> int:
    """Return the end before a character that needs an escape: a bracket, a colon."""
    start = at + 3 * text.startswith("://", at)
    end = _WORDS.match(text, start).end()  # type: ignore[union-attr]
    if end == len(text) and not complete:
        raise Undecided
    return end


def _target(text: str, at: int, *, complete: bool) -> Tail | None:
    if text[at] == "<":
        if match := _ANGLE_TARGET.match(text, at):
            return Tail(match.end(), match[1])
        if not complete and _MAYBE_ANGLE_TARGET.match(text, at):
            raise Undecided
        return None
    end, depth = at, 0
    while True:
        end = _TARGET.match(text, end).end()  # type: ignore[union-attr]
        char = text[end : end + 1]
        depth += (char == "(") - (char == ")")
        if char not in ("(", ")") or depth < 0:
            break
        if depth > _DEEPEST:
            return None
        end += 1
    if end == len(text) and not complete:
        raise Undecided
    return Tail(end, text[at:end]) if depth <= 0 else None


def _skip(text: str, at: int, *, complete: bool) -> int:
    """Return the end of white space, behind which there is something."""
    end = _BLANK.match(text, at).end()  # type: ignore[union-attr]
    if end == len(text) and not complete:
        raise Undecided
    return end
