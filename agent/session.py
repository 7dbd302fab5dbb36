"""One conversation: its mode, its search switch, its history."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from enum import StrEnum

from agent import chat_mode
from agent.events import Event, SearchFinished, Token
from agent.history import MAX_TURNS, Turn, without_markers
from agent.resources import Resources
from citations import Source


class Mode(StrEnum):
    """Who decides when to search: the user's switch, or the model."""

    CHAT = "chat"
    AGENT = "agent"


class Session:
    """Nothing in here is shared with another session but the resources."""

    def __init__(self, resources: Resources) -> None:
        self.mode = Mode.CHAT
        self._resources = resources
        self._wants_search = False
        self._history: list[Turn] = []

    @property
    def is_search_on(self) -> bool:
        """Whether the next message is searched for: the switch, in Chat mode only."""
        return self.mode is Mode.CHAT and self._wants_search

    @property
    def wants_search(self) -> bool:
        """State of the switch in Chat mode, kept while Agent mode is on."""
        return self._wants_search

    def choose(self, mode: Mode, *, search: bool) -> None:
        """Take mode and switch; Agent mode keeps the switch for later."""
        self.mode = mode
        self._wants_search = search

    async def ask(self, question: str) -> AsyncGenerator[Event, None]:
        """Answer *question*; also a stopped answer leaves what was written."""
        written: list[str] = []
        sources: dict[int, Source] = {}
        events = chat_mode.answer(
            question,
            model=self._resources.model,
            search=self._resources.search if self.is_search_on else None,
            settings=self._resources.settings,
            history=tuple(self._history),
        )
        try:
            async with aclosing(events):
                async for event in events:
                    if isinstance(event, Token):
                        written.append(event.text)
                    elif isinstance(event, SearchFinished):
                        sources |= {s.number: s for s in event.sources}
                    yield event
        finally:
            self._remember(question, without_markers("".join(written), sources))

    def _remember(self, question: str, text: str) -> None:
        """A question without an answer would confuse the next one, and is left out."""
        if text.strip():
            turns = [Turn("user", question), Turn("assistant", text)]
            self._history = [*self._history, *turns][-MAX_TURNS:]


def open_session(resources: Resources | None = None) -> Session:
    """A new conversation; without *resources*, one made from the settings."""
    return Session(resources or Resources.load())
