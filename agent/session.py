"""A conversation: its state, its searches, its reader, and the way to an answer."""

import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Literal
from uuid import uuid4

from agent import chat_mode
from agent.agent_mode import run as agent_mode
from agent.answering import Asked, Material
from agent.events import (
    Answer,
    Completion,
    Event,
    ReadingFinished,
    SearchFinished,
)
from agent.follow_up import FollowUps
from agent.history import TurnRecorder
from agent.models.settings import FollowUpMode
from agent.profiles import AgentProfile
from agent.prompts import new_fence
from agent.research.budget import Budget
from agent.research.run import ReportRun
from agent.resources import Resources
from agent.state import ConversationState, Mode
from citations import CitationManager, cited
from websearch import PageReader, SearchService, TimeRange, with_session_cache

logger = logging.getLogger(__name__)


class Session:
    """
    A conversation; it answers one question at a time. All share *resources*.

    It goes on from *state*, and replaces its own `state` by a new one at each change.
    """

    def __init__(
        self, resources: Resources, state: ConversationState | None = None
    ) -> None:
        self.state = state or ConversationState()
        self._resources = resources
        self._reader = resources.reader.for_session()
        self._fence = new_fence()
        self._id = uuid4().hex  # of its cookies in the browser of an engine
        # By the service; they hold what Agent mode has searched.
        self._cached: dict[SearchService, SearchService] = {}
        self._follow_ups = FollowUps(self.follow_ups)
        # The newest answer, if it broke off, and the state before it.
        self._cut: tuple[Asked, TurnRecorder, ConversationState] | None = None

    @property
    def model(self) -> str:
        """The name of the model that answers; '' for the built-in answerer."""
        return self._resources.models.get(self.state.model).name

    @property
    def can_go_on(self) -> bool:
        """Tell if the newest answer broke off, and a model can write the rest."""
        return self._cut is not None and not self._resources.models.is_built_in

    @property
    def agent(self) -> AgentProfile:
        """The chosen agent; the first where that does not exist."""
        known = {one.id: one for one in self.agents}
        return known.get(self.state.agent, self.agents[0])

    @property
    def is_search_on(self) -> bool:
        """Tell if the next message starts a search, by the switch of Chat mode."""
        return self.state.mode is Mode.CHAT and self.state.search

    @property
    def can_read(self) -> bool:
        """Tell if the operator lets pages be read."""
        return self._reader.is_enabled

    @property
    def reader(self) -> PageReader:
        """The reader of pages; one that reads nothing if reading is switched off."""
        return self._reader if self.state.reading else PageReader(None)

    @property
    def follow_ups(self) -> FollowUpMode:
        """The choice how follow-up questions are completed in Chat mode."""
        return self.state.follow_ups or self._resources.models.settings.follow_ups

    @property
    def completion(self) -> Completion | None:
        """The newest question as it was searched, if words were added to it."""
        return self.state.turns[-1].completion if self.state.turns else None

    @property
    def agents(self) -> Sequence[AgentProfile]:
        """The agents that can be chosen in Agent mode."""
        return self._resources.agents.profiles

    @property
    def models(self) -> Sequence[str]:
        """The names of the models that can be chosen; empty without a model."""
        return self._resources.models.names

    def can_search(self, agent: str) -> bool:
        """Tell if the agent with this id can search; of an unknown one, the chosen."""
        profile = next((one for one in self.agents if one.id == agent), self.agent)
        return self._resources.search_of(profile) is not None

    def choose(
        self,
        mode: Mode,
        *,
        search: bool,
        reading: bool | None = None,
        agent: str | None = None,
        model: str | None = None,
        follow_ups: FollowUpMode | None = None,
        time_range: TimeRange | Literal[""] | None = None,
    ) -> None:
        """Apply the user's choices; unknown agents and models are ignored."""
        state = self.state
        self.state = replace(
            state,
            mode=mode,
            search=search,
            reading=state.reading if reading is None else reading,
            agent=agent if agent in {one.id for one in self.agents} else state.agent,
            model=model if model in {"", *self.models} else state.model,
            follow_ups=follow_ups or state.follow_ups,
            time_range=state.time_range if time_range is None else time_range or None,
        )
        self._follow_ups.mode = self.follow_ups

    async def ask(
        self,
        question: str,
        *,
        again: bool = False,
        as_typed: bool = False,
        mode: Mode | None = None,
        search: bool | None = None,
        model: str | None = None,
        is_busy: Callable[[], bool] = lambda: False,
    ) -> AsyncGenerator[Event, None]:
        """
        Answer *question*; a stopped answer stays in the history too.

        Asked *again*, where it was just asked, the new answer takes the place of the
        other in the history. *as_typed* searches its words unchanged; *mode*, *search*
        and *model* hold for this answer, whatever the user has chosen.
        While the server *is_busy*, fewer pages are read.
        """
        before = self.state.without(question) if again else self.state
        before = replace(
            before,
            mode=mode or before.mode,
            search=before.search if search is None else search,
            model=before.model if model is None else model,
        )
        # It may change meanwhile.
        is_agent = before.mode is Mode.AGENT
        recorder = TurnRecorder(question, keeps_numbers=is_agent)
        asked = replace(self._asked(question, before), is_busy=is_busy)
        self._cut = None
        await self._resources.models.prepare(asked.model)
        if is_agent:
            answering = agent_mode.answer(asked)
        else:
            answering = chat_mode.answer(asked, None if as_typed else self._follow_ups)
        async with aclosing(
            self._recorded(answering, asked, recorder, before)
        ) as events:
            async for event in events:
                yield event

    async def go_on(self) -> AsyncGenerator[Event, None]:
        """Let the model write the rest of the newest answer, which broke off."""
        if self._cut is None:
            return
        (asked, recorder, before), self._cut = self._cut, None
        asked = replace(asked, model=self._resources.models.get(before.model))
        earlier = recorder.recalled
        used = {n: earlier[n] for n in cited(recorder.text, earlier)}
        material = Material(sources=used | recorder.sources, topic=asked.question)
        answering = chat_mode.go_on(asked, material, recorder.text)
        async with aclosing(
            self._recorded(answering, asked, recorder, before)
        ) as events:
            async for event in events:
                yield event

    async def _recorded(
        self,
        answering: AsyncGenerator[Event, None],
        asked: Asked,
        recorder: TurnRecorder,
        before: ConversationState,
    ) -> AsyncGenerator[Event, None]:
        """Yield the events of an answer, and keep its turn behind those *before*."""
        is_whole = False
        try:
            async with aclosing(answering) as events:
                async for event in events:
                    recorder.add(event)
                    is_whole = isinstance(event, Answer)
                    if isinstance(event, SearchFinished | ReadingFinished):
                        self._keep_numbers(asked, before)
                    yield event
        finally:
            self._keep_numbers(asked, before)
            turn = recorder.turn()
            if turn.answer or before.turns == self.state.turns:
                state = replace(self.state, turns=before.turns)
                self.state = state.with_turn(turn)
            is_begun = bool(recorder.text.strip()) and not asked.model.is_built_in
            is_cut = is_begun and not is_whole
            self._cut = (asked, recorder, before) if is_cut else None

    def return_to(self, earlier: ConversationState) -> None:
        """Forget what was asked and found since *earlier*; the choices stay."""
        self.state = replace(self.state, turns=earlier.turns, sources=earlier.sources)
        self._cut = None

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
            model=resources.models.get(self.state.model),
            search=resources.search.for_session(self._id, self.state.time_range),
            reader=self.reader.for_session(),
            budget=budget or resources.research.budget(),
            plan_seconds=plan_seconds,
        )

    async def aclose(self) -> None:
        """Free what the conversation holds outside of itself."""
        await self._resources.processes.browser.end_session(self._id)

    def _asked(self, question: str, before: ConversationState) -> Asked:
        """The question with all that its mode allows; in Agent mode numbers go on."""
        resources, is_agent = self._resources, before.mode is Mode.AGENT
        search = resources.search if before.search else None
        if is_agent and (search := resources.search_of(self.agent)):
            if search not in self._cached:
                self._cached[search] = with_session_cache(
                    search, resources.settings.cache_queries
                )
            search = self._cached[search]
        if search is not None:
            search = search.for_session(self._id, self.state.time_range)
        return Asked(
            question,
            resources.models.get(before.model),
            search,
            self.reader,
            resources.settings,
            before.turns,
            self.agent.instructions if is_agent else "",
            CitationManager(before.sources if is_agent else ()),
            self._fence,
        )

    def _keep_numbers(self, asked: Asked, before: ConversationState) -> None:
        """Keep the sources of Agent mode, also those of an answer that is cut off."""
        if before.mode is Mode.AGENT:
            sources = tuple(asked.citations.sources.values())
            self.state = replace(self.state, sources=sources)


def open_session(
    resources: Resources | None = None, state: ConversationState | None = None
) -> Session:
    """Start a conversation, or go on from *state*; by default with all the settings."""
    return Session(resources or Resources.load(), state)


async def answer(
    question: str,
    state: ConversationState | None = None,
    resources: Resources | None = None,
) -> AsyncGenerator[Event, None]:
    """
    Yield the events of an answer to *question* in a conversation of this *state*.

    `Answered.of` collects them. Without a *state* it is searched in Chat mode. Whoever
    goes on with the conversation opens a session.
    """
    own = None if resources else Resources.load()
    session = open_session(resources or own, state or ConversationState())
    try:
        if own:
            await own.models.refresh()
        async with aclosing(session.ask(question)) as events:
            async for event in events:
                yield event
    finally:
        await session.aclose()
        if own:
            await own.aclose()
