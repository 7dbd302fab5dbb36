"""What Markdown's inline constructs look like; every pattern takes linear time."""

import re
from string import ascii_letters, digits
from typing import Final, Literal, NamedTuple

_DIGITS = "[0-9\uff10-\uff19]{1,4}"
_COMMA = "[ ]?[,\uff0c\u3001;\uff1b][ ]?"
_NUMBERS = rf"[ ]?\^?{_DIGITS}(?:{_COMMA}\^?{_DIGITS}){{0,20}}[ ]?"
MARKER: Final = re.compile(rf"\[{_NUMBERS}\]")
WIDE: Final = re.compile(rf"[\u3010\uff3b]{_NUMBERS}[\u3011\uff3d]")
MAYBE_MARKER: Final = re.compile(
    "[\\[\u3010\uff3b][ ^0-9\uff10-\uff19,\uff0c\u3001;\uff1b]{0,200}\\Z"
)
_FOLD = str.maketrans(
    "\uff10\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19", "0123456789"
)

# Where a construct may begin; all else is words. The ends of a chunk count: `ht`.
SPECIAL: Final = re.compile(
    "[\\\\`<\\[\\]!$:\u3010\uff3b]"
    "|(?<![A-Za-z0-9])(?i:https?://|h(?:t(?:t(?:ps?(?::/?)?)?)?)?\\Z|www\\.|w{1,3}\\Z)"
)
# The page makes links of what looks like an address once entities and escapes are read:
# there `&`, `@` and words before it count, too.
_PAGE = (
    "[\\\\`<\\[\\]!$:&@\u3010\uff3b]"
    "|(?<![A-Za-z0-9])(?i:https?://|www\\\\?\\.{more})"
    "|(?<![A-Za-z0-9.+-])[A-Za-z0-9][A-Za-z0-9_.+-]{{0,63}}+{end}"
)
_AT_END = "|h(?:t(?:t(?:ps?(?::/?)?)?)?)?\\Z|w{1,3}\\Z|www\\\\\\Z"
PAGE_SPECIAL: Final = re.compile(_PAGE.format(more=_AT_END, end="(?:@|\\Z)"))
PAGE_SPECIAL_AT_END: Final = re.compile(_PAGE.format(more="", end="@"))
ESCAPE: Final = re.compile(r"\\[!-/:-@\[-`{-~]")
RUN: Final = re.compile("`+")
WEB: Final = re.compile(r"(?i:https?://)")
WWW: Final = re.compile(r"(?i:www\.)")
PAGE_WWW: Final = re.compile(r"(?i:www\\?\.)")
SLASHES: Final = re.compile(r"\\?:(?:\\?/){2}")
MAYBE_SLASHES: Final = re.compile(r"\\?(?::(?:\\?/)?\\?)?\Z")
MAIL: Final = re.compile("[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}+@")
MAIL_SIGNS: Final = frozenset(f"{ascii_letters}{digits}_.+-")
HOST_SIGNS: Final = frozenset(f"{ascii_letters}{digits}_-")
# No need to write one of these as an entity, but to hide an address from us.
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
    ("<!--", 4, "-->"),
    ("<?", 2, "?>"),
    ("<![CDATA[", 9, "]]>"),
)
DECLARATION: Final = re.compile(r"<![A-Za-z]")
SHORT_COMMENT: Final = re.compile(r"<!---?>")

# A label with a definition: at the start of a line.
_LISTED = "[ \\t\\n^0-9,\uff0c\u3001;\uff1b]*+"
NUMBER_LABEL: Final = re.compile(rf"\[(?=[ \t\n^]*+[0-9]){_LISTED}\]:")
MAYBE_NUMBER_LABEL: Final = re.compile(rf"\[{_LISTED}\]?\Z")
LABEL: Final = re.compile(r"\[(?:[^\[\]\\]|\\.){1,999}+\]", re.DOTALL)
MAYBE_LABEL: Final = re.compile(r"\[(?:[^\[\]\\]|\\.){0,999}+\\?\Z", re.DOTALL)
# Escaped numbers, and the label of an escaped definition: no formula begins.
ESCAPED_MARKER: Final = re.compile(
    rf"\\\[(?:{_NUMBERS}\\\]|{_SPACE}*+\^?[0-9]*+{_SPACE}*+\])"
)
MAYBE_ESCAPED_MARKER: Final = re.compile(
    "\\\\\\[[ \t\n^0-9\uff10-\uff19,\uff0c\u3001;\uff1b]{0,200}\\\\?\\Z"
)
# A box to tick, at the beginning of a list item.
TASK: Final = re.compile(r"\[[ xX]\][ \t]")
MAYBE_TASK: Final = re.compile(r"\[(?:[ xX]\]?)?\Z")

CURRENCY: Final = re.compile(r"\$[0-9][0-9.,]*+(?![0-9A-Za-z\\^_{+*/=-])")
MAYBE_CURRENCY: Final = re.compile(r"\$[0-9][0-9.,]*+\Z")
HAN: Final = re.compile("[\u3001-\u303f\u3400-\u9fff\uff01-\uff5e]")

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

# A web address ends where no address goes on: space, quotes, Chinese punctuation.
_ADDRESS = re.compile(
    '[^\\s<>"`\\\\^{}|()\\[\\]\u3000-\u303f\u2018-\u201f\u2026\uff01-\uff0f\uff1a-\uff20'
    "\uff3b-\uff40\uff5b-\uff65]*+"
)
_WORDS_START = re.compile("://")
_WORDS = re.compile(_ADDRESS.pattern.replace("[^", "[^:"))

Match = re.Match[str]

_CLOSES = {"(": ")", "[": "]"}


class Tail(NamedTuple):
    """What follows `[text]` in a link: where it ends, and where it leads."""

    end: int
    target: str


Wait = Literal["wait"]
WAIT: Final = "wait"


def numbers_in(marker: str) -> list[int]:
    """The numbers of a marker; none where one of them can't be a citation."""
    found = re.findall("[0-9]+", marker.translate(_FOLD))
    return [] if any(word.startswith("0") for word in found) else [*map(int, found)]


def link_tail(text: str, at: int, *, complete: bool) -> Tail | Wait | None:
    """The `(target "title")` at *at*, or None where there is no such thing."""
    open_end: Wait | None = None if complete else WAIT
    start = _skip(text, at + 1)
    if start == len(text):
        return open_end
    place = _target(text, start, complete=complete)
    if not isinstance(place, Tail):
        return place
    end = _skip(text, place.end)
    if end > place.end and (title := _TITLE.match(text, end)):
        end = _skip(text, title.end())
    elif end > place.end and not complete and _MAYBE_TITLE.match(text, end):
        return WAIT
    if end == len(text):
        return open_end
    return Tail(end + 1, place.target) if text[end] == ")" else None


def address_end(text: str, at: int, *, words: bool = False) -> int:
    """
    Where the web address at *at* ends; brackets belong to it while they match.

    With *words* it ends before what would need an escape: a bracket, a colon.
    """
    if words:
        start = _WORDS_START.match(text, at)
        return _WORDS.match(text, start.end() if start else at).end()  # type: ignore[union-attr]
    awaited: list[str] = []
    end = at
    while True:
        end = _ADDRESS.match(text, end).end()  # type: ignore[union-attr]
        char = text[end : end + 1]
        if char in _CLOSES:
            awaited.append(_CLOSES[char])
        elif awaited and char == awaited[-1]:
            awaited.pop()
        else:
            return end
        end += 1


def _target(text: str, at: int, *, complete: bool) -> Tail | Wait | None:
    if text[at] == "<":
        if match := _ANGLE_TARGET.match(text, at):
            return Tail(match.end(), match[1])
        maybe = not complete and _MAYBE_ANGLE_TARGET.match(text, at)
        return WAIT if maybe else None
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
        return WAIT
    return Tail(end, text[at:end]) if depth <= 0 else None


def _skip(text: str, at: int) -> int:
    return _BLANK.match(text, at).end()  # type: ignore[union-attr]
