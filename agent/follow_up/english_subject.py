"""Tell what an English question is about: a name, or the noun that it asks for."""

import re
from collections.abc import Sequence
from itertools import pairwise

from agent.follow_up.english_question import Word, before, read, stem, stems
from agent.follow_up.english_words import (
    ASKING,
    AUXILIARY,
    BE,
    FUNCTION,
    PAIRING,
    PLACES,
    RELATIONAL,
    SORTS,
    SPEAKERS,
)

_ARTICLES = frozenset(("the", "a", "an"))
_OF = (["of"], ["of", "the"])
# A person who is named by a role or a deed: who is the president of France?
_WHO = re.compile(
    r"(?:who(?:'s| is| was) (?:the )?(?P<role>[a-z][\w -]* of [^?.!,]+)"
    r"|(?P<did>who (?!is|are|was|were|do|does|did|has|had|will|would|can|could)"
    r"[a-z]+(?: [^\s?.!,]+){1,4}))[?.!]*$",
    re.IGNORECASE,
)
_MOST_AROUND = 4  # words beside the subject of “what is …”


def subject_of(question: str, known: str = "") -> str:
    """Return what *question* is about, after *known*, which stays if it names none."""
    words = read(question)
    chunks = _chunks(question, words)
    if not chunks:
        return known
    if pair := _pair(question, words, chunks):
        return pair
    chosen = _chosen(chunks, words)
    if known and not _defines(words, chosen) and _is_beside(chosen, words, known):
        return known
    return _text(question, chosen)


def pair_of(question: str) -> str:
    """Return two things that are compared, such as soup and stew; '' without."""
    words = read(question)
    return _pair(question, words, _chunks(question, words))


def person_of(question: str) -> str:
    """Return the last name in *question* that may be a person's; '' without one."""
    if who := _WHO.match(question.strip()):
        return who["role"] or "who" + who["did"][3:]
    chunks = _chunks(question, read(question))
    names = [one for one in chunks if one[0].is_name and not one[0].text.isupper()]
    return _text(question, names[-1]) if names else ""


def _pair(
    question: str, words: Sequence[Word], chunks: Sequence[Sequence[Word]]
) -> str:
    if not {word.low for word in words} & PAIRING:
        return ""
    for one, other in pairwise(chunks):
        between = question[one[-1].end : other[0].start].strip().lower()
        if between in {"and", "or", "vs", "versus", "to"}:
            return question[one[0].start : other[-1].end]
    return ""


def _chosen(chunks: Sequence[list[Word]], words: Sequence[Word]) -> list[Word]:
    """Choose the subject: behind “history of”, else a name, else the first noun."""
    for chunk in chunks:
        lows = [word.low for word in words[: chunk[0].at]]
        while lows and lows[-1] in _ARTICLES:
            lows.pop()
        if lows[-1:] == ["about"]:
            return chunk
        if lows[-1:] == ["of"] and len(lows) > 1 and lows[-2] in RELATIONAL:
            return chunk
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


def _is_beside(chunk: Sequence[Word], words: Sequence[Word], known: str) -> bool:
    """Tell if a noun is a part of the *known* subject: the funds, indoor versions."""
    if any(word.is_name for word in chunk):
        return False
    at = chunk[0].at
    head = chunk[-1].low
    is_definite = before(words, at) in {"the", "these", "those"}
    is_sort = before(words, at) == "of" and before(words, at - 1) in SORTS
    is_again = len(chunk) == 1 and stem(head) in stems(known)
    return is_definite or is_sort or is_again or head in RELATIONAL


def _is_at_place(chunk: Sequence[Word], words: Sequence[Word]) -> bool:
    at = chunk[0].at
    if before(words, at) in _ARTICLES:
        at -= 1
    return before(words, at) in PLACES


def _chunks(question: str, words: Sequence[Word]) -> list[list[Word]]:
    """Cut a question into runs of specific words, numbers and names among them."""
    chunks: list[list[Word]] = []
    last = -2
    for at, word in enumerate(words):
        if not (word.is_specific or _is_number_of_name(words, at)):
            continue
        if at == last + 1 and not question[words[last].end : word.start].strip():
            chunks[-1].append(word)
        elif chunks and _is_name_of(words, last, at):
            chunks[-1] += words[last + 1 : at + 1]
        else:
            chunks.append([word])
        last = at
    trimmed = (_trimmed(chunk, words) for chunk in chunks)
    return [chunk for chunk in trimmed if chunk]


def _is_number_of_name(words: Sequence[Word], at: int) -> bool:
    """Tell if a number belongs to a name: Python 3.14, a 529 plan."""
    if not words[at].text[0].isdigit() or words[at].is_year:
        return False
    near = [i for i in (at - 1, at + 1) if 0 <= i < len(words)]
    return any(words[i].is_specific for i in near)


def _is_name_of(words: Sequence[Word], last: int, at: int) -> bool:
    """Tell if two names are one: Lord of the Rings."""
    between = [word.low for word in words[last + 1 : at]]
    return words[last].is_name and words[at].is_name and between in _OF


def _trimmed(chunk: list[Word], words: Sequence[Word]) -> list[Word]:
    """Leave out verbs: behind “do you”, behind a name, and “is …ing”."""
    at = chunk[0].at
    previous = before(words, at)
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
