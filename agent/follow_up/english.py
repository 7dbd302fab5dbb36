"""Complete English questions: pronouns, missing nouns, and “what about …?”."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from agent.follow_up.alone import stands_alone_in_english
from agent.follow_up.completion import Change, Completion, Subjects, completed
from agent.follow_up.english_question import Word, before, behind, read, stem, stems
from agent.follow_up.english_subject import pair_of, person_of, subject_of
from agent.follow_up.english_words import (
    ASKING,
    AUXILIARY,
    BE,
    CHOOSING,
    COMPARING,
    EXPLETIVE,
    FUNCTION,
    JOINING,
    OWNING,
    PEOPLE,
    POINTING,
    PREPOSITIONS,
    RELATIONAL,
    SPEAKERS,
    THINGS,
    TIMES,
    UNIQUE,
    WEATHER,
)
from agent.follow_up.filler import greets, is_filler

__all__ = ["complete", "pair_of", "person_of", "subject_of"]

MOST_WORDS: Final = 30  # a longer question brings its subject along
_FRAGMENT_WORDS: Final = 6

_FRAGMENT = re.compile(r"\s*(?:(?:what|how) (?:about|of)|and|but|or)\b", re.IGNORECASE)
_VERBS: Final = BE | AUXILIARY
_BEFORE_THAT: Final = PREPOSITIONS | _VERBS | frozenset(("", "about", "of", "and"))
_BEFORE_ONE: Final = CHOOSING | frozenset(("the", "which", "this", "that", "another"))
_BEGINNING: Final = (
    PREPOSITIONS
    | RELATIONAL
    | TIMES
    | CHOOSING
    | THINGS
    | PEOPLE
    | POINTING
    | frozenset(("the", "next", "last", "today", "tomorrow", "yesterday", "now"))
)
_FIRST: Final = frozenset(("best", "worst", "first"))


def complete(question: str, subjects: Subjects) -> Completion:
    """Complete *question* with what it refers to, where it leans on *subjects*."""
    words = read(question)
    lows = {word.low for word in words}
    if not words or len(words) > MOST_WORDS:
        return Completion.typed(question)
    if greets(question) or stands_alone_in_english(question):
        return Completion.typed(question)
    changes = _pointing(question, words, subjects)
    if not is_filler(question):
        changes = (
            changes
            or _shortened(words, subjects)
            or _headless(words, subjects)
            or _fragment(question, words, subjects)
            or _unfinished(words, subjects)
        )
    new = [one for one in changes if {word.low for word in read(one.words)} - lows]
    return completed(question, new)


# ---- what points back


def _pointing(question: str, words: Sequence[Word], subjects: Subjects) -> list[Change]:
    """Replace pronouns; nothing where the question itself says what they mean."""
    changes: dict[str, Change] = {}  # one for things and one for people
    for at, word in enumerate(words):
        meant = subjects.person if word.low in PEOPLE else subjects.subject
        if not _points(words, at) or meant in changes:
            continue
        if _is_quoted(question, word):
            return []
        is_choice = word.low in {"one", "ones"} and before(words, at) == "which"
        if is_choice and subjects.pair and subjects.compared == subjects.pair:
            return [_joined(subjects.pair, words[-1])]  # which one is faster?
        if word.low not in {"one", "ones"} and _is_explained(question, words, at):
            return []
        has_noun = word.low in POINTING and behind(words, at) in RELATIONAL
        end = at + 1 if has_noun else at
        owns = word.low in OWNING and behind(words, at) != ""
        genitive = "'s" if owns or word.text.lower() in {"it's", "it\u2019s"} else ""
        changes[meant] = Change(word.start, words[end].end, meant, behind=genitive)
    return [*changes.values()]


def _is_quoted(question: str, word: Word) -> bool:
    """Tell if a pronoun is a word that is spoken of: they/them, “it”."""
    around = question[: word.start][-1:] + question[word.end :][:1]
    return any(sign in '/"\u201c\u201d' for sign in around)


def _points(words: Sequence[Word], at: int) -> bool:
    """Tell if a word stands for something that was named before."""
    low = words[at].low
    if words[at].is_name:
        return False  # IT
    if low in PEOPLE:
        return True
    if low in THINGS:
        return not (_is_empty(words, at) or _is_anybody(words, at))
    if low == "there":
        around = {before(words, at), behind(words, at)}
        return not around & (BE | {"has", "have"})
    if low in {"one", "ones"}:
        return _is_one(words, at)
    return low in POINTING and _is_that(words, at)


def _is_empty(words: Sequence[Word], at: int) -> bool:
    """Tell if “it” means nothing: it is safe to…, is it raining, it takes…"""
    if words[at].low != "it":
        return False
    later = [word.low for word in words[at + 1 : at + 4]]
    if _is_weather(later) or _is_called(words, at) or _is_distance(words, at):
        return True
    if {"time", "let"} & {before(words, at), before(words, at - 1) if at else ""}:
        return True  # what time is it, let it be
    if not any(word.is_specific for word in words[at + 1 :]):
        return False
    if later[0] == "mean" and later[1:2] in (["when"], ["if"], ["to"]):
        return True
    if {before(words, at), later[0]} & {"take", "takes", "took"} and "to" in later:
        return True
    follows = {"to", "that", "if", "for"} & {*later}
    is_doing = any(word.endswith("ing") for word in later)
    return bool(EXPLETIVE & {*later}) and bool(follows or is_doing)


def _is_weather(later: Sequence[str]) -> bool:
    """Tell if the words behind “it” tell of weather or light: is it cold?"""
    if later[:1] and later[0] in BE:  # it is raining
        later = later[1:]
    return bool(later) and (later[0] in WEATHER or [*later[:2]] == ["get", "dark"])


def _is_called(words: Sequence[Word], at: int) -> bool:
    """Tell if the name of what is meant stands behind: is it called Black Friday?"""
    if before(words, at) == "call":
        return before(words, at - 1) == "they" and behind(words, at) != ""
    if behind(words, at) != "called" or at + 2 >= len(words):
        return False
    named = words[at + 2]
    return named.low not in PREPOSITIONS and (named.is_name or named.is_specific)


def _is_distance(words: Sequence[Word], at: int) -> bool:
    """Tell if a way or an hour is asked for: how far is it from Paris to Rome?"""
    lows = [word.low for word in words]
    if "far" in lows[:at]:
        return "to" in lows[at:] and words[-1].is_specific
    return bool({*lows[:at]} & (WEATHER | {"late", "early"})) and "in" in lows[at:]


def _is_anybody(words: Sequence[Word], at: int) -> bool:
    """Tell if “they” means anybody: how do they make paper?"""
    if words[at].low != "they" or before(words, at) not in {"do", "did"}:
        return False
    if behind(words, at) == "call":  # why do they call it football?
        return at + 3 < len(words)
    objects = [word for word in words[at + 2 : at + 4] if word.low not in {"the", "a"}]
    return bool(objects) and objects[0].is_specific


def _is_that(words: Sequence[Word], at: int) -> bool:
    """Tell if “this” or “that” means something said before."""
    following, previous = behind(words, at), before(words, at)
    if following in TIMES or following == "way" or previous == "of":
        return False
    if words[at].low == "that" and at and words[at - 1].is_specific:
        return False  # the mammal that flies
    if not following:
        return True
    if following in _VERBS:
        return previous in _BEFORE_THAT
    return following in RELATIONAL and words[at].low != "that"


def _is_one(words: Sequence[Word], at: int) -> bool:
    """Tell if “one” stands for a noun: the first one, the largest one, which ones."""
    previous = before(words, at)
    if not previous or behind(words, at) in {"of", "who"}:
        return False
    is_chosen = previous in _BEFORE_ONE or previous.endswith("est")
    return words[at].low == "ones" or is_chosen


def _is_explained(question: str, words: Sequence[Word], at: int) -> bool:
    """Tell if the question itself names what the pronoun at a place means."""
    named = [i for i in range(at) if words[i].is_specific]
    if not named:
        return False
    if words[at].low in OWNING:
        return True
    if words[0].low in {"when", "if", "while"} and words[1].low not in _VERBS:
        return True  # when my dog eats chocolate is it …
    if re.search("[,;:.?!]", question[words[named[-1]].end : words[at].start]):
        return True
    # “what is it and how does it work”: a joining word, and a clause behind it.
    return any(
        words[i].low in JOINING and words[i + 1].low in FUNCTION
        for i in range(named[0] + 1, at)
    )


def _shortened(words: Sequence[Word], subjects: Subjects) -> list[Change]:
    """Write a shortened subject in full: the (Stanford) experiment."""
    full = read(subjects.subject)
    if len(full) < 2:  # noqa: PLR2004  a subject of one word has no shorter form
        return []
    for at, (previous, word) in enumerate(pairwise(words), start=1):
        is_head = stem(word.low) == stem(full[-1].low) and not word.is_name
        is_definite = previous.low in {"the", "this", "these"}
        if is_head and is_definite and behind(words, at) != "of":
            return [Change(word.start, word.end, subjects.subject)]
    return []


def _headless(words: Sequence[Word], subjects: Subjects) -> list[Change]:
    """Add the noun that a superlative lacks: the largest (mammal) in the world."""
    for at, word in enumerate(words):
        if word.is_specific:
            return []
        is_most = word.low.endswith("est") or word.low in _FIRST
        following = behind(words, at)
        ends = not following or following in PREPOSITIONS | _VERBS
        if is_most and ends and before(words, at) == "the":
            return [Change(word.end, word.end, subjects.subject, before=" ")]
    return []


# ---- “and in 2023?”, “what about …?”


def _fragment(question: str, words: Sequence[Word], subjects: Subjects) -> list[Change]:
    """Complete the beginning of a question with the question before it."""
    begin = _FRAGMENT.match(question)
    rest = [word for word in words if begin and word.start >= begin.end()]
    if not 0 < len(rest) <= _FRAGMENT_WORDS:
        return []
    if any(word.low in _VERBS | ASKING for word in rest):
        return []
    if _is_new(rest):
        return []
    specific = {stem(word.low) for word in rest if word.is_specific}
    if specific & stems(f"{subjects.subject} {subjects.last}"):
        return []  # it names its kind itself: what about the BBC experiment?
    if specific or _is_when_or_where(rest):
        return [_joined(_rest_of(subjects, rest), rest[-1])]
    return [_joined(subjects.subject, rest[-1])]


def _is_new(rest: Sequence[Word]) -> bool:
    """Tell if no part of the last question fits: a game, time travel, or else."""
    first = rest[0]
    if first.low in {"a", "an"} or "something" in {word.low for word in rest}:
        return True
    is_noun = first.is_specific or first.is_year or first.low in _BEGINNING
    is_compound = len(rest) > 1 and first.low in TIMES and rest[1].is_specific
    return not is_noun or is_compound


def _is_when_or_where(rest: Sequence[Word]) -> bool:
    is_moment = any(word.is_year or word.low in TIMES for word in rest)
    return is_moment or rest[0].low in PREPOSITIONS


def _rest_of(subjects: Subjects, rest: Sequence[Word]) -> str:
    """Return the words of the last question that *rest* does not replace."""
    last = read(subjects.last)
    if _is_when_or_where(rest):
        dropped = _replaced(last, rest[0].low)
    elif any(word.is_name for word in rest):
        dropped = {at for at, word in enumerate(last) if word.is_name}
    else:
        return subjects.subject
    kept = (word for at, word in enumerate(last) if at not in dropped)
    return " ".join(word.text for word in kept if word.low not in FUNCTION | ASKING)


def _replaced(last: Sequence[Word], preposition: str) -> set[int]:
    """Return the places of a time, and of words behind the same preposition."""
    dropped: set[int] = set()
    for at, word in enumerate(last):
        if word.is_year or word.low in TIMES:
            dropped.add(at)
        elif word.low == preposition and word.low in PREPOSITIONS:
            dropped |= {at, at + 1, at + 2}
    return dropped


# ---- what is missing


def _unfinished(words: Sequence[Word], subjects: Subjects) -> list[Change]:
    """Add the subject to a question that names nothing, or only parts of something."""
    lows = {word.low for word in words}
    specific = [at for at, word in enumerate(words) if word.is_specific]
    if lows & UNIQUE:
        return []
    lacks = words[-1].low in COMPARING and len(words) > 1
    if not specific:
        lacks = lacks or _asks_of_something(words)
    elif len(specific) == 1:
        lacks = lacks or _is_part(words, specific[0])
    meant = subjects.compared if words[0].low == "which" else subjects.subject
    return [_joined(meant, words[-1])] if lacks else []


def _asks_of_something(words: Sequence[Word]) -> bool:
    """Tell if a question without a subject asks of one: what are the symptoms?"""
    lows = {word.low for word in words}
    if lows & RELATIONAL:
        # “the meaning of life” says already of what.
        says = any(a.low == "of" and b.low in RELATIONAL for a, b in pairwise(words))
        return not says and not lows & {"your", "my", "our"}
    begins = words[0].low in ASKING or words[0].low in _VERBS
    return begins and not (lows & SPEAKERS and "tell" not in lows)


def _is_part(words: Sequence[Word], at: int) -> bool:
    """Tell if the noun at a place is chosen from a whole: the main layers."""
    word, later = words[at], {word.low for word in words[at + 1 :]}
    is_plural = word.low.endswith("s") and not word.low.endswith("ss")
    if word.is_name or not is_plural or before(words, at) not in CHOOSING:
        return False
    if later & (PREPOSITIONS | {"of"}) or words[0].low not in {"what", "who", "which"}:
        return False
    return all(one.low in FUNCTION or one.low in CHOOSING for one in words[:at])


def _joined(meant: str, last: Word) -> Change:
    """Add *meant* behind the last word of the question."""
    before_it = " of " if last.low in RELATIONAL else " "
    return Change(last.end, last.end, meant, before=before_it)
