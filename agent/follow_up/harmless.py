"""
Make words of the conversation harmless before they are added to a query.

Letters and digits stay, with the signs inside a word. Addresses, code, markers and the
signs that command a search engine go: a title is a stranger's text.
"""

import re
from typing import Final

from untrusted.text import clean_text, clip

MOST_ADDED: Final = 60  # characters

_CODE = re.compile(r"```.*?(?:```|$)|`[^`]*`?", re.DOTALL)
_ADDRESS = re.compile(
    r"(?:[a-z][a-z0-9+.-]*:/+|www\.)[^\s\u3000-\u303f\uff00-\uffef]*"
    r"|\b(?:javascript|data|mailto|site|inurl|intitle|filetype|cache|related):\S*"
    r"|[\w.+-]+@[\w.-]+"
    r"|(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w])(?:[:/?]\S*)?"
    r"|(?<![\w.-])(?:[\w-]+\.)+(?!js\b(?![:/?]))[a-z][\w-]+(?:[:/?]\S*)?",
    re.IGNORECASE | re.ASCII,
)
_MARKER = re.compile(
    r"[\[\u3010\uff3b\u3014][^\[\]\u3010\u3011]{0,12}[\]\u3011\uff3d\u3015]"
)
# A word with the signs inside of it: C++, C#, GPT-4o, O'Neill, 3.14, AT&T.
_WORD = re.compile(
    r"[^\W_]+(?:[-'\u2019\u00b7&][^\W_]+|(?<=[A-Za-z0-9])\.[A-Za-z0-9]+"
    r"|[+#]+(?![^\W_]))*|[\u300a\u300b]"
)


def without_addresses(text: str) -> str:
    """Return *text* with a space in place of each address."""
    return _ADDRESS.sub(" ", text)


def harmless(words: str, most: int = MOST_ADDED) -> str:
    """Return *words* in one line of letters and digits, at most *most* characters."""
    text = _CODE.sub(" ", words[: most * 20])
    text = _MARKER.sub(" ", _ADDRESS.sub(" ", clean_text(text)))
    kept = [(one[0], one.start(), one.end()) for one in _WORD.finditer(text)]
    line, last = "", 0
    for word, start, end in kept:
        gap = text[last:start]
        line += (" " if line and gap else "") + word
        last = end
    return clip(line, most).rstrip("\u2026 ")
