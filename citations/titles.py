"""Words of strangers, made one line that can't be read as Markdown."""

import re
import unicodedata
from typing import Final

MAX_TITLE: Final = 120

_JOINER = "\u200d"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
# Nothing of these can be seen. ZWNJ and ZWJ stay: Persian and emoji need them.
_UNSEEN = (
    "\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff"
)
_INVISIBLE = re.compile(f"[{_UNSEEN}]+")
# What no answer needs: the same, and control characters other than tab and line ends.
_UNWANTED = re.compile(f"[{_UNSEEN}\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]+")
_MARKUP = re.compile(
    r"[\\`*_\[\]<>|~$\"]|:(?=[A-Za-z])|&(?=#?[A-Za-z0-9]+;)"
    r"|^(?:[-+=#]|[0-9](?=[0-9]{0,8}[.)]))"
)


def visible(text: str) -> str:
    """*text* without what can't be seen; its lines and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return _UNWANTED.sub("", text)


def one_line(text: object, width: int = MAX_TITLE) -> str:
    """*text* as one visible line of at most *width* characters."""
    if not isinstance(text, str):
        return ""
    # Only the beginning can be shown: a title of a megabyte costs no more than others.
    text = text[: width * 20]
    line = " ".join(_INVISIBLE.sub("", _CONTROL.sub(" ", text)).split())
    return clip(line, width)


def clip(text: str, width: int) -> str:
    """At most *width* characters, never between a letter and its accent."""
    if len(text) <= width:
        return text
    cut = max(width - 1, 0)
    while cut > 0 and _joined(text, cut):
        cut -= 1
    return text[:cut].rstrip() + "…"


def escaped(text: str) -> str:
    """One line of words in which every sign that Markdown would read is an entity."""
    return _MARKUP.sub(lambda match: f"&#{ord(match[0])};", text)


def _joined(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    return (
        _JOINER in (before, after)
        or unicodedata.combining(after) > 0
        or "\ufe00" <= after <= "\ufe0f"
        or "\U0001f3fb" <= after <= "\U0001f3ff"
    )
