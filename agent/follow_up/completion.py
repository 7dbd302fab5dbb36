"""The words searched for a question, and what a conversation is about."""

from dataclasses import dataclass, field
from typing import Self


@dataclass(frozen=True, slots=True)
class Completion:
    """A question as it is searched; *added* are the places of words it did not have."""

    query: str = field(repr=False)
    asked: str = field(repr=False)
    added: tuple[tuple[int, int], ...] = ()

    @classmethod
    def typed(cls, question: str) -> Self:
        """Return the question as it was typed."""
        return cls(question, question)

    @property
    def is_changed(self) -> bool:
        """True if words were added."""
        return bool(self.added)

    def marked(self, before: str, behind: str) -> str:
        """Return the query with signs around each part that was added."""
        parts, at = [], 0
        for start, end in self.added:
            parts += [self.query[at:start], before, self.query[start:end], behind]
            at = end
        return "".join([*parts, self.query[at:]])


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
