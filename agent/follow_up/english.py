"""Complete English questions: pronouns, “what about …?” and “and in 2023?”."""

import re
from itertools import pairwise
from typing import Final

from agent.follow_up.completion import (
    Change,
    Completion,
    Topic,
    completed,
    instead,
)
from text.terms import STOPS

_WORD = re.compile("[^\\W_]+(?:[-'\u2019.&][^\\W_]+)*")
_AUXILIARY: Final = "is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must"
_THINGS: Final = "it|its|they|them|their|theirs"
_PEOPLE: Final = "he|she|him|his|her|hers"
_OWNING: Final = frozenset("its their theirs his her hers".split())
_ORDERS: Final = frozenset(
    "describe explain compare list show give find more name".split()
)
# Words that name nothing.
_EMPTY: Final = (
    STOPS
    | _ORDERS
    | frozenset(
        f"{_THINGS} {_PEOPLE} but what's who's where's i'm there here all one ones been "
        "between over after before during since until most more first last other out get ever still "
        "main".split()
    )
    | frozenset(_AUXILIARY.split("|"))
)
_PRONOUN = re.compile(rf"\b(?:{_THINGS}|{_PEOPLE})\b(?!['\u2019])", re.IGNORECASE)
_END: Final = r"[\s?.!]*$"

# An “it” that means nothing, or what follows: is it safe to …, what time is it?
_EXPLETIVE = re.compile(
    r"\b(?:time|day|date|late|far)\s+(?:is|was)\s+it\b|\blet\s+it\b"
    r"|\b(?:is|was|be)\s+it\s+(?:raining|snowing|cold|hot|dark|warm)|\bit\s+(?:rain|snow)"
    r"|\b(?:is|was|be|makes?|find)\s+it(?:\s+(?!similar|equal|close|due|up|\w+ed\b)[\w-]+){1,2}"
    r"(?:\s+for\s+\w+)?\s+(?:to|that|if|when)\b"
    r"|\bit\s+(?:take|cost|mean|hurt|feel|help|pay|make\s+sense)s?\b.*\b(?:to|when|if)\b"
    r"|\bit\s+called\s+(?!that|so\b|this|in\b)"
    r"|\b(?:do|did)\s+they\s+\w+\s+(?!in\b|at\b|on\b|from\b|to\b|for\b|with\b|so\b)\w",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[,;:]|\b(?:and|or|but|if|when|while|because|so|that|who|which|than)\b",
    re.IGNORECASE,
)

_NAME_WORD: Final = r"[a-z]?[A-Z][\w&+#.'\u2019-]*"
_NAME = re.compile(
    rf"\b{_NAME_WORD}(?:\s+(?:(?:of|de|la|du|van|von|and|&)\s+(?:the\s+)?)?(?:{_NAME_WORD}|\d+(?:\.\d+)*))*"
)
_YEAR = re.compile(r"(?:(?:in|since|of|from)\s+)?\b(?:1\d|20)\d\d\b")
_ABOUT = re.compile(
    r"(?:(?P<led>\b(?:about|of))|^(?:what|who|where)(?:['\u2019]s| is| are| was| were)|^(?:describe|define|explain))"
    r"\s+(?:(?:a|an|the|some)\s+)?(?P<noun>[^\s?!,;:\"]+(?:\s+[^\s?!,;:\"]+){0,3}?)[\s?.!]*$",
    re.IGNORECASE,
)
_DOES = re.compile(
    r"^(?:how|where|when|why)\s+(?:do|does|did|is|are|was|were)\s+(?:an?\s+)?(?P<noun>[a-z-]+(?:\s+[a-z-]+)?)\s+[a-z]+[\s?.!]*$",
    re.IGNORECASE,
)
# “What are the symptoms?” asks of something that was named before.
_DEFINITE = re.compile(
    r"\bof\s+the\s+[a-z]+[\s?.!]*$|^(?:what|how|where|when|why|who)\s+(?:are|were|do|did|does)\s+(?:the|common|main)\s"
    r"|^(?:what|how)\s+about\s",
    re.IGNORECASE,
)
_NO_NOUN = re.compile(r"(?:ing|[ai]ble|ful|ous|less|ly)$", re.IGNORECASE)
_EARLY: Final = 12
_FRAGMENT = re.compile(
    r"\s*(?:(?:and|but|or|so)\s+)?(?:(?:what|how)\s+about\s+)?(?:the\s+)?(?P<other>[^?!.,;:]{2,40}?)[\s?.!]*$",
    re.IGNORECASE,
)


def complete(question: str, topic: Topic) -> Completion:
    """Complete *question* with what a pronoun means, or with the last question."""
    if fragment := _continued(question, topic):
        return fragment
    for match in _PRONOUN.finditer(question):
        low = match[0].lower()
        meant = topic.person if low in _PEOPLE.split("|") else topic.subject
        if (
            not meant
            or meant.lower() in question.lower()
            or not _points(question, match)
        ):
            continue
        owns = low in _OWNING and _WORD.search(question, match.end())
        return completed(
            question, [Change(*match.span(), meant, behind="'s" if owns else "")]
        )
    return Completion.typed(question)


def subject_of(question: str) -> str:
    """Return the noun that *question* asks about; "" where that is not sure."""
    names = _names(question)
    if not names and _DEFINITE.search(question):
        return ""
    name = (
        names[0] if len(names) == 1 or (names and names[0].start() <= _EARLY) else None
    )
    at = 0
    while match := _ABOUT.search(question, at):
        words = match["noun"].rstrip(".").split()
        is_noun = len(words) > 1 or not _NO_NOUN.search(words[0])
        if names:
            is_noun = (
                name is not None
                and name.start() >= match.start("noun")
                and (match["led"] is not None or words[-1][0].isupper())
            )
        if is_noun and not _is_empty(words):
            return re.sub("['\u2019]s$", "", " ".join(words))
        at = match.start("noun")
    if name:
        return re.sub("['\u2019]s$", "", name[0].rstrip("."))
    if (match := _DOES.match(question)) and not _is_empty(match["noun"].split()):
        return match["noun"]
    return ""


def is_person(question: str) -> bool:
    """Tell if *question* may ask about a person."""
    is_name = any(map(str.isupper, subject_of(question)[:1]))
    return bool(re.match(r"\s*who(?:'s| is| was)\b", question, re.IGNORECASE)) or (
        is_name and not re.search(r"\bwho\b|\bthe\s+[A-Z]", question, re.IGNORECASE)
    )


def leans(question: str) -> bool:
    """Tell if *question* asks of something that was named before, or of nothing."""
    if _DEFINITE.search(question) or any(
        not match[0].isupper() for match in _PRONOUN.finditer(question)
    ):
        return True
    return "?" not in question and not re.match(
        r"\s*(?:wh|how|tell)", question, re.IGNORECASE
    )


def _is_empty(words: list[str]) -> bool:
    """Tell if one of *words* can't belong to a noun."""
    return (
        any(
            word.lower() in _EMPTY - {"of", "the", "and", "first", "last"}
            or not word[0].isalnum()
            for word in words
        )
        or words[-1].lower() in _EMPTY
    )


def _names(question: str) -> list[re.Match[str]]:
    """Return the names in *question*: runs of capitalised words, where few are."""
    words = _WORD.findall(question)
    if sum(word[0].isupper() for word in words) > max(len(words) / 2, 2) + 2:
        return []
    found = []
    for match in _NAME.finditer(question):
        start = match.start()
        first = _WORD.match(match[0])
        is_first = (
            not question[:start].strip() or question[:start].rstrip()[-1] in ".?!"
        )
        if is_first:
            if first and (first[0].lower() in _EMPTY or first[0] == match[0]):
                continue
        if match[0] in {"I", "I'm", "OK"} or re.search(
            r"\b(?:in|at|on|from|near)\s+(?:the\s+)?$", question[:start]
        ):
            continue
        found.append(match)
    return found


def _points(question: str, match: re.Match[str]) -> bool:
    """Tell if a pronoun means something that the question itself does not name."""
    before, behind = question[: match.start()], question[match.end() :]
    if match[0] != match[0].lower() and (
        before.strip() or match[0].isupper() or re.match(r"\s+[A-Z]", behind)
    ):
        return False
    if _EXPLETIVE.search(question) or before.count('"') % 2:
        return False
    words, low = _WORD.findall(before), match[0].lower()
    if not words:
        return low in _OWNING and len(behind.split()) < 5
    if all(word.lower() in _EMPTY for word in words):
        return True
    if (
        low in _OWNING
        or _CLAUSE.search(before.strip(), 3)
        or any(word[0].isupper() for word in words[1:])
    ):
        return False
    if re.search(rf"\b(?:{_AUXILIARY})\s+$", before, re.IGNORECASE):
        return True
    return len(words) <= 6 and bool(re.fullmatch(_END, behind))


def _continued(question: str, topic: Topic) -> Completion | None:
    """Ask the last question with what stands behind “and” or “what about”."""
    match = _FRAGMENT.match(question)
    if not match or match.start("other") == len(question) - len(question.lstrip()):
        return None
    other, last = match["other"], topic.last.rstrip(" ?.!")
    if _YEAR.fullmatch(other):
        years = list(_YEAR.finditer(last))
        place = years[0].span() if len(years) == 1 else (len(last), len(last))
        if not years:
            last, place = last + " ", (len(last) + 1, len(last) + 1)
        return instead(question, other, last, place)
    plain = re.sub(r"^(?:in|for|of|at)\s+(?:the\s+)?", "", other)
    if not _NAME.fullmatch(plain):
        return None
    names = [one for one in _NAME.finditer(last) if one.start()]
    return instead(question, plain, last, names[0].span()) if len(names) == 1 else None
