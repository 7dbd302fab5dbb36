"""The history of a conversation, cut to what a model can take."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from agent.events import (
    Aside,
    Event,
    Notice,
    NoticeKind,
    ReadingFinished,
    Recalled,
    SearchFinished,
    Token,
)
from citations import Source, link

MAX_TOKENS: Final = 6_000
MAX_TURNS: Final = 20  # each turn takes time before the model is called

_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_LINK = re.compile(r"\[\[([0-9]{1,4})\]\]\([^()\s]*\)")  # the output of `link`
_NUMBER = re.compile(r"[0-9\uff10-\uff19]{1,4}")
_UNKNOWN = Source(0, "", "https://unknown.invalid/")
_NARROW_PER_TOKEN: Final = 4


@dataclass(frozen=True, slots=True)
class Turn:
    """
    One message of the conversation.

    *marked* is the same text with its source numbers, which last in Agent mode.
    """

    role: Literal["user", "assistant"]
    text: str
    marked: str = ""


class TurnRecorder:
    """
    Recorder of an answer's events as a turn of the history, even if it is stopped.

    *keeps_numbers* is for Agent mode, where sources keep their numbers.
    """

    def __init__(self, *, keeps_numbers: bool) -> None:
        self._keeps_numbers = keeps_numbers
        self._written: list[str] = []
        self._aside = ""
        self._sources: dict[int, Source] = {}

    @property
    def text(self) -> str:
        """The answer so far; before it begins, the last words before a search."""
        return "".join(self._written) or self._aside

    def add(self, event: Event) -> None:
        """Add the text and the sources of *event*."""
        match event:
            case Token(text):
                self._written.append(text)
            case Aside(text):
                self._aside = text
                self._written.clear()
            case Notice(NoticeKind.NO_TOOLS):  # continues as in Chat mode
                self._keeps_numbers = False
                self._sources.clear()
            case Recalled(sources):
                self._sources |= sources
            case SearchFinished():
                self._sources |= {source.number: source for source in event.sources}
            case ReadingFinished():
                self._sources |= event.sources

    def turn(self) -> Turn:
        """The answer as a turn of the history."""
        plain = without_markers(self.text, self._sources)
        marked = ""
        if self._keeps_numbers:
            marked = with_known_markers(self.text, self._sources)
        # Servers refuse an empty message.
        return Turn("assistant", plain if plain.strip() else "…", marked)


def without_last(turns: Sequence[Turn], question: str) -> tuple[Turn, ...]:
    """Leave out the last question and its answer, if it was *question*."""
    asked = [at for at, turn in enumerate(turns) if turn.role == "user"][-1:]
    is_last = asked and turns[asked[0]].text == question
    return tuple(turns[: asked[0]] if is_last else turns)


def count_tokens(text: str) -> int:
    """Estimate tokens: one for a Han character, one for four letters."""
    wide = len(_WIDE.findall(text))
    return wide + (len(text) - wide) // _NARROW_PER_TOKEN + 1


def recent(turns: Sequence[Turn], max_tokens: int = MAX_TOKENS) -> list[Turn]:
    """The last answered questions that fit, with their answers."""
    kept: list[Turn] = []
    left = max_tokens
    roles = [turn.role for turn in turns[1:]] + ["user"]
    turns = [
        turn for turn, behind in zip(turns, roles, strict=False) if turn.role != behind
    ]
    for turn in reversed(turns[-MAX_TURNS:]):
        left -= count_tokens(turn.text)
        if left < 0:
            break
        kept.append(turn)
    while kept and kept[-1].role == "assistant":
        kept.pop()
    return kept[::-1] or [_cut(turn, max_tokens // 2) for turn in turns[-2:]]


def without_markers(text: str, sources: Mapping[int, Source]) -> str:
    """Remove the markers of *sources*: later the numbers name other pages."""
    return _LINK.sub("", link(text, sources))


def with_known_markers(text: str, sources: Mapping[int, Source]) -> str:
    """Remove markers of unknown numbers, which a later search may assign."""
    named = {int(number) for number in _NUMBER.findall(text)}
    unknown = dict.fromkeys(named - sources.keys(), _UNKNOWN)
    return _LINK.sub(
        lambda match: f"[{match[1]}]" if int(match[1]) in sources else "",
        link(text, {**sources, **unknown}),
    )


def _cut(turn: Turn, max_tokens: int) -> Turn:
    """Shorten a long turn to its beginning and its end."""
    if count_tokens(turn.text) <= max_tokens:
        return turn
    half = max_tokens // 2
    return Turn(turn.role, f"{turn.text[:half]}\n…\n{turn.text[-half:]}")
