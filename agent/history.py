"""The history of a conversation, cut to what a model can take."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agent.events import (
    Aside,
    Completion,
    Event,
    Notice,
    ReadingFinished,
    Recalled,
    SearchFinished,
    SearchStarted,
    Token,
)
from agent.models.context import count_tokens, fitting
from citations import Source, markers

MAX_TOKENS: Final = 6_000
_LEAST_TURN: Final = 40  # tokens; less of a turn says nothing
MAX_TURNS: Final = 10  # each turn takes time before the model is called


@dataclass(frozen=True, slots=True)
class Turn:
    """
    A question of the conversation, and its answer; '' where there was none.

    *marked* is the answer with the *numbers* of its sources, which last in Agent mode.
    """

    question: str
    answer: str = ""
    marked: str = ""
    completion: Completion | None = None  # the words searched, if some were added
    numbers: tuple[int, ...] = ()  # in the order of their first markers

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
        self.sources: dict[int, Source] = {}  # found for this answer
        self.recalled: Mapping[int, Source] = {}
        self._completion: Completion | None = None

    @property
    def text(self) -> str:
        """The answer so far, as the model wrote it."""
        return "".join(self._written)

    def add(self, event: Event) -> None:
        """Add the text and the sources of *event*."""
        match event:
            case Token(text):
                self._written.append(text)
            case Aside(text):
                self._aside = text
                self._written.clear()
            case Notice(kind) if kind.gives_up:  # continues as in Chat mode
                self._keeps_numbers = False
            case Recalled(sources):
                self.recalled, self.sources = sources, {}
            case SearchStarted(completion=completion):
                self._completion = completion
            case SearchFinished():
                self.sources |= {source.number: source for source in event.sources}
            case ReadingFinished():
                self.sources |= event.sources

    def turn(self) -> Turn:
        """The answer so far; before it begins, the last words before a search."""
        text = self.text or self._aside
        if not text.strip():
            return Turn(self._question, completion=self._completion)
        sources = {**self.recalled, **self.sources}
        # Without its markers: later the numbers name other pages. In Agent mode they
        # last, but a later search may assign the unknown ones.
        plain = marked = ""
        end, numbers = 0, dict[int, None]()
        for marker in markers(text):
            words = text[end : marker.start]
            known = [n for n in marker.numbers if n in sources]
            unknown = [n for n in marker.numbers if n not in sources]
            plain += words + "".join(f"[{number}]" for number in unknown)
            marked += words + "".join(f"[{number}]" for number in known)
            numbers |= dict.fromkeys(known)
            end = marker.end
        plain, marked = plain + text[end:], marked + text[end:]
        return Turn(
            self._question,
            plain if plain.strip() else "…",  # servers refuse an empty message
            marked if self._keeps_numbers else "",
            self._completion,
            tuple(numbers) if self._keeps_numbers else (),
        )


def recent(turns: Sequence[Turn], room: int = MAX_TOKENS) -> list[Turn]:
    """The last answered turns that fit; of a last one too long, both ends."""
    turns = [turn for turn in turns if turn.answer]
    kept: list[Turn] = []
    left = room = min(room, MAX_TOKENS)
    for turn in reversed(turns[-MAX_TURNS:]):
        left -= count_tokens(turn.question) + count_tokens(turn.answer)
        if left < 0:
            break
        kept.append(turn)
    if kept or not turns or room < _LEAST_TURN:
        return kept[::-1]

    def ends(text: str) -> str:
        half = fitting(text, room // 2) // 2
        return text if 2 * half >= len(text) else f"{text[:half]}\n…\n{text[-half:]}"

    return [Turn(ends(turns[-1].question), ends(turns[-1].answer))]
