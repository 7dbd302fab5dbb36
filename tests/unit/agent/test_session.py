"""Mode and switch of a session."""

from dataclasses import replace
from typing import Any

import pytest
from support.search.engines import FakeEngine, response
from support.sessions import offline_resources, offline_session

from agent import Mode, Session
from agent.models.catalog import Models
from agent.models.settings import ModelSettings
from websearch import Processes, SearchService


@pytest.fixture
def session() -> Session:
    return offline_session()


@pytest.mark.spec("A6")
def test_agent_keeps_the_switch(session: Session) -> None:
    """In Agent mode search is not the switch's, whose state waits for Chat mode."""
    session.choose(Mode.CHAT, search=True)
    session.choose(Mode.AGENT, search=True)

    assert not session.is_search_on
    assert session.state.search


class Cookies:
    """A browser that notes which sessions ended."""

    def __init__(self) -> None:
        self.ended: list[str] = []

    async def end_session(self, session: str) -> None:
        self.ended.append(session)


@pytest.mark.parametrize("mode", Mode)
async def test_cookies_of_a_conversation(mode: Mode) -> None:
    """All searches of a conversation carry its own mark, which ends with it."""
    engine, browser = FakeEngine("google", response("google")), Cookies()
    resources = replace(
        offline_resources(processes=Processes(browser=browser)),  # type: ignore[arg-type]
        models=Models(ModelSettings()),
        search=SearchService(engine),
    )
    marks: list[Any] = []
    for _ in range(2):
        session = Session(resources)
        session.choose(mode, search=True)
        for question in ("weather in Beijing", "height of the tower"):
            _ = [event async for event in session.ask(question)]
        marks.append({request.session for request in engine.requests})
        engine.requests.clear()
        await session.aclose()

    assert marks == [{ended} for ended in browser.ended]
    assert len(set(browser.ended)) == 2
