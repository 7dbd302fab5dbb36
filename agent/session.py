"""A conversation: its mode, search switch, agent, model and history."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from enum import StrEnum
from uuid import uuid4

from agent import chat_mode
from agent.agent_mode import run as agent_mode
from agent.agent_mode.numbered_search import Searches
from agent.chat_mode import Asked
from agent.events import Event, SearchStarted
from agent.follow_up import Completion, FollowUps
from agent.history import MAX_TURNS, Turn, TurnRecorder
from agent.models.settings import FollowUpMode
from agent.profiles import AgentProfile
from agent.research.budget import Budget
from agent.research.run import ReportRun
from agent.resources import Resources
from citations import CitationManager
from websearch import PageReader, SearchService


class Mode(StrEnum):
    """Chat mode searches by the user's switch, Agent mode by the model's decision."""

    CHAT = "chat"
    AGENT = "agent"


class Session:
    """A conversation; it answers one question at a time. All share *resources*."""

    def __init__(self, resources: Resources) -> None:
        self.mode = Mode.CHAT
        self.agent = resources.agents.profiles[0]
        self.model = ""  # the default model, which may change
        self._resources = resources
        # Without a model the results are all there is to show, so the switch starts on.
        self.wants_search = resources.models.is_built_in  # the switch of Chat mode
        self.wants_reading = True  # the switch of both modes
        self._reader = resources.reader.for_session()
        self._id = uuid4().hex  # of its cookies in the browser of an engine
        self._history: list[Turn] = []
        self._follow_ups = FollowUps(resources.models.settings.follow_ups)
        self.completion: Completion | None = None  # of the newest question, if any
        # One for each service used in Agent mode; all share the source numbers.
        self._searches: dict[SearchService, Searches] = {}
        self._citations = CitationManager()

    @property
    def is_search_on(self) -> bool:
        """Tell if the next message starts a search, by the switch of Chat mode."""
        return self.mode is Mode.CHAT and self.wants_search

    @property
    def can_read(self) -> bool:
        """Tell if the operator lets pages be read."""
        return self._reader.is_enabled

    @property
    def reader(self) -> PageReader:
        """The reader of pages; one that reads nothing if reading is switched off."""
        return self._reader if self.wants_reading else PageReader(None)

    @property
    def follow_ups(self) -> FollowUpMode:
        """The choice how follow-up questions are completed in Chat mode."""
        return self._follow_ups.mode

    @property
    def agents(self) -> Sequence[AgentProfile]:
        """The agents that can be chosen in Agent mode."""
        return self._resources.agents.profiles

    @property
    def models(self) -> Sequence[str]:
        """The names of the models that can be chosen; empty without a model."""
        return self._resources.models.names

    def can_search(self, agent: str) -> bool:
        """Tell if the agent with this id can search."""
        return self._resources.search_of(self._agent(agent)) is not None

    def choose(
        self,
        mode: Mode,
        *,
        search: bool,
        reading: bool | None = None,
        agent: str | None = None,
        model: str | None = None,
        follow_ups: FollowUpMode | None = None,
    ) -> None:
        """Apply the user's choices; unknown agents and models are ignored."""
        self.mode = mode
        if follow_ups is not None:
            self._follow_ups.mode = follow_ups
        if model is not None and model in {"", *self.models}:
            self.model = model
        self.wants_search = search
        if reading is not None:
            self.wants_reading = reading
        self.agent = self._agent(agent)

    async def ask(
        self, question: str, *, as_typed: bool = False
    ) -> AsyncGenerator[Event, None]:
        """
        Answer *question*; a stopped answer stays in the history too.

        *as_typed* searches its words unchanged; where the question was just asked,
        the new answer takes the place of the other in the history.
        """
        recorder = TurnRecorder(keeps_numbers=self.mode is Mode.AGENT)
        self.completion = None
        try:
            async with aclosing(self._events(question, as_typed=as_typed)) as events:
                async for event in events:
                    if isinstance(event, SearchStarted):
                        self.completion = event.completion
                    recorder.add(event)
                    yield event
        finally:
            self._remember(question, recorder, is_again=as_typed)

    def report(
        self, question: str, budget: Budget | None = None, *, plan_seconds: float = 0
    ) -> ReportRun:
        """
        Start a research report.

        It belongs to the caller, who may follow it, or close it with `aclose`.
        """
        resources = self._resources
        return ReportRun(
            question,
            model=resources.models.get(self.model),
            search=resources.search.for_session(self._id),
            reader=self.reader.for_session(),
            budget=budget or Budget.of(resources.research),
            plan_seconds=plan_seconds,
        )

    async def aclose(self) -> None:
        """Free what the conversation holds outside of itself."""
        await self._resources.processes.browser.end_session(self._id)

    def _events(self, question: str, *, as_typed: bool) -> AsyncGenerator[Event, None]:
        resources, history = self._resources, tuple(self._history)
        if as_typed and history[-2:-1] == (Turn("user", question),):
            history = history[:-2]  # the same question is answered anew
        service = self._service
        asked = Asked(
            question,
            resources.models.get(self.model),
            service.for_session(self._id) if service else None,
            self.reader,
            resources.settings,
            history,
            self.agent.instructions if self.mode is Mode.AGENT else "",
        )
        if self.mode is Mode.AGENT:
            return agent_mode.answer(asked, self._searches_with(service))
        return chat_mode.answer(asked, None if as_typed else self._follow_ups)

    def _agent(self, name: str | None) -> AgentProfile:
        """The agent with this id; the chosen one if it is unknown."""
        return next((one for one in self.agents if one.id == name), self.agent)

    @property
    def _service(self) -> SearchService | None:
        """The search service of the mode; None if nothing may be searched."""
        if self.mode is Mode.AGENT:
            return self._resources.search_of(self.agent)
        return self._resources.search if self.wants_search else None

    def _searches_with(self, service: SearchService | None) -> Searches:
        """The numbered searches with *service*, that of the chosen agent."""
        service = service or self._resources.search
        if service not in self._searches:
            self._searches[service] = Searches(
                service.for_session(self._id), self._resources.settings, self._citations
            )
        return self._searches[service]

    def _remember(
        self, question: str, recorder: TurnRecorder, *, is_again: bool
    ) -> None:
        """Add question and answer to the history; leave out unanswered questions."""
        answered = bool(recorder.text.strip())
        titles = recorder.cited_titles if answered else None
        completion = self.completion or Completion.typed(question)
        self._follow_ups.follow(completion, titles)
        if not answered:
            return
        turns = [Turn("user", question), recorder.turn()]
        if is_again and self._history[-2:-1] == [Turn("user", question)]:
            del self._history[-2:]
        self._history = [*self._history, *turns][-MAX_TURNS:]


def open_session(resources: Resources | None = None) -> Session:
    """Start a conversation; by default *resources* are made from the settings."""
    return Session(resources or Resources.load())
