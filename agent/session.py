"""One conversation: its mode, its search switch, its history."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from enum import StrEnum

from agent import agent_mode, chat_mode
from agent.events import Event
from agent.history import MAX_TURNS, Turn
from agent.notes import Notes
from agent.resources import Resources
from agent.searches import Searches


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
        self._searches: Searches | None = None  # made where Agent mode first asks

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
        notes = Notes(lasting=self.mode is Mode.AGENT)
        try:
            async with aclosing(self._events(question)) as events:
                async for event in events:
                    notes.take(event)
                    yield event
        finally:
            self._remember(question, notes)

    def _events(self, question: str) -> AsyncGenerator[Event, None]:
        resources, history = self._resources, tuple(self._history)
        if self.mode is Mode.AGENT:
            if self._searches is None:
                self._searches = Searches(resources.search, resources.settings)
            return agent_mode.answer(
                question,
                resources=resources,
                searches=self._searches,
                history=history,
            )
        return chat_mode.answer(
            question,
            model=resources.model,
            search=resources.search if self.is_search_on else None,
            settings=resources.settings,
            history=history,
        )

    def _remember(self, question: str, notes: Notes) -> None:
        """A question without an answer would confuse the next one, and is left out."""
        if notes.text.strip():
            turns = [Turn("user", question), notes.turn()]
            self._history = [*self._history, *turns][-MAX_TURNS:]


def open_session(resources: Resources | None = None) -> Session:
    """A new conversation; without *resources*, one made from the settings."""
    return Session(resources or Resources.load())
