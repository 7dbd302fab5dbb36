"""The history of a conversation, cut to what a model can take."""

import re
from collections.abc import Sequence
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
from citations import Source, markers

MAX_TOKENS: Final = 6_000
MAX_TURNS: Final = 20  # each turn takes time before the model is called

_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
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

    def turn(self) -> tuple[Turn, list[str]]:
        """The answer as a turn of the history, and the titles of what it cites."""
        # Without its markers: later the numbers name other pages. In Agent mode they
        # last, but a later search may assign the unknown ones.
        plain, marked, end = "", "", 0
        titles: dict[int, str] = {}
        for marker in markers(self.text):
            words = self.text[end : marker.start]
            known = [n for n in marker.numbers if n in self._sources]
            unknown = [n for n in marker.numbers if n not in self._sources]
            titles |= {number: self._sources[number].title for number in known}
            plain += words + _marked(unknown)
            marked += words + _marked(known)
            end = marker.end
        plain, marked = plain + self.text[end:], marked + self.text[end:]
        # Servers refuse an empty message.
        turn = Turn(
            "assistant",
            plain if plain.strip() else "…",
            marked if self._keeps_numbers else "",
        )
        return turn, list(titles.values())


def count_tokens(text: str) -> int:
    """Estimate tokens: one for a Han character, one for four letters."""
    wide = len(_WIDE.findall(text))
    return wide + (len(text) - wide) // _NARROW_PER_TOKEN + 1


def recent(turns: Sequence[Turn], max_tokens: int = MAX_TOKENS) -> list[Turn]:
    """The last turns that fit, starting with a question."""
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


def _marked(numbers: Sequence[int]) -> str:
    return "".join(f"[{number}]" for number in numbers)


def _cut(turn: Turn, max_tokens: int) -> Turn:
    """Shorten a long turn to its beginning and its end."""
    if count_tokens(turn.text) <= max_tokens:
        return turn
    half = max_tokens // 2
    return Turn(turn.role, f"{turn.text[:half]}\n…\n{turn.text[-half:]}")
