"""All that a conversation has to remember, as one value that can be stored."""

import json
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Final, Self

from pydantic import TypeAdapter

from agent.history import Turn
from agent.models.settings import FollowUpMode
from citations import Source
from websearch import TimeRange

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
    time_range: TimeRange | None = None  # of the pages that searches look for
    reading: bool = True  # the switch of both modes
    agent: str = ""  # '': the first one
    model: str = ""  # '': the default model, which may change
    follow_ups: FollowUpMode | None = None  # None: as the settings say
    turns: tuple[Turn, ...] = ()
    sources: tuple[Source, ...] = ()

    def without(self, question: str) -> Self:
        """The state before the last turn, if that was *question*."""
        is_last = any(turn.question == question for turn in self.turns[-1:])
        return replace(self, turns=self.turns[:-1]) if is_last else self

    def with_turn(self, turn: Turn) -> Self:
        """The state after *turn*."""
        return replace(self, turns=(*self.turns, turn)[-MOST_TURNS:])

    def to_json(self) -> str:
        """Write the state as JSON, in ASCII: models write halves of characters, too."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> "ConversationState":
        """Read what `to_json` wrote; ValueError where *text* is something else."""
        try:
            state = _CHECKED.validate_python(json.loads(text))
        except (ValueError, RecursionError):  # its words can hold the conversation's
            raise ValueError("this is no state of a conversation") from None
        # A stored link is not believed: it is made from the address again.
        sources = tuple(replace(one, key="", href="") for one in state.sources)
        return replace(state, sources=sources)


_CHECKED: Final = TypeAdapter(ConversationState)
