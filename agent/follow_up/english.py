"""Complete English questions: pronouns, “what about …?” and “and in 2023?”."""

import re
from typing import Final

from agent.events import Completion
from agent.follow_up.completion import Change, Topic, completed, instead
from text.terms import STOPS

_PEOPLE: Final = frozenset({"he", "she", "him", "his", "her", "hers"})
_OWNING: Final = frozenset({"its", "their", "theirs", "his", "her", "hers"})
_WORDS: Final = """
's but there here all one ones between over after before during since until most more
first last other out get ever still main like best better describe explain compare list
show give
"""
EMPTY: Final = STOPS | _PEOPLE | _OWNING | frozenset(_WORDS.split())  # name nothing
_WORD = re.compile("[^\\W_]+(?:[-'\u2019.&][^\\W_]+)*")
_PRONOUN = re.compile(
    "\\b(?:its?|they|them|theirs?|he|him|his|she|hers?)\\b(?!['\u2019])", re.IGNORECASE
)
# What asks of something that was named before: it, the symptoms.
LEANS = re.compile(
    r"\b[Ii]ts?\b|\b[Tt]he(?:y|m|irs?)\b|^(?:[Ww]hat|[Hh]ow)\s+about\s"
    r"|^\w+\s+(?:are|were|do|did|does)\s+(?:the|common|main)\s"
    r"|^\w+\s+(?:is|was)\s+the\s+\w+\s+of\s+[a-z]|^[Ww]ho\s+(?:is|was)\s+the\s+[a-z]+\?"
    r"|\bof\s+the\s+[a-z]+[\s?.!]*$"
)
# Where “it” means nothing, or what follows: is it safe to …, what time is it?
_MANY = re.compile(r"[^su]s$|ies$|\sand\s|people$|men$", re.IGNORECASE)
_EXPLETIVE = re.compile(
    r"\b(?:time|day|date|late|far)\s+(?:is|was)\s+it\b|\blet\s+it\b|\bit\s+(?:rain|snow)"
    r"|\b(?:is|was|does)\s+it\s+(?:get\s+)?(?:raining|snowing|cold|hot|dark|warm)\b"
    r"|\b(?:is|was|be|makes?|find)\s+it(?:\s+(?!similar|equal|close|\w+ed\b)[\w-]+){1,2}"
    r"(?:\s+for\s+\w+)?\s+(?:to|that|if|when)\b"
    r"|\bit\s+(?:take|cost|mean|hurt|feel|help|pay|make\s+sense)s?\b.*\b(?:to|when|if)\b"
    r"|\bit\s+called\s+(?!that|so\b|this|in\b)"
    r"|\b(?:do|did)\s+they\s+\w+\s+(?!(?:in|at|on|from|to|for|with|so)\b)\w",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[,;:]|(?<=\w\s)(?:and|or|but|if|when|while|because|so|that|who|which|than)\b"
    r"|^(?:if|when|while)\s+(?!(?:is|are|was|were|do|does|did|can|will|should)\b)",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|do|does|did|ha[sd]|have|[cw]ould|can|will)\s+$"
)
_CAPITALS: Final = r"[a-z]?[A-Z][\w&+#.'\u2019-]*"
_NAME = re.compile(
    rf"\b{_CAPITALS}(?:\s+(?:(?:of|de|la|du|van|von|and|&)\s+(?:the\s+)?)?"
    rf"(?:{_CAPITALS}|\d+(?:\.\d+)*))*"
)
_YEAR = re.compile(r"(?:\b(?:in|since|of|from)\s+)?\b(?:1\d|20)\d\d\b")
_NOUN = re.compile(
    "(?:(?P<led>\\b(?:about|of))|^(?:what|who|where)(?:['\u2019]s| is| are| was| were)"
    r"|^(?:describe|define|explain))\s+(?:(?:an?|the|some)\s+)?"
    r"(?P<noun>[^\s?!,;:\"]+(?:\s+[^\s?!,;:\"]+){0,3}?)[\s?.!]*$",
    re.IGNORECASE,
)
_NO_NOUN = re.compile(r"^\w+(?:ing|[ai]ble|ful|ous|less|ly)$")
_FRAGMENT = re.compile(
    r"\s*(?:(?:and|but|or|so)\s+(?:(?:what|how)\s+about\s+)?|(?:what|how)\s+about\s+)"
    r"(?:(?:in|for|of|at)\s+(?=[A-Z]))?(?:the\s+)?(?P<other>[^?!.,;:]{2,40}?)[\s?.!]*",
    re.IGNORECASE,
)


def complete(question: str, topic: Topic) -> Completion:
    """Complete *question* with what a pronoun means, or with the last question."""
    if fragment := _FRAGMENT.fullmatch(question):
        other, last = fragment["other"], topic.last.rstrip(" ?.!") + " "
        alike = [one.span() for one in _runs(last)] if _NAME.fullmatch(other) else []
        if _YEAR.fullmatch(other):
            alike = [one.span() for one in _YEAR.finditer(last)]
            alike = alike or [(len(last), len(last))]
        if len(alike) == 1:
            return instead(question, other, last, alike[0])
    for match in _PRONOUN.finditer(question):
        low = match[0].lower()
        meant = topic.person if low in _PEOPLE else topic.subject
        is_many = _MANY.search(meant) is not None
        fits = is_many if low[0] == "t" else not (is_many and meant.islower())
        is_named = not meant or meant.lower() in question.lower()
        if fits and not is_named and _points(question, match):
            owns = low in _OWNING and _WORD.search(question, match.end())
            change = Change(*match.span(), meant, behind="'s" if owns else "")
            return completed(question, [change])
    return Completion.typed(question)


def subject_of(question: str) -> str:
    """Return the noun that *question* asks about; "" where that is not sure."""
    runs, at = _runs(question), 0
    names = [run[0].rstrip(".") for run in runs]
    words = _WORD.findall(question[: runs[0].start()].lower()) if runs else []
    if not EMPTY.issuperset(words) and words[0] != "who":
        return ""
    while len(names) <= 1 and (match := _NOUN.search(question, at)):
        noun, at = match["noun"].rstrip("."), match.start("noun")
        words = noun.split()
        is_noun = not _NO_NOUN.search(noun)
        if names:  # it stands at the end, or before one more word: about the BBC test
            is_end = match["led"] is not None or words[-1][0].isupper()
            is_noun = is_end and names[0] in noun
            words = [word for word in words if word not in {"of", "the", "and"}]
        if is_noun and not {word.lower() for word in words} & EMPTY:
            return noun
    return names[0] if len(names) == 1 else ""


def _runs(question: str) -> list[re.Match[str]]:
    """Return the runs of capitalised words in *question*, as in a sentence."""
    first, *more = _WORD.findall(question) or [""]
    if len(more) > 2 and all(word[0].isupper() for word in more):  # noqa: PLR2004
        return []  # written like a title
    begins = first.lower() in EMPTY or not (more and more[0][0].isupper())
    runs = _NAME.finditer(question, question.find(first) + len(first) * begins)
    return [run for run in runs if run[0].lower() not in EMPTY | {"ok"}]


def _points(question: str, match: re.Match[str]) -> bool:
    """Tell if a pronoun means something that *question* itself does not name."""
    before, behind = question[: match.start()], question[match.end() :]
    words, low = _WORD.findall(before), match[0].lower()
    is_title = match[0] != low and (words or re.match(r"\s+[A-Z]", behind))
    if is_title or _EXPLETIVE.search(question) or before.count('"') % 2:
        return False
    if all(word.lower() in EMPTY for word in words):
        return bool(words) or low in _OWNING
    is_named = any(word[0].isupper() for word in words[1:])
    if is_named or low in _OWNING or _CLAUSE.search(before.strip()):
        return False
    return not behind.strip(" ?.!") or _VERB.search(before) is not None
