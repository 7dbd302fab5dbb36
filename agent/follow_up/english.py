"""Complete English questions: pronouns, missing nouns, and “what about …?”."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from agent.events import Completion
from agent.follow_up.completion import Change, Subjects, completed
from agent.follow_up.words import (
    AROUND,
    ASKING,
    AUXILIARY,
    BE,
    EXPLETIVE,
    FUNCTION,
    GENERAL,
    JOINING,
    KINDS,
    OWNING,
    PAIRING,
    PEOPLE,
    RELATIONAL,
    SPEAKERS,
    TALK,
    THINGS,
    TIMES,
    WEATHER,
)

MOST_WORDS: Final = 30  # a longer question brings its subject along
_FRAGMENT_WORDS: Final = 6
_MOST_AROUND: Final = 4  # words beside the subject of “what is …”

_WORD = re.compile(r"[^\W_]+(?:[-.'&][^\W_]+)*[+#]*")
_ENDING = re.compile(r"(?:n't|'(?:s|m|re|ve|ll|d))$")
_COMMON: Final = FUNCTION | GENERAL | RELATIONAL | TIMES
_DEFINITE: Final = frozenset(("the", "this", "these", "those"))
_SORTS: Final = frozenset(("types", "kinds", "forms", "parts"))
_VERBS: Final = BE | AUXILIARY


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question, with its place."""

    text: str
    low: str  # in small letters, without the ending of a genitive or a verb
    start: int
    end: int
    is_name: bool  # written with a capital, and not for being the first
    is_kind: bool  # “the city”
    at: int  # among the words

    @property
    def is_specific(self) -> bool:
        """Tell if the word says what the question is about."""
        is_common = self.is_kind or self.low.isdigit() or self.low in _COMMON
        return self.is_name or not is_common


def read(question: str) -> list[Word]:
    """Return the words of *question*."""
    text = question.replace("\u2019", "'")
    shouts = text.isupper()
    words: list[Word] = []
    for found in _WORD.finditer(text):
        before = text[: found.start()].rstrip()
        low = _ENDING.sub("", found[0].lower())
        is_name = found[0][0].isupper() and not shouts and low != "i"
        if not before or before[-1] in ".?!":
            is_name = is_name and low not in _COMMON
        is_kind = low in KINDS and bool(words) and words[-1].low in _DEFINITE
        at = len(words)
        words.append(Word(found[0], low, *found.span(), is_name, is_kind, at))
    return words


def _before(words: Sequence[Word], at: int) -> str:
    """Return the word before a place, '' at the beginning."""
    return words[at - 1].low if at > 0 else ""


def _behind(words: Sequence[Word], at: int) -> str:
    """Return the word behind a place, '' at the end."""
    return words[at + 1].low if at + 1 < len(words) else ""


def _stems(words: Sequence[Word]) -> set[str]:
    """Return the *words* that say something, in the singular if they are regular."""
    return {word.low.removesuffix("s") for word in words if word.is_specific}


# ---- turns that need nothing

_NOUNS: Final = "|".join(RELATIONAL)
_MOMENT: Final = (
    rf"(?:(?:this|last|next) (?:{'|'.join(TIMES)})|today|tonight|tomorrow|yesterday)"
)
_ALONE = re.compile(
    # The clock, the news, a definition of whatever.
    rf"^what(?:'s| is)?(?: the)?(?: current)? (?:time|date|day|year|month|week)"
    rf"(?: it| is| now| {_MOMENT})*\W*$"
    rf"|^what(?:'s| is) (?:up|new|happening|going on)(?: {_MOMENT})?\W*$"
    rf"|^what happened {_MOMENT}\W*$|^what is (?:an? )?(?:{_NOUNS})\W*$"
    # Something is done with a thing: how to lose weight.
    rf"|\b(?:how|way) to \w+(?: an?)? (?:{_NOUNS})\b"
    # The weather, the hour and the way, and titles.
    rf"|\bit(?:'s| is)? (?:{'|'.join(WEATHER)})\b"
    r"|\btime is it\b|\blate is it in\b|\bfar is it .*\bto\b|\blet it \w+\W*$",
    re.IGNORECASE,
)
# An “it” that means nothing, if the question names something.
_EMPTY_IT = re.compile(
    rf"\bit(?:'s| is| was)?(?: \w+)? (?:{'|'.join(EXPLETIVE)})\b.*"
    rf"\b(?:to|that|if|for|\w+ing)\b"
    r"|\bit takes? .*\bto\b|\bdoes it mean (?:when|if|to)\b"
    r"|\bthey call it \w"
    r"|\bit called (?!(?:in|by|on|at|before)\b)\w",
    re.IGNORECASE,
)


def is_talk(question: str) -> bool:
    """Tell if a turn only greets, thanks, or asks for another form of the answer."""
    lows = [word.low for word in read(question)]
    if lows[:1] in (["thanks"], ["thank"]):
        return True
    known = (TALK | AROUND | FUNCTION) - THINGS
    return bool(TALK & {*lows}) and all(low in known for low in lows)


def stands_alone(question: str) -> bool:
    """Tell if a question asks of something, although it names no subject of its own."""
    text = question.strip().replace("\u2019", "'")
    if _ALONE.search(text):
        return True
    names = any(word.is_specific for word in read(question))
    return names and _EMPTY_IT.search(text) is not None


# ---- completing


def complete(question: str, subjects: Subjects) -> Completion:
    """Complete *question* with what it refers to, where it leans on *subjects*."""
    words = read(question)
    if not words or len(words) > MOST_WORDS or stands_alone(question):
        return Completion.typed(question)
    changes = (
        _pointing(words, subjects)
        or _fragment(question, words, subjects)
        or _unfinished(words, subjects)
    )
    return completed(question, changes)


def _pointing(words: Sequence[Word], subjects: Subjects) -> list[Change]:
    """Replace pronouns; nothing where the question itself says what they mean."""
    changes: dict[str, Change] = {}  # one for things and one for people
    for at, word in enumerate(words):
        meant = subjects.person if word.low in PEOPLE else subjects.subject
        if not _points(words, at) or meant in changes:
            continue
        if _is_explained(words, at):
            return []
        owns = word.low in OWNING and _behind(words, at) != ""
        genitive = "'s" if owns else ""
        changes[meant] = Change(word.start, word.end, meant, behind=genitive)
    return [*changes.values()]


def _points(words: Sequence[Word], at: int) -> bool:
    """Tell if a word stands for something that was named before."""
    low, previous, following = words[at].low, _before(words, at), _behind(words, at)
    if words[at].is_name:
        return False  # IT
    if low == "they" and previous in {"do", "did"}:  # how do they make paper?
        return not any(word.is_specific for word in words[at + 2 : at + 4])
    if low == "there":
        return not {previous, following} & (BE | {"has", "have"})
    is_last = low in {"this", "that", "these", "those"} and not following
    return low in PEOPLE | THINGS or is_last


def _is_explained(words: Sequence[Word], at: int) -> bool:
    """Tell if the question itself names what the pronoun at a place means."""
    named = [i for i in range(at) if words[i].is_specific]
    if not named:
        return False
    if words[at].low in OWNING:
        return True
    if words[0].low in {"when", "if", "while"} and words[1].low not in _VERBS:
        return True  # when my dog eats chocolate is it …
    # “what is it and how does it work”: a joining word, and a clause behind it.
    return any(
        words[i].low in JOINING and words[i + 1].low in FUNCTION
        for i in range(named[0] + 1, at)
    )


_FRAGMENT = re.compile(r"\s*(?:(?:what|how) (?:about|of)|and|but|or)\b", re.IGNORECASE)


def _fragment(question: str, words: Sequence[Word], subjects: Subjects) -> list[Change]:
    """Complete the beginning of a question: “and in 2023?”, “what about …?”."""
    begin = _FRAGMENT.match(question)
    rest = [word for word in words if begin and word.start >= begin.end()]
    if not 0 < len(rest) <= _FRAGMENT_WORDS:
        return []
    lows = {word.low for word in rest}
    if lows & (_VERBS | ASKING | {"a", "an", "else", "something"}):
        return []
    last = read(subjects.last)
    if _stems(rest) & _stems([*read(subjects.subject), *last]):
        return []  # it names its kind itself: what about the BBC experiment?
    if not any(word.is_name for word in rest):
        return [_joined(subjects.subject, rest[-1])]
    kept = [
        word.text
        for word in last
        if not word.is_name and word.low not in FUNCTION | ASKING
    ]
    return [_joined(" ".join(kept), rest[-1])]


def _unfinished(words: Sequence[Word], subjects: Subjects) -> list[Change]:
    """Add the subject to a question that names nothing."""
    lacks = _asks_of_something(words) or words[-1].low in {"compare", "differ"}
    if not lacks:
        return []
    meant = subjects.compared if words[0].low == "which" else subjects.subject
    return [_joined(meant, words[-1])]


def _asks_of_something(words: Sequence[Word]) -> bool:
    """Tell if a question without a subject asks of one: what are the symptoms?"""
    lows = {word.low for word in words}
    if any(word.is_specific for word in words):
        return False
    if lows & RELATIONAL:
        # “the meaning of life” says already of what.
        says = any(a.low == "of" and b.low in RELATIONAL for a, b in pairwise(words))
        return not says
    begins = words[0].low in ASKING or words[0].low in _VERBS
    return begins and not (lows & SPEAKERS and "tell" not in lows)


def _joined(meant: str, last: Word) -> Change:
    """Add *meant* behind the last word of the question."""
    before_it = " of " if last.low in RELATIONAL else " "
    return Change(last.end, last.end, meant, before=before_it)


# ---- what a question is about

# A person who is named by a role or a deed: who is the president of France?
_WHO = re.compile(
    r"(?:who(?:'s| is| was) (?:the )?(?P<role>[a-z][\w -]* of [^?.!,]+)"
    r"|(?P<did>who (?!is|are|was|were|do|does|did|has|had|will|would|can|could)"
    r"[a-z]+(?: [^\s?.!,]+){1,4}))[?.!]*$",
    re.IGNORECASE,
)


def subject_of(question: str, known: str = "") -> str:
    """Return what *question* is about, after *known*, which stays if it names none."""
    words = read(question)
    chunks = _chunks(question, words)
    if not chunks:
        return known
    if pair := pair_of(question):
        return pair
    chosen = _chosen(chunks, words)
    if known and not _defines(words, chosen) and _is_beside(chosen, words):
        return known
    return _text(question, chosen)


def pair_of(question: str) -> str:
    """Return two things that are compared, such as soup and stew; '' without."""
    words = read(question)
    if not {word.low for word in words} & PAIRING:
        return ""
    for one, other in pairwise(_chunks(question, words)):
        between = question[one[-1].end : other[0].start].strip().lower()
        if between in {"and", "or", "vs", "versus", "to"}:
            return question[one[0].start : other[-1].end]
    return ""


def person_of(question: str) -> str:
    """Return the last name in *question* that may be a person's; '' without one."""
    if who := _WHO.match(question.strip()):
        return who["role"] or "who" + who["did"][3:]
    chunks = _chunks(question, read(question))
    names = [one for one in chunks if one[0].is_name and not one[0].text.isupper()]
    return _text(question, names[-1]) if names else ""


def _chosen(chunks: Sequence[list[Word]], words: Sequence[Word]) -> list[Word]:
    """Choose the subject: a name, else the first noun."""
    free = [one for one in chunks if not _is_at_place(one, words)]
    named = [one for one in free if one[0].is_name]
    return (named or free or [chunks[-1]])[0]


def _defines(words: Sequence[Word], chunk: Sequence[Word]) -> bool:
    """Tell if the question only asks for its subject: what is …, tell me about …"""
    own = {word.at for word in chunk}
    others = [word.low for word in words if word.at not in own]
    return len(others) <= _MOST_AROUND and all(
        low in FUNCTION or low in ASKING for low in others
    )


def _is_beside(chunk: Sequence[Word], words: Sequence[Word]) -> bool:
    """Tell if a noun is a part of the subject before: the funds, the types of plans."""
    if any(word.is_name for word in chunk):
        return False
    at = chunk[0].at
    is_sort = _before(words, at) == "of" and _before(words, at - 1) in _SORTS
    is_definite = _before(words, at) in _DEFINITE
    return is_sort or is_definite or chunk[-1].low in RELATIONAL


def _is_at_place(chunk: Sequence[Word], words: Sequence[Word]) -> bool:
    return _before(words, chunk[0].at) in {"in", "at", "on", "from", "near", "around"}


def _chunks(question: str, words: Sequence[Word]) -> list[list[Word]]:
    """Cut a question into runs of specific words, numbers and names among them."""
    chunks: list[list[Word]] = []
    last = -2
    for at, word in enumerate(words):
        if not (word.is_specific or _is_number_of_name(words, at)):
            continue
        if at == last + 1 and not question[words[last].end : word.start].strip():
            chunks[-1].append(word)
        else:
            chunks.append([word])
        last = at
    trimmed = (_trimmed(chunk, words) for chunk in chunks)
    return [chunk for chunk in trimmed if chunk]


def _is_number_of_name(words: Sequence[Word], at: int) -> bool:
    """Tell if a number belongs to a name: Python 3.14, a 529 plan."""
    if not words[at].text[0].isdigit():
        return False
    near = [i for i in (at - 1, at + 1) if 0 <= i < len(words)]
    return any(words[i].is_specific for i in near)


def _trimmed(chunk: list[Word], words: Sequence[Word]) -> list[Word]:
    """Leave out verbs: behind “do you”, behind a name, and “is …ing”."""
    at = chunk[0].at
    previous = _before(words, at)
    near = {word.low for word in words[max(0, at - 2) : at]}
    if chunk[0].is_name and near & AUXILIARY:  # did Netflix shift
        return [word for word in chunk if word.is_name or not word.text.islower()]
    is_doing = chunk[0].low.endswith("ing") and (
        previous in BE or (previous in {"of", "for", "by"} and len(chunk) > 1)
    )
    is_verb = is_doing or previous in SPEAKERS | {"to", "they", "people"}
    if is_verb and not chunk[0].is_name:
        chunk = chunk[1:]
    if not chunk:
        return []
    end = chunk[0].at + len(chunk)
    has_head = end < len(words) and words[end].low in RELATIONAL
    return [*chunk, words[end]] if has_head else chunk


def _text(question: str, chunk: Sequence[Word]) -> str:
    text = question[chunk[0].start : chunk[-1].end]
    return re.sub("['\u2019]s$", "", text)
