"""Text from strangers, made safe to store, show and cut."""

import re
import unicodedata
from html import unescape
from typing import Final

# Whitespace and control characters become a space.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
# Nothing of these can be seen: lone surrogates, zero-width and bidi controls, tag
# characters, the second block of variation selectors. ZWNJ and ZWJ stay: Persian
# and emoji need them.
_INVISIBLE = re.compile(
    "[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]+"
)
_SCRIPT = re.compile(r"<(script|style)\b[^<>]*>[^<]*(?:</\1\s*>)?", re.IGNORECASE)
# Only the tags that engines use, so that `List<String>` keeps its words.
_TAG = re.compile(
    r"</?(?:a|abbr|b|cite|code|em|font|i|mark|small|span|strong|sub|sup|u|wbr)"
    r"(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_BREAK = re.compile(
    r"</?(?:br|div|h[1-6]|hr|img|li|ol|p|table|td|tr|ul)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_MARKER = re.compile(r"\[(\^?[0-9]+(?:\s*[,，、]\s*[0-9]+)*)\]|【([0-9]+)】")
SHORT: Final = 80

_JOINER = "\u200d"
_FULL_WIDTH = {"!": "\uff01", ":": "\uff1a", "<": "\uff1c"}
_COMMAND = re.compile(r"(?<!\S)[!:<]")


def clean_text(text: object) -> str:
    """One line of plain text without markup, control or invisible characters."""
    if not isinstance(text, str):
        return ""
    if _is_plain(text):
        return text.strip()
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub(" ", _SCRIPT.sub(" ", text)))
    if "&" in text:
        text = unescape(text)
    return " ".join(_visible(text).split())


def clean_query(text: str) -> str:
    """The user's words as they are, less what can't be encoded or seen."""
    return _visible(text).strip()


def without_commands(query: str) -> str:
    """
    Words that a metasearch server would read as commands, made plain words.

    `!name` would choose engines or redirect, `:zh` the language, `<3` the time-out.
    The full-width twin of the sign keeps the word and is ignored as punctuation.
    """
    return _COMMAND.sub(lambda match: _FULL_WIDTH[match[0]], query)


def unmark(text: str) -> str:
    """Turn a stranger's `[1]` into `(1)`, so that it can't pass for one of ours."""
    return _MARKER.sub(lambda match: f"({match[1] or match[2]})", text)


def clip(text: str, width: int) -> str:
    """At most *width* characters, cut between characters as a reader sees them."""
    if len(text) <= width:
        return text
    cut = max(width - 1, 0)
    while cut > 0 and _joined(text, cut):
        cut -= 1
    return text[:cut].rstrip() + "…"


def short(text: object) -> str:
    """A stranger's name or reason, fit for a line of a report."""
    return clip(clean_text(text), SHORT)


def _is_plain(text: str) -> bool:
    """Most text is; the way round the regular expressions halves the cost of a page."""
    return (
        text.isascii()
        and text.isprintable()
        and not ("<" in text or "&" in text or "  " in text)
    )


def _visible(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return _INVISIBLE.sub("", _CONTROL.sub(" ", text))


def _joined(text: str, at: int) -> bool:
    """Whether the characters around *at* are one for the reader."""
    before, after = text[at - 1], text[at]
    if _JOINER in {before, after} or unicodedata.combining(after):
        return True
    if _is_modifier(after):
        return True
    return _is_flag(after) and _flags_before(text, at) % 2 == 1


def _is_modifier(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U0001f3fb" <= char <= "\U0001f3ff"


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flags_before(text: str, at: int) -> int:
    start = at
    while start > 0 and _is_flag(text[start - 1]):
        start -= 1
    return at - start
