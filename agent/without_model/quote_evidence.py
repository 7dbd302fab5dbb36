"""How much a sentence looks like an answer to this kind of question."""

import re
from typing import Final

from agent.without_model.quote_kinds import Kind, kind_of
from agent.without_model.quote_text import asked_terms, is_content, terms
from agent.without_model.quote_units import called, measured
from agent.without_model.quote_words import (
    ASKS_CLOCK,
    ASKS_DAY,
    BY,
    CENTURY,
    CLOCK,
    DATE,
    DAY,
    EVIDENCE,
    HINTS,
    LISTED,
    NUMBER,
    OF_YEAR,
    SAID_YES,
    SUPERLATIVE,
    SURNAME,
)

_HAN = re.compile("[\u4e00-\u9fff]")
_NAME = re.compile(r"\b[A-Z][\w'-]+(?: (?:van|de|von|of|the))*(?: [A-Z][\w'-]+)+")
_PLACE = re.compile(
    r"\b(?:in|at|on|near|of|to|from) (?:the |central |\w+ern )?([A-Z]\w+)"
)

# Capitals, but for the first word's, and what is Latin among Chinese.
_CAPITAL = re.compile(
    r"(?<![.?!] )(?<!^)\b[A-Z0-9][\w.-]*|(?<=[\u4e00-\u9fff])[A-Za-z0-9][\w.-]*"
    r"|^[A-Za-z0-9][\w.-]*(?=[\u4e00-\u9fff])",
    re.ASCII,
)

_NOUN = re.compile(
    r"\b(?:which|what) ((?!is\b|are\b|was\b|does\b|do\b)\w+)", re.IGNORECASE
)

# Kinds whose answers can be told by their looks.
_PLAIN: Final = frozenset(
    {Kind.MONEY, Kind.VERSION, Kind.WHEN, Kind.COUNT, Kind.WHO, Kind.WHERE}
)
_BEGINNING: Final = 250
_MOST_NAMES: Final = 12
_SOME: Final = 0.5
_SLIGHT: Final = 0.15
_LITTLE: Final = 0.3


class Wanted:
    """What the answer to one question has to look like."""

    def __init__(self, question: str) -> None:
        names = _names(question)
        if len(question) > 2 * _BEGINNING:  # who asks at length asks at an end
            question = f"{question[:_BEGINNING]} {question[-_BEGINNING:]}"
        self.names = names[:_MOST_NAMES]
        self.kind = kind_of(question)
        self.question = question
        self._known = {*terms(question)}
        self._measured = measured(question)
        self._called = called(question)
        self._is_day = bool(ASKS_DAY.search(question))
        self._is_most = bool(SUPERLATIVE.search(question))
        self._is_clock = bool(ASKS_CLOCK.search(question))
        self._asked = {*asked_terms(question)}
        noun = _NOUN.search(question)
        self._noun = "".join(terms(noun[1])[:1]) if noun else ""

    def evidence(self, sentence: str) -> float:
        """0 for none, 1 for all that can be expected."""
        most = self._is_most and bool(SUPERLATIVE.search(sentence))
        return self._evidence(sentence) + _SLIGHT * most

    def _evidence(self, sentence: str) -> float:
        match self.kind:
            case Kind.WHEN:
                return self._time(sentence)
            case Kind.COUNT:
                return self._number(sentence)
            case Kind.WHO:
                return self._name(sentence)
            case Kind.WHERE:
                return self._place(sentence)
            case Kind.OTHER:
                named = _SOME * (self._noun in {*terms(sentence)})
                return max(named, _SLIGHT * bool(LISTED.search(sentence)))
            case _:
                return self._words(sentence)

    def _words(self, sentence: str) -> float:
        """Words that answers of this kind hold."""
        if EVIDENCE[self.kind].search(sentence):
            is_said = self.kind is Kind.YES_NO and SAID_YES.search(sentence)
            return 1.5 if is_said else 1.0
        if self.kind is Kind.MONEY:
            return _SLIGHT * self._has_new_number(sentence)
        hint = HINTS.get(self.kind)
        if hint and self._has_new(hint, sentence):
            return _SOME
        # `Aspirin does expire` is the question as a statement.
        return _SOME * (self.kind is Kind.YES_NO and self._asked <= {*terms(sentence)})

    @property
    def bare(self) -> float:
        """What a sentence counts for that has nothing of such an answer."""
        return 0.1 if self.kind in _PLAIN else 0.25

    def _time(self, sentence: str) -> float:
        if self._is_clock:
            best, good = CLOCK, DATE
        else:
            best, good = DAY, DATE
        if self._has_new(best, sentence):
            is_vague = self._is_day and not OF_YEAR.search(sentence)
            return _SOME if is_vague else 1.0
        if CLOCK.search(sentence) and DATE.search(sentence):
            return 1.0
        rest = _LITTLE if self._is_clock else 0.7
        if self._has_new(good, sentence):
            return rest
        return _LITTLE * bool(CENTURY.search(sentence))

    def _number(self, sentence: str) -> float:
        if self._measured and self._has_new(self._measured, sentence):
            is_called = self._called and self._called.search(sentence)
            return 1.0 + _SLIGHT * bool(is_called)
        some = 0.2 if self._measured else 0.8
        return some * self._has_new_number(sentence)

    def _name(self, sentence: str) -> float:
        names = [
            *(m[0] for m in _NAME.finditer(sentence)),
            *(m[1] for m in SURNAME.finditer(sentence)),
        ]
        parts = [{*filter(is_content, terms(name))} for name in names]
        new = any(len(part - self._known) > (len(part) > 1) for part in parts)
        said = bool(BY.search(sentence))
        if not new:
            return (_SOME if _HAN.search(sentence) else 0.1) * said
        return 1.0 if said else 0.7

    def _place(self, sentence: str) -> float:
        said = bool(EVIDENCE[Kind.WHERE].search(sentence))
        new = any(
            not {*terms(match[1])} <= self._known for match in _PLACE.finditer(sentence)
        )
        return 1.0 if said else 0.7 * new

    def _has_new_number(self, sentence: str) -> bool:
        return self._has_new(NUMBER, sentence)

    def _has_new(self, pattern: re.Pattern[str], sentence: str) -> bool:
        """Whether it is in *sentence*, and was not in the question."""
        return any(m[0] not in self.question for m in pattern.finditer(sentence))


def _names(question: str) -> list[str]:
    """Terms of what has a name: capitals, and Latin or numbers among Chinese."""
    found = [m[0] for m in _CAPITAL.finditer(question)]
    about = asked_terms(question)
    return [term for term in dict.fromkeys(terms(" ".join(found))) if term in about]
