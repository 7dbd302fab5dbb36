"""
The words searched for a question, and what a conversation is about.

Words of the conversation are made harmless before they are added: letters and digits
stay, with the signs inside a word. Addresses, code, markers and signs that command a
search engine go: an answer can repeat a stranger's text.
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
        query += question[at : change.start] + change.before
        if change.words:
            added.append((len(query), len(query) + len(change.words)))
        query += change.words + change.behind
        at = change.end
    return Completion(query + question[at:], question, tuple(added))


@dataclass(frozen=True, slots=True)
class Topic:
    """The subject of the earlier questions; "" where it is not sure."""

    subject: str = field(default="", repr=False)
    person: str = field(default="", repr=False)  # whom “he” and “she” mean
    last: str = field(default="", repr=False)  # the last question as it was meant


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


def joined(question: str, start: int, end: int, meant: str) -> Change:
    """Put *meant* at a place, with a space between letters of the alphabet."""
    left, right = question[:start][-1:] + meant[:1], meant[-1:] + question[end:][:1]
    before, behind = (
        " " if both.isalnum() and any(map(str.isascii, both)) and len(both) > 1 else ""
        for both in (left, right)
    )
    return Change(start, end, meant, before, behind)


def instead(question: str, other: str, last: str, place: tuple[int, int]) -> Completion:
    """Ask the *last* question with *other* words of *question* at a place of it."""
    before, behind = last[: place[0]], last[place[1] :]
    if max(len(before), len(behind)) > MOST_ADDED:
        return Completion.typed(question)
    at = question.index(other)
    first = Change(0, at, harmless(before), behind=" " * before.endswith(" "))
    rest = harmless(behind)
    space = " " * (bool(rest) and behind.startswith(" "))
    return completed(
        question, [first, Change(at + len(other), len(question), rest, before=space)]
    )
