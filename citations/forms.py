"""The forms in which models write a citation; in texts of strangers, made harmless."""

import re
from typing import Final
from urllib.parse import quote

# Words that name a source, before its number: `[citation:1]`, `[ref_1]`.
_WORDS: Final = ("citations", "cite", "refs", "webpage", "sources", "\u6765\u6e90")
_LATIN = "(?:citations?|cite|refs?|webpage|sources?)"
_SIGN = "[:\uff1a_]"
_NAME = f"(?:{_LATIN}(?: ?{_SIGN} ?| )|{_WORDS[-1]} ?{_SIGN}? ?)"
_DIGIT = "[0-9\uff10-\uff19]"
_COMMA = "[,\uff0c\u3001;\uff1b]"
_ITEM = rf"{_NAME}?\^?{_DIGIT}{{1,4}}\^?"
_NUMBERS = f" ?{_ITEM}(?: ?{_COMMA} ?{_ITEM}){{0,20}} ?"
# `【1†source】`; a second number is one of a message or a line, not of a source.
_TITLE = r"\u2020(?:[^\W0-9\uff10-\uff19]|[ .-]){0,40}"
_TWICE = rf"{_DIGIT}{{1,4}}(?::{_DIGIT}{{1,4}})?\u2020[\w .-]{{0,40}}"

MARKER: Final = re.compile(
    rf"\[(?:{_NUMBERS}|\[(?={_NAME}){_NUMBERS}\])\]", re.IGNORECASE
)
WIDE: Final = re.compile(
    f"[\u3010\uff3b](?:{_NUMBERS}|{_DIGIT}{{1,4}}{_TITLE})[\u3011\uff3d]", re.IGNORECASE
)
TWO_NUMBERS: Final = re.compile(f"[\u3010\uff3b]{_TWICE}[\u3011\uff3d]", re.IGNORECASE)

_NAMED = f"(?:{_LATIN}|{_WORDS[-1]})(?:[ \\t\\n]?{_SIGN})?"
_PART = f"(?:{_NAMED}|[ ^0-9\uff10-\uff19]|{_COMMA})"
_BEGUN = "|".join(word[:end] for word in _WORDS for end in range(len(word), 0, -1))
MAYBE_MARKER: Final = re.compile(
    rf"[\[\u3010\uff3b]\[?{_PART}{{0,300}}+"
    rf"(?:{_BEGUN}|(?::{_DIGIT}{{0,4}})?(?:\u2020[\w .-]{{0,40}})?)\]?\Z",
    re.IGNORECASE,
)
# The label of a definition: at the start of a line.
_PARTS = rf"(?:{_PART}|[\t\n])*+"
NUMBER_LABEL: Final = re.compile(
    rf"\[(?=(?:{_NAMED}|[ \t\n^])*+{_DIGIT}){_PARTS}\]:", re.IGNORECASE
)
MAYBE_NUMBER_LABEL: Final = re.compile(rf"\[{_PARTS}(?:{_BEGUN})?\]?\Z", re.IGNORECASE)
# Escaped numbers, and the label of an escaped definition: no formula begins.
ESCAPED_MARKER: Final = re.compile(
    rf"\\\[(?:{_NUMBERS}\\\]|(?:{_PART}|[\t\n]){{0,300}}+\])", re.IGNORECASE
)
MAYBE_ESCAPED_MARKER: Final = re.compile(
    rf"\\\[(?:{_PART}|[\t\n]){{0,300}}+(?:{_BEGUN})?\\?\Z", re.IGNORECASE
)
# Words of a link that are a number, and signs around it.
NUMBER: Final = re.compile(
    rf"[\W_]*(?:{_NAMED}[\W_]*)?([1-9][0-9]{{0,3}})(?:{_TITLE})?[\W_]*", re.IGNORECASE
)

_FOLD = str.maketrans(
    "\uff10\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19", "0123456789"
)

# Brackets in which somebody may write a citation, and what they become.
_OPENING = "[\u3010\u3014\u3016\u301a\uff3b\ufe5d\u2045\u2772\u27e6"
_CLOSING = "]\u3011\u3015\u3017\u301b\uff3d\ufe5e\u2046\u2773\u27e7"
_ROUND = str.maketrans(_OPENING + _CLOSING, "(" * len(_OPENING) + ")" * len(_CLOSING))
_OPEN, _CLOSE = (f"[{re.escape(signs)}]" for signs in (_OPENING, _CLOSING))
_BRACKET = re.compile(f"{_OPEN}|{_CLOSE}")
_ANY_DIGIT = "\\d\u00b2\u00b3\u00b9\u2070-\u2089\u2460-\u249b\u2776-\u2793"
_ANY_DIGITS = re.compile(f"[{_ANY_DIGIT}]")
# More words than those that make a link: a model could believe them, too.
_ANY_WORD = (
    f"(?:references?|{_LATIN}|src|notes?|web|docs?|results?|search|\u641c\u7d22"
    "|\u7ed3\u679c|\u6765\u6e90|\u8d44\u6599|\u5f15\u7528|\u53c2\u8003|\u6587\u732e"
    "|\u51fa\u5904|\u7f51\u9875|\u6ce8)"
)
# A run is read once, however many brackets it has; so time stays linear.
_RUN = re.compile(rf"{_OPEN}(?:{_ANY_WORD}|[\W_{_ANY_DIGIT}])*+", re.IGNORECASE)
_INSIDE = rf"[^{re.escape(_CLOSING)}\n]"
_TITLED = re.compile(
    rf"{_OPEN}[\W_]{{0,4}}(?:{_ANY_WORD}[\W_]{{0,4}})?[{_ANY_DIGIT}]"
    rf"(?:(?!\u2020)(?={_INSIDE})[\W_{_ANY_DIGIT}]){{0,20}}"
    rf"\u2020{_INSIDE}{{0,60}}{_CLOSE}+",
    re.IGNORECASE,
)
_LINK = re.compile(r"\](?=\()")


def numbers_in(marker: str) -> list[int]:
    """Return the numbers of a marker; none if one of them is no valid number."""
    found = re.findall("[0-9]+", marker.translate(_FOLD))
    return [] if any(word.startswith("0") for word in found) else [*map(int, found)]


def unmark(text: str) -> str:
    """
    Turn a stranger's `[1]` into `(1)`, so that it can't pass for one of ours.

    Every form that is read as a citation is changed likewise, and numbers as words of
    a link.
    """
    if text.translate(_ROUND) == text:
        return text
    text = _RUN.sub(_without_numbers, text)
    text = _TITLED.sub(lambda match: match[0].translate(_ROUND), text)
    return _LINK.sub("] ", text)


def unmark_url(url: str) -> str:
    """Percent-encode the brackets in *url*, except those of an IPv6 host."""
    scheme, separator, rest = url.partition("://")
    host = re.split("[/?#]", rest, maxsplit=1)[0]
    path = _BRACKET.sub(lambda sign: quote(sign[0]), rest[len(host) :])
    return f"{scheme}{separator}{host}{path}"


def _without_numbers(run: re.Match[str]) -> str:
    """Make brackets round, to the last behind a digit."""
    text = run[0]
    digit = _ANY_DIGITS.search(text)
    end = 1 + max(text.rfind(sign) for sign in _CLOSING)
    if digit is None or end < digit.end():
        return text
    return text[:end].translate(_ROUND) + text[end:]
