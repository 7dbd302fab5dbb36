"""A session with its model and its SearXNG, both scripted servers on loopback."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import Any

from support.model.model_server import Brain, ModelServer, model_server
from support.pages.pages_web import READY, PagesWeb
from support.servers.loopback import Loopback, served
from support.servers.searxng_pages import healthy

from agent import Mode, PageOutcome, Session
from agent.events import Answer, Event, Failed, ReadingFinished
from agent.models.catalog import Models
from agent.models.settings import ModelSettings
from agent.profiles import Agents
from agent.resources import Resources
from agent.settings import AgentSettings
from websearch import PageReader, SearchService, create_reader
from websearch.factory import create_service


class World:
    """A session with its model and its SearXNG."""

    def __init__(
        self,
        session: Session,
        model: ModelServer,
        search: Loopback,
        resources: Resources,
    ) -> None:
        self.session = session
        self.model = model
        self.search = search
        self.resources = resources

    async def ask(self, question: str) -> list[Event]:
        return [event async for event in self.session.ask(question)]

    def another(self) -> "World":
        """One more session, beside the same servers."""
        session = Session(self.resources)
        session.choose(self.session.state.mode, search=self.session.state.search)
        return World(session, self.model, self.search, self.resources)

    def without_model(self) -> Session:
        """One more session, where no model is configured."""
        return self.with_models(Models(ModelSettings()))

    def with_models(self, models: Models) -> Session:
        """One more session, with other models."""
        session = Session(replace(self.resources, models=models))
        session.choose(self.session.state.mode, search=self.session.state.search)
        return session


@asynccontextmanager
async def world(
    brain: Brain | None = None,
    *,
    search: Any = healthy,
    on: bool = True,
    mode: Mode = Mode.CHAT,
    model_options: Mapping[str, Any] | None = None,
    agents: Agents | None = None,
    services: Mapping[str, SearchService] | None = None,
    web: PagesWeb | None = None,
    **more: Any,
) -> AsyncIterator[World]:
    """
    A session in *mode*, all of it real but what answers over the network.

    It finds and reads the pages of *web*; without one it reads nothing.
    """
    if web is not None:
        search, more = web.search, {**web.settings, **more}
    with model_server(brain) as model, served(search) as engine:
        settings = AgentSettings.model_validate(
            {"SEARXNG_BASE_URL": engine.url, **more}
        )
        options = {"OPENAI_BASE_URL": model.base_url, "OPENAI_API_KEY": "k"}
        model_settings = ModelSettings.model_validate(
            options | {**(model_options or {})}
        )
        resources = Resources(
            Models(model_settings),
            create_service(settings),
            settings,
            reader=create_reader(settings) if web else PageReader(None),
            agents=agents or Agents(),
            services=services or {},
        )
        session = Session(resources)
        session.choose(mode, search=on)
        try:
            if web and resources.reader.is_enabled:
                await resources.reader.aread(web.url(READY))
            yield World(session, model, engine, resources)
        finally:
            await resources.aclose()


def kinds(events: list[Event]) -> list[type]:
    """The kinds of the events, in the order of the first of each."""
    return list(dict.fromkeys(type(event) for event in events))


def answer_of(events: Sequence[Event]) -> Answer:
    """The answer that ends the events."""
    end = events[-1]
    assert isinstance(end, Answer)
    return end


def failure_of(events: Sequence[Event]) -> Failed:
    """The failure of the model; quotations may follow it."""
    (failure,) = (event for event in events if isinstance(event, Failed))
    return failure


def outcomes(events: Sequence[Event]) -> list[PageOutcome]:
    """The outcome of each page that was to be read."""
    return [o for e in events if isinstance(e, ReadingFinished) for o in e.pages]


async def stopped(w: World, after: float, question: str = "一") -> list[Event]:
    """The events of an answer that is stopped after so many seconds."""
    seen: list[Event] = []

    async def read() -> None:
        async with aclosing(w.session.ask(question)) as events:
            async for event in events:
                seen.append(event)  # noqa: PERF401  kept also where it is stopped

    task = asyncio.create_task(read())
    await asyncio.sleep(after)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled() or isinstance(seen[-1], Answer)
    return seen
