"""Objects that all sessions share: models, agents, search services, settings."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from agent.agent_mode import run as agent_mode
from agent.models.catalog import Models
from agent.models.settings import ModelSettings
from agent.profiles import AgentProfile, Agents
from agent.research.budget import ResearchSettings
from agent.settings import AgentSettings
from websearch import (
    DEFAULT_BACKEND,
    EngineLimits,
    PageReader,
    Plan,
    Processes,
    SearchService,
    chosen,
    create_reader,
    create_service,
    destinations,
    log_not_taken,
)
from websearch.config import leave_to_env_file


@dataclass(slots=True)
class Resources:
    """
    Shared objects, made from the settings and closed once.

    Who holds it asks it for models and search at each question: `reload` replaces them.
    """

    models: Models
    search: SearchService
    settings: AgentSettings
    limits: EngineLimits = field(default_factory=EngineLimits)
    reader: PageReader = field(default_factory=lambda: PageReader(None))
    agents: Agents = field(default_factory=Agents)
    research: ResearchSettings = field(default_factory=ResearchSettings)
    processes: Processes = field(default_factory=Processes)
    # By agent id: services of agents with other engines than those of *search*.
    services: Mapping[str, SearchService] = field(default_factory=dict)
    # Replaced ones, which running answers may still use.
    _replaced: list[Models | SearchService] = field(default_factory=list)

    @classmethod
    def load(cls, *, default: str = DEFAULT_BACKEND) -> Self:
        """Make everything from the settings; where they name no engine, *default*."""
        # Else a change of the file would have no effect before the next start.
        leave_to_env_file(AgentSettings, ModelSettings)
        settings, agents = AgentSettings.load(), Agents.load()
        limits, processes = EngineLimits(), Processes.from_settings(settings)
        return cls(
            models=Models(ModelSettings.load()),
            search=create_service(
                settings, default=default, limits=limits, processes=processes
            ),
            settings=settings,
            limits=limits,
            reader=create_reader(settings, processes=processes),
            agents=agents,
            research=ResearchSettings.load(),
            services=_services(settings, agents, limits, processes),
            processes=processes,
        )

    def reload(self) -> None:
        """
        Take the settings of models and engines as they are now, from the next question.

        Answers that are being written end with what they began with.
        """
        models, settings = ModelSettings.load(), AgentSettings.load()
        if models != self.models.given:
            self._replaced.append(self.models)
            self.models = Models(models)
        if settings != self.settings:
            self._replaced += {self.search, *self.services.values()}
            self.settings = settings
            # An engine that refused the old key is asked with the new one at once.
            self.limits = EngineLimits()
            self.search = create_service(
                settings, limits=self.limits, processes=self.processes
            )
            self.services = _services(
                settings, self.agents, self.limits, self.processes
            )

    def search_of(self, agent: AgentProfile) -> SearchService | None:
        """The search service of *agent*; None if it can't search."""
        if not (agent.can_search and self.settings.enabled):
            return None
        return self.services.get(agent.id, self.search)

    def destinations(self) -> list[str]:
        """List the engines that receive queries, by the settings and by agents."""
        lines = [destinations(self.settings)]
        for agent in self.agents.profiles:
            if agent.id in self.services and self.search_of(agent) is not None:
                plan = _plan(agent, self.settings)
                lines.append(f"{destinations(self.settings, plan)} by {agent.id}")
        return lines

    async def load_agent(self) -> None:
        """Load the default model and Agent mode: their libraries take seconds."""
        await agent_mode.load(self.models.default)

    async def aclose(self) -> None:
        """Close all connections."""
        held = {*self._replaced, self.models, self.search, *self.services.values()}
        await asyncio.gather(*(one.aclose() for one in held))
        await self.reader.aclose()
        await self.processes.browser.aclose()


def _services(
    settings: AgentSettings,
    agents: Agents,
    limits: EngineLimits,
    processes: Processes,
) -> dict[str, SearchService]:
    """One service for each set of engines that agents have beside the usual one."""
    usual, made = chosen(settings).title, dict[str, SearchService]()
    services: dict[str, SearchService] = {}
    for agent in agents.profiles:
        if not agent.can_search or agent.provider is None:
            continue
        plan = _plan(agent, settings)
        log_not_taken(plan)
        if plan.title != usual:
            if plan.title not in made:
                made[plan.title] = create_service(
                    settings, plan=plan, limits=limits, processes=processes
                )
            services[agent.id] = made[plan.title]
    return services


def _plan(agent: AgentProfile, settings: AgentSettings) -> Plan:
    return chosen(settings, provider=agent.provider, place=agent.place)
