"""One conversation: its mode, switch, agent and model, and its history."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from enum import StrEnum

from agent import chat_mode
from agent.agent_mode import run as agent_mode
from agent.agent_mode.numbered_search import Searches
from agent.events import Event
from agent.history import MAX_TURNS, Turn
from agent.notes import Notes
from agent.profiles import AgentProfile
from agent.resources import Resources
from citations import CitationManager
from websearch import SearchService


class Mode(StrEnum):
    """Who decides when to search: the user's switch, or the model."""

    CHAT = "chat"
    AGENT = "agent"


class Session:
    """Nothing in here is shared with another session but the resources."""

    def __init__(self, resources: Resources) -> None:
        self.mode = Mode.CHAT
        self.agent = resources.agents.profiles[0]
        self.model = ""  # the default, whichever that is by then
        self._resources = resources
        # Without a model there are only results to quote: the switch begins on.
        self._wants_search = resources.models.is_built_in
        self._history: list[Turn] = []
        # One for each service that was asked in Agent mode; the numbers are shared.
        self._searches: dict[SearchService, Searches] = {}
        self._citations = CitationManager()

    @property
    def is_search_on(self) -> bool:
        """Whether the next message is searched for: the switch, in Chat mode only."""
        return self.mode is Mode.CHAT and self._wants_search

    @property
    def wants_search(self) -> bool:
        """State of the switch in Chat mode, kept while Agent mode is on."""
        return self._wants_search

    @property
    def agents(self) -> Sequence[AgentProfile]:
        """The agents to choose from in Agent mode."""
        return self._resources.agents.profiles

    @property
    def models(self) -> Sequence[str]:
        """The names of models to choose from; none where there is only the built-in."""
        return self._resources.models.names

    def searches(self, agent: str) -> bool:
        """Whether the agent of this id can search at all."""
        known = {one.id: one for one in self.agents}
        return self._resources.search_of(known.get(agent, self.agent)) is not None

    def choose(
        self,
        mode: Mode,
        *,
        search: bool,
        agent: str | None = None,
        model: str | None = None,
    ) -> None:
        """Take what the user chose; Agent mode keeps the switch for later."""
        self.mode = mode
        if model is not None and model in {"", *self.models}:
            self.model = model
        self._wants_search = search
        known = {one.id: one for one in self.agents}
        self.agent = known.get(agent or "", self.agent)

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
        model = resources.models.of(self.model)
        if self.mode is Mode.AGENT:
            return agent_mode.answer(
                question,
                resources=resources,
                model=model,
                agent=self.agent,
                searches=self._searches_of_agent(),
                history=history,
            )
        return chat_mode.answer(
            question,
            model=model,
            search=resources.search if self.is_search_on else None,
            settings=resources.settings,
            history=history,
        )

    def _searches_of_agent(self) -> Searches:
        """What was found keeps its numbers, whichever agent goes on."""
        service = self._resources.search_of(self.agent) or self._resources.search
        if service not in self._searches:
            self._searches[service] = Searches(
                service, self._resources.settings, self._citations
            )
        return self._searches[service]

    def _remember(self, question: str, notes: Notes) -> None:
        """A question without an answer would confuse the next one, and is left out."""
        if notes.text.strip():
            turns = [Turn("user", question), notes.turn()]
            self._history = [*self._history, *turns][-MAX_TURNS:]


def open_session(resources: Resources | None = None) -> Session:
    """A new conversation; without *resources*, one made from the settings."""
    return Session(resources or Resources.load())
