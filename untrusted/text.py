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
# Signs that Markdown would read in a line, where they stand so that it would: no
# underscore within a word, no lone asterisk, no `<` before a number.
_SIGN = re.compile(
    r"\\(?=[!-/:-@\[-`{-~\u3010\uff3b]|\Z)|[`\[\]$]"
    r"|(?<![^\W_])_|_(?![^\W_])|(?<!\s)\*|\*(?!\s)"
    r"|<(?=[A-Za-z/!?])|&(?=#?[A-Za-z0-9]+;)"
)
_START = re.compile(r"([0-9]{1,9})(?=[.)](?:\s|\Z))|(?=[-+#=]+(?:\s|\Z)|>)")
# Brackets in which models write citations; no backslash changes them.
_WIDE = re.compile(
    "[\u3010\uff3b](?=[^\u3011\uff3d]{0,40}?[0-9\uff10-\uff19]"
    "[^\u3011\uff3d]{0,40}[\u3011\uff3d])"
)
# A run of backticks that no other closes is read whole: one search for each length.
_ESCAPED = re.compile(
    r"(?P<code>(`++)(?:.+?(?<!`)\2(?!`))?)|\\(?P<sign>[!-/:-@\[-`{-~])"
    "|&#(?P<wide>12304|65339);",
    re.DOTALL,
)
# Signs that the page reads beside those of Markdown, and in a paragraph of lines.
_DIRECTIVE = re.compile(r":(?=[A-Za-z])|(?<=[^\s\\])~")
_BARE_ADDRESS = re.compile(
    r"((?:https?:/+|www\.|xmpp:|mailto:)[^\s]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)",
    re.IGNORECASE,
)

_JOINER = "\u200d"
_FLAGS = "".join(map(chr, range(0x1F1E6, 0x1F200)))  # letters of flags
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
    """Escape a line for Markdown, which then shows its letters, and no marker."""
    text = _SIGN.sub(r"\\\g<0>", text)
    if text.count("~") > 1:  # two would strike out the words between them
        text = text.replace("~", r"\~")
    text = _START.sub(r"\1\\", text, count=1) if _START.match(text) else text
    return _WIDE.sub(lambda sign: f"&#{ord(sign[0])};", text)


def in_title(text: str) -> str:
    """Escape a line for the title of a link, also of one in a table."""
    return escaped(text).replace('"', "&quot;").replace("|", r"\|")


def code(address: str) -> str:
    """Write an address as Markdown's code, to be read and not followed."""
    return f"`{address.replace('`', '%60').replace('|', '%7C')}`"


def shown(text: str) -> str:
    """Escape a line for the page; bare addresses become code, so they are no links."""
    parts = _BARE_ADDRESS.split(text)
    return "".join(
        f"`{part.replace('`', '')}`"
        if number % 2
        else _DIRECTIVE.sub(r"\\\g<0>", escaped(part))
        for number, part in enumerate(parts)
    )


def for_terminal(markdown: str) -> str:
    """Write Markdown for a terminal: without escapes, which would look like letters."""

    def unescaped(match: re.Match[str]) -> str:
        wide = match["wide"] and chr(int(match["wide"]))
        return match["code"] or match["sign"] or wide

    return visible(_ESCAPED.sub(unescaped, markdown))


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
    if after in _FLAGS:  # two letters are a flag
        return (at - len(text[:at].rstrip(_FLAGS))) % 2 == 1
    return "\ufe00" <= after <= "\ufe0f" or "\U0001f3fb" <= after <= "\U0001f3ff"
