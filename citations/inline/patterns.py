"""Patterns of Markdown's inline constructs; each takes linear time."""

import re
from string import ascii_letters, digits
from typing import Final

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
    ("<!--", 4, "-->"),
    ("<?", 2, "?>"),
    ("<![CDATA[", 9, "]]>"),
)
DECLARATION: Final = re.compile(r"<![A-Za-z]")
SHORT_COMMENT: Final = re.compile(r"<!---?>")

# A label with a definition: at the start of a line.
_LIST = "[ \\t\\n^0-9\uff10-\uff19,\uff0c\u3001;\uff1b]"
NUMBER_LABEL: Final = re.compile(rf"\[(?=[ \t\n^]*+[0-9\uff10-\uff19]){_LIST}*+\]:")
MAYBE_NUMBER_LABEL: Final = re.compile(rf"\[{_LIST}*+\]?\Z")
LABEL: Final = re.compile(r"\[(?:[^\[\]\\]|\\.){1,999}+\]", re.DOTALL)
MAYBE_LABEL: Final = re.compile(r"\[(?:[^\[\]\\]|\\.){0,999}+\\?\Z", re.DOTALL)
# Escaped numbers, and the label of an escaped definition: no formula begins.
ESCAPED_MARKER: Final = re.compile(rf"\\\[(?:{_NUMBERS}\\\]|{_LIST}{{0,200}}+\])")
MAYBE_ESCAPED_MARKER: Final = re.compile(rf"\\\[{_LIST}{{0,200}}+\\?\Z")
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

CURRENCY: Final = re.compile(r"\$[0-9][0-9.,]*+(?![0-9A-Za-z\\^_{+*/=-])")
MAYBE_CURRENCY: Final = re.compile(r"\$[0-9][0-9.,]*+\Z")
HAN: Final = re.compile("[\u3001-\u303f\u3400-\u9fff\uff01-\uff5e]")


def numbers_in(marker: str) -> list[int]:
    """Return the numbers of a marker; none if one of them is no valid number."""
    found = re.findall("[0-9]+", marker.translate(_FOLD))
    return [] if any(word.startswith("0") for word in found) else [*map(int, found)]
