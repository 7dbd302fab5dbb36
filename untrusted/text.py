"""Clean, cut and escape foreign text."""

import re
import unicodedata
from html import unescape
from typing import Final

MAX_TITLE: Final = 120
SHORT: Final = 80

# Whitespace and control characters become a space.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
# Invisible: lone surrogates, zero-width and direction controls, tag characters, the
# second block of variation selectors. ZWNJ and ZWJ stay: Persian and emoji need them.
_UNSEEN = (
    "\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff"
)
_INVISIBLE = re.compile(f"[{_UNSEEN}]+")
# Also control characters other than tab and line ends.
_UNWANTED = re.compile(f"[{_UNSEEN}\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]+")


def _tags(names: str) -> re.Pattern[str]:
    return re.compile(rf"</?(?:{names})(?:\s[^<>]*)?/?>", re.IGNORECASE)


_SCRIPT = re.compile(r"<(script|style)\b[^<>]*>[^<]*(?:</\1\s*>)?", re.IGNORECASE)
# Only the tags that engines use, so that `List<String>` keeps its words.
_TAG = _tags("a|abbr|b|cite|code|em|font|i|mark|small|span|strong|sub|sup|u|wbr")
_BREAK = _tags("br|div|h[1-6]|hr|img|li|ol|p|table|td|tr|ul")
# Signs with a meaning for Markdown or the page inside a line.
_MARKUP = re.compile(
    r"[\\`*_\[\]<>|~$\"]|:(?=[A-Za-z])|&(?=#?[A-Za-z0-9]+;)"
    r"|^(?:[-+=#]|[0-9](?=[0-9]{0,8}[.)]))"
)
_BARE_ADDRESS = re.compile(
    r"((?:https?:/+|www\.|xmpp:|mailto:)[^\s]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)",
    re.IGNORECASE,
)

_JOINER = "\u200d"
_FULL_WIDTH = {"!": "\uff01", ":": "\uff1a", "<": "\uff1c"}
_COMMAND = re.compile(r"(?<!\S)[!:<]")


def clean_text(text: object) -> str:
    """One line of plain text without markup, control or invisible characters."""
    if not isinstance(text, str):
        return ""
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub(" ", _SCRIPT.sub(" ", text)))
    if "&" in text:
        text = unescape(text)
    return " ".join(_printable(text).split())


def clean_query(text: str) -> str:
    """Remove from a query the characters that can't be encoded or seen."""
    return _printable(text).strip()


def without_commands(query: str) -> str:
    """
    Turn the commands of a metasearch server in *query* into plain words.

    `!name` would choose engines or redirect, `:zh` the language, `<3` the time-out.
    The full-width twin of the sign keeps the word and is ignored as punctuation.
    """
    return _COMMAND.sub(lambda match: _FULL_WIDTH[match[0]], query)


def visible(text: str) -> str:
    """Remove the invisible characters of *text*; its lines and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return _UNWANTED.sub("", text)


def one_line(text: object, width: int = MAX_TITLE) -> str:
    """Make *text* one visible line of at most *width* characters, '' if it is none."""
    if not isinstance(text, str):
        return ""
    # Only the beginning is cleaned, so a title of a megabyte costs no more.
    line = " ".join(_printable(text[: width * 20]).split())
    return clip(line, width)


def escaped(text: str) -> str:
    """Escape a line for Markdown: write each special character as an entity."""
    return _MARKUP.sub(lambda match: f"&#{ord(match[0])};", text)


def shown(text: str) -> str:
    """Escape a line for the page; bare addresses become code, so they are no links."""
    parts = _BARE_ADDRESS.split(text)
    return "".join(
        f"`{part.replace('`', '')}`" if number % 2 else escaped(part)
        for number, part in enumerate(parts)
    )


def clip(text: str, width: int) -> str:
    """Cut *text* to *width* characters, never inside a combined character."""
    if len(text) <= width:
        return text
    cut = max(width - 1, 0)
    while cut > 0 and _joined(text, cut):
        cut -= 1
    return text[:cut].rstrip() + "…"


def short(text: object) -> str:
    """Clean and cut a foreign name or reason for one line of a report."""
    return clip(clean_text(text), SHORT)


def _printable(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return _INVISIBLE.sub("", _CONTROL.sub(" ", text))


def _joined(text: str, at: int) -> bool:
    """Tell whether the characters around *at* form one combined character."""
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
