"""The history of a conversation, cut to what a model can take."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agent.events import (
    Aside,
    Completion,
    Event,
    Notice,
    NoticeKind,
    ReadingFinished,
    Recalled,
    SearchFinished,
    SearchStarted,
    Token,
)
from agent.models.stream import count_tokens
from citations import Source, cited, link

MAX_TOKENS: Final = 6_000
MAX_TURNS: Final = 10  # each turn takes time before the model is called

_LINK = re.compile(r"\[\[([0-9]{1,4})\]\]\([^()\s]*\)")  # the output of `link`
_NUMBER = re.compile(r"[0-9\uff10-\uff19]{1,4}")
_UNKNOWN = Source(0, "", "https://unknown.invalid/")


@dataclass(frozen=True, slots=True)
class Turn:
    """
    A question of the conversation, and its answer; '' where there was none.

    *marked* is the answer with its source numbers, which last in Agent mode. *titles*
    are those of the sources that it cites, in their order.
    """

    question: str
    answer: str = ""
    marked: str = ""
    titles: tuple[str, ...] = ()
    completion: Completion | None = None  # the words searched, if some were added

    def messages(self, *, marked: bool = False) -> list[tuple[str, str]]:
        """The turn as two messages to a model."""
        words = (marked and self.marked) or self.answer
        return [("user", self.question), ("assistant", words)]


class TurnRecorder:
    """
    Recorder of an answer's events as a turn of the history, even if it is stopped.

    *keeps_numbers* is for Agent mode, where sources keep their numbers.
    """

    def __init__(self, question: str, *, keeps_numbers: bool) -> None:
        self._question = question
        self._keeps_numbers = keeps_numbers
        self._written: list[str] = []
        self._aside = ""
        self._sources: dict[int, Source] = {}
        self._completion: Completion | None = None

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
            case SearchStarted(completion=completion):
                self._completion = completion
            case SearchFinished():
                self._sources |= {source.number: source for source in event.sources}
            case ReadingFinished():
                self._sources |= event.sources

    def turn(self) -> Turn:
        """The answer so far; before it begins, the last words before a search."""
        text = "".join(self._written) or self._aside
        if not text.strip():
            return Turn(self._question, completion=self._completion)
        plain = without_markers(text, self._sources)
        return Turn(
            self._question,
            plain if plain.strip() else "…",  # servers refuse an empty message
            with_known_markers(text, self._sources) if self._keeps_numbers else "",
            tuple(self._sources[n].title for n in cited(text, self._sources)),
            self._completion,
        )


def recent(turns: Sequence[Turn], max_tokens: int = MAX_TOKENS) -> list[Turn]:
    """The last answered turns that fit; of a last one too long, both ends."""
    turns = [turn for turn in turns if turn.answer]
    kept: list[Turn] = []
    left = max_tokens
    for turn in reversed(turns[-MAX_TURNS:]):
        left -= count_tokens(turn.question) + count_tokens(turn.answer)
        if left < 0:
            break
        kept.append(turn)
    if kept or not turns:
        return kept[::-1]
    question, answer = (
        _cut(words, max_tokens // 2) for words in (turns[-1].question, turns[-1].answer)
    )
    return [Turn(question, answer)]


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


def _cut(text: str, max_tokens: int) -> str:
    """Shorten a long *text* to its beginning and its end."""
    if count_tokens(text) <= max_tokens:
        return text
    half = max_tokens // 2
    return f"{text[:half]}\n…\n{text[-half:]}"
