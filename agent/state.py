"""All that a conversation has to remember, as one value that can be stored."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Self

from pydantic import TypeAdapter, ValidationError

from agent.history import Turn
from agent.models.settings import FollowUpMode
from citations import Source

MOST_TURNS: Final = 20


class Mode(StrEnum):
    """Chat mode searches by the user's switch, Agent mode by the model's decision."""

    CHAT = "chat"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class ConversationState:
    """
    The choices of the user, the latest turns, and the numbered sources of Agent mode.

    What follow-up questions lean on is in the turns. The next number is one above the
    highest of the sources.
    """

    mode: Mode = Mode.CHAT
    search: bool = True  # the switch of Chat mode
    reading: bool = True  # the switch of both modes
    agent: str = ""  # '': the first one
    model: str = ""  # '': the default model, which may change
    follow_ups: FollowUpMode | None = None  # None: as the settings say
    turns: tuple[Turn, ...] = ()
    sources: tuple[Source, ...] = ()

    @property
    def answered(self) -> tuple[Turn, ...]:
        """The turns with an answer, which a model gets as history."""
        return tuple(turn for turn in self.turns if turn.answer)

    def without(self, question: str) -> Self:
        """The state before *question*, where that was the last one answered."""
        if not self.answered or self.answered[-1].question != question:
            return self
        last = self.answered[-1]
        return replace(self, turns=tuple(one for one in self.turns if one is not last))

    def with_turn(self, turn: Turn) -> Self:
        """The state after *turn*."""
        return replace(self, turns=(*self.turns, turn)[-MOST_TURNS:])

    def to_json(self) -> str:
        """Write the state as JSON."""
        return _JSON.dump_json(self).decode()

    @classmethod
    def from_json(cls, text: str | bytes) -> "ConversationState":
        """Read what `to_json` wrote; ValueError where *text* is something else."""
        try:
            return _JSON.validate_json(text)
        except ValidationError:  # its words can hold those of the conversation
            raise ValueError("this is no state of a conversation") from None


_JSON: Final = TypeAdapter(ConversationState)
