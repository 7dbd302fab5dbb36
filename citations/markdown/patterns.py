"""Patterns of Markdown's inline constructs, and where they end; in linear time."""

import re
from string import ascii_letters, digits
from typing import Final, NamedTuple

# Possible beginnings of a construct; all else is text. The ends of a chunk count: `ht`.
SPECIAL: Final = re.compile(
    "[\\\\`<\\[\\]!$:\u3010\uff3b]"
    "|(?<![A-Za-z0-9])(?i:https?://|h(?:t(?:t(?:ps?(?::/?)?)?)?)?\\Z|www\\.|w{1,3}\\Z)"
)
# The page links addresses, also those that appear once entities and escapes are read:
# so `&`, `@` and the words before it count too.
PAGE_SPECIAL: Final = re.compile(
    "[\\\\`<\\[\\]!$:&@\u3010\uff3b]"
    "|(?<![A-Za-z0-9])(?i:https?://|h(?:t(?:t(?:ps?(?::/?)?)?)?)?\\Z"
    "|www\\\\?\\.|w{1,3}\\Z|www\\\\\\Z)"
    "|(?<![A-Za-z0-9.+-])[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}+(?:@|\\Z)"
)
ESCAPE: Final = re.compile(r"\\[!-/:-@\[-`{-~]")
RUN: Final = re.compile("`+")
WEB: Final = re.compile(r"(?i:https?://)")
WWW: Final = re.compile(r"(?i:www\.)")
PAGE_WWW: Final = re.compile(r"(?i:www\\?\.)")
SLASHES: Final = re.compile(r"\\?:(?:\\?/){2}")
MAYBE_SLASHES: Final = re.compile(r"\\?(?::(?:\\?/)?\\?)?\Z")
MAIL: Final = re.compile("[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}+@")
MAIL_SIGNS: Final = frozenset(f"{ascii_letters}{digits}_.+-")
MAIL_HOST: Final = re.compile(r"\\?@(?=[A-Za-z0-9_-]|\\[_-])")
MAYBE_MAIL_HOST: Final = re.compile(r"\\?@\\?\Z")
# Entities of these characters serve only to hide an address.
ADDRESS_SIGN: Final = re.compile("[A-Za-z0-9_.+:/@-]")
ENTITY: Final = re.compile(
    "&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
)
MAYBE_ENTITY: Final = re.compile("&(?:#[xX]?[0-9A-Fa-f]{0,7}|[A-Za-z0-9]{1,32})?\\Z")

AUTOLINK: Final = re.compile(
    r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\x00-\x20]*+|"
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]++@[A-Za-z0-9.-]++)>"
)
SPACE: Final = re.compile(r"[ \t\n]")
CLOSE: Final = re.compile(r"(?<!\\)\)")
HALF_AUTOLINK: Final = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]*+:[^<>\x00-\x20]*+\Z")
_SPACE = r"[ \t\n]"
_VALUE = rf"{_SPACE}*+={_SPACE}*+(?:[^\"'=<>`\x00-\x20]++|'[^']*+'|\"[^\"]*+\")"
_ATTRIBUTE = rf"(?:{_SPACE}++[A-Za-z_:][A-Za-z0-9:._-]*+(?:{_VALUE})?+)"
_OPEN = rf"[A-Za-z][A-Za-z0-9-]*+{_ATTRIBUTE}*+"
TAG: Final = re.compile(
    rf"<(?:{_OPEN}{_SPACE}*+/?>|/[A-Za-z][A-Za-z0-9-]*+{_SPACE}*+>)"
)
MAYBE_ANGLE: Final = re.compile(
    rf"<(?:{_OPEN}(?:{_SPACE}*+/?|{_SPACE}*+={_SPACE}*+(?:'[^']*+|\"[^\"]*+)?)\Z"
    rf"|/(?:[A-Za-z][A-Za-z0-9-]*+{_SPACE}*+)?\Z|!(?:-|\[[A-Z]{{0,5}})?\Z"
    r"|[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-][^<>\x00-\x20]*+\Z|\Z)"
)
# Other HTML: how it begins, the shortest beginning, how it ends.
HTML_ENDS: Final = (
    (re.compile("<!--"), 4, "-->"),
    (re.compile(r"<\?"), 2, "?>"),
    (re.compile(r"<!\[CDATA\["), 9, "]]>"),
    (re.compile("<![A-Za-z]"), 3, ">"),
)
SHORT_COMMENT: Final = re.compile(r"<!---?>")

# A label, which may have a definition.
LABEL: Final = re.compile(r"\[(?:[^\[\]\\]|\\.){1,999}+\]", re.DOTALL)
MAYBE_LABEL: Final = re.compile(r"\[(?:[^\[\]\\]|\\.){0,999}+\\?\Z", re.DOTALL)
# Signs that turn the words behind `[^1]:` into an address, plain or as an escape.
_SCHEME = "[A-Za-z][A-Za-z0-9+.-]{0,40}+"
DEFINED_ADDRESS: Final = re.compile(
    rf"{_SPACE}*+(?:[</]|\\[!-/:-@\[-`{{-~]|&[#A-Za-z]|(?i:www\.)"
    rf"|{_SCHEME}(?::[^ \t\n]|\\[!-/:-@\[-`{{-~]|&[#A-Za-z]))"
)
MAYBE_DEFINED_ADDRESS: Final = re.compile(
    rf"{_SPACE}*+(?:\\|&|{_SCHEME}(?::|\\|&)?)?\Z"
)
# A box to tick, at the beginning of a list item.
TASK: Final = re.compile(r"\[[ xX]\][ \t]")
MAYBE_TASK: Final = re.compile(r"\[(?:[ xX]\]?)?\Z")

# Where a marker can be removed, as nothing it stands between becomes markup: behind a
# letter, which begins no block and ends no label or tag, and before the end of words.
AFTER_WORD: Final = re.compile(r"[^\W\d_][^\n\]>]*\Z")
_ENDS = "[.,;:!?*\"')\u2019\u201d]"
PUNCTUATED: Final = re.compile(
    rf"{_ENDS}{{0,8}}(?:[ \t\n|\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f]|\Z)"
)
MAYBE_PUNCTUATED: Final = re.compile(rf"{_ENDS}{{0,8}}\Z")
APART: Final = "\u200c"  # has no width, and is no space

DOLLARS: Final = re.compile(r"\$+")

# Targets of links, and bare addresses.
TRAILING: Final = "!?.,:;*_~'&$"  # punctuation of a sentence, not of an address

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
_ADDRESS_WORDS = re.compile(_ADDRESS.pattern.replace("[^", "[^:"))
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
    if not complete and "://".startswith(text[at:]):
        raise Undecided
    end = _ADDRESS_WORDS.match(text, start).end()  # type: ignore[union-attr]
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
