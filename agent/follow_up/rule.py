"""Follow the subject of a conversation, and complete questions with it by rule."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol

from agent.events import Completion
from agent.follow_up import chinese, english
from agent.follow_up.completion import (
    Subjects,
    harmless,
    without_addresses,
)
from text.language import HAN

MOST_READ: Final = 300  # characters of a question that are looked at
_MOST_TITLE: Final = 30
# Sums and code name no subject.
_SUM = re.compile(
    r"[\s\d.,+\-*/\u00d7\u00f7=()^%]*\d[\s\d.,+\-*/\u00d7\u00f7=()^%]*"
    r"(?:等于|是|得)?(?:几|多少)?[?？]?"
)
_CODE = re.compile(
    r"\s*(?:```[\s\S]*|`[^`]*`|[\w.]+\([^()]*\)\s*;?|[\w.\[\]]+\s*[-+*/]?=[^=].*"
    r"|(?:import|from|def|class|return|select|sudo|pip|npm|git)\s[^?]*[.:;=()*-][^?]*)\s*",
    re.IGNORECASE | re.ASCII,
)
_MOST_FILLER: Final = 80  # characters; a longer turn tells of something
# A title's leading words end where the name of the site begins, or an explanation.
_TITLE_ENDS = re.compile(
    r"\s[-\u2013\u2014|\u00b7]\s|[_|:\uff1a\uff5c]|\u2014\u2014|\s\(|\uff08"
)
_JOINING = re.compile("\\s(?:and|or|vs)\\s|[\u548c\u4e0e\u8ddf\u3001]", re.IGNORECASE)


class Rule:
    """
    What the conversation is about, question by question.

    The user's own questions come first; the titles of the sources that the last answer
    cited stand in where no question has named a subject.
    """

    def __init__(self) -> None:
        self._subjects = Subjects()
        self._title = ""

    def complete(self, question: str) -> Completion:
        """Complete *question* where it leans on the conversation."""
        if len(question) > MOST_READ or _is_filler(question):
            return Completion.typed(question)
        known = self._subjects
        if not known.subject:
            known = replace(known, subject=self._title)
        return _language_of(question).complete(question, known)

    def follow(
        self, completion: Completion, titles: Sequence[str] | None = None
    ) -> None:
        """Take in a question as it was searched, and the *titles* its answer cited."""
        question, query = completion.asked[:MOST_READ], completion.query[:MOST_READ]
        if _is_filler(question):
            return
        question, query = without_addresses(question), without_addresses(query)
        known, language = self._subjects, _language_of(question)
        person = harmless(language.person_of(query)) or known.person
        if person in known.person and known.person in query:
            person = known.person  # a part of it: who wrote Harry Potter
        subject, pair = known.subject, harmless(language.pair_of(query))
        if not completion.is_changed:
            subject = harmless(language.subject_of(question, subject))
        elif not _names(query, subject):
            subject = harmless(language.subject_of(query, "")) or known.subject
            # “那华山呢？” puts it beside the subject before it.
            joining = " and " if language is english else "和"
            pair = pair or joining.join(filter(None, [known.subject, subject]))
        if language is chinese and subject != known.subject and person == known.person:
            person = subject
        last = harmless(query)
        self._subjects = Subjects(subject, person, pair or known.pair, last)
        self.cite(titles)

    def cite(self, titles: Sequence[str] | None) -> None:
        """Take in the *titles* that an answer cited; None where there was none."""
        if titles is not None:
            self._title = next(filter(None, map(_leading_words, titles)), "")


def leans(question: str) -> bool:
    """Tell if *question* would be completed, whatever the subject is."""
    return _language_of(question).complete(question, Subjects("x", "x")).is_changed


def _is_filler(question: str) -> bool:
    """Tell if a turn says nothing of a subject: a greeting, a sum, code."""
    if _SUM.fullmatch(question):
        return True
    if _CODE.fullmatch(question) and not HAN.search(question):
        return True
    return len(question) <= _MOST_FILLER and _language_of(question).is_talk(question)


def _names(query: str, subject: str) -> bool:
    """Tell if *query* names *subject*, or one of two that are compared."""
    return bool(subject) and any(part in query for part in _JOINING.split(subject))


def _leading_words(title: str) -> str:
    return harmless(_TITLE_ENDS.split(title[:MOST_READ])[0], _MOST_TITLE)


class _Language(Protocol):
    """The rules of a language, which are the functions of a module."""

    def is_talk(self, question: str) -> bool:
        """Tell if a turn only greets, thanks, or asks for another form."""

    def complete(self, question: str, subjects: Subjects) -> Completion:
        """Complete a question where it leans on the subjects."""

    def subject_of(self, question: str, known: str = "") -> str:
        """Return what a question is about, or what is known already."""

    def pair_of(self, question: str) -> str:
        """Return two things that are compared."""

    def person_of(self, question: str) -> str:
        """Return a person that is named."""


def _language_of(question: str) -> _Language:
    return chinese if HAN.search(question) else english
