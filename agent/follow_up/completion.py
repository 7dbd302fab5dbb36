"""
The words searched for a question, and what a conversation is about.

Words of the conversation are made harmless before they are added: letters and digits
stay, with the signs inside a word. Addresses, code, markers and signs that command a
search engine go: a title is a stranger's text.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from agent.events import Completion
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


@dataclass(frozen=True, slots=True)
class Change:
    """A place of the question, and the words that stand there in the query."""

    start: int
    end: int
    words: str
    before: str = ""  # signs around the words that are not marked
    behind: str = ""


def completed(question: str, changes: list[Change]) -> Completion:
    """Apply *changes* to *question*; without any it stays as typed."""
    query, at, added = "", 0, []
    for change in sorted(changes, key=lambda one: one.start):
        if not change.words or change.start < at:
            continue
        query += question[at : change.start] + change.before
        added.append((len(query), len(query) + len(change.words)))
        query += change.words + change.behind
        at = change.end
    return Completion(query + question[at:], question, tuple(added))


@dataclass(frozen=True, slots=True)
class Subjects:
    """The subject, person and pair that a question may refer to; '' where unknown."""

    subject: str = field(default="", repr=False)
    person: str = field(default="", repr=False)  # the last name, for he and she
    pair: str = field(default="", repr=False)  # two that are compared
    last: str = field(default="", repr=False)  # the last question, without signs

    @property
    def compared(self) -> str:
        """The two that are compared if the subject is one of them, else it alone."""
        return self.pair if self.subject in self.pair else self.subject


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
