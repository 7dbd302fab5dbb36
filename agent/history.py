"""What was said so far, cut to what a model can take."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from citations import Source, link

MAX_TOKENS: Final = 6_000
MAX_TURNS: Final = 20  # each costs time before the model is asked

_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_LINK = re.compile(r"\[\[([0-9]{1,4})\]\]\([^()\s]*\)")  # as `link` writes them
_NUMBER = re.compile(r"[0-9\uff10-\uff19]{1,4}")
_NOWHERE = Source(0, "", "https://unknown.invalid/")
_NARROW_PER_TOKEN: Final = 4


@dataclass(frozen=True, slots=True)
class Turn:
    """
    One message of the conversation.

    *marked* is the same text with the numbers of Agent mode, which stay valid.
    """

    role: Literal["user", "assistant"]
    text: str
    marked: str = ""


def count_tokens(text: str) -> int:
    """About how many tokens *text* is: a Han character is one, four letters are one."""
    wide = len(_WIDE.findall(text))
    return wide + (len(text) - wide) // _NARROW_PER_TOKEN + 1


def recent(turns: Sequence[Turn], max_tokens: int = MAX_TOKENS) -> list[Turn]:
    """The last turns that fit, beginning with a question."""
    kept: list[Turn] = []
    left = max_tokens
    for turn in reversed(turns[-MAX_TURNS:]):
        left -= count_tokens(turn.text)
        if left < 0:
            break
        kept.append(turn)
    while kept and kept[-1].role == "assistant":
        kept.pop()
    return kept[::-1] or [_cut(turn, max_tokens // 2) for turn in turns[-2:]]


def without_markers(text: str, sources: Mapping[int, Source]) -> str:
    """Old numbers mean other pages later, and must not be taken for those."""
    return _LINK.sub("", link(text, sources))


def with_known_markers(text: str, sources: Mapping[int, Source]) -> str:
    """A number that means nothing yet must not mean a page that is found later."""
    named = {int(number) for number in _NUMBER.findall(text)}
    unknown = dict.fromkeys(named - sources.keys(), _NOWHERE)
    return _LINK.sub(
        lambda match: f"[{match[1]}]" if int(match[1]) in sources else "",
        link(text, {**sources, **unknown}),
    )


def _cut(turn: Turn, max_tokens: int) -> Turn:
    """Beginning and end of a turn that is too long as a whole."""
    if count_tokens(turn.text) <= max_tokens:
        return turn
    half = max_tokens // 2
    return Turn(turn.role, f"{turn.text[:half]}\n…\n{turn.text[-half:]}")
