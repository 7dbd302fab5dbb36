"""Mode and switch of a session."""

import pytest
from support.sessions import offline_session

from agent import Mode, Session
from agent.models.settings import ModelSettings


@pytest.fixture
def session() -> Session:
    return offline_session()


def test_start(session: Session) -> None:
    """A session begins in Chat mode with search off."""
    assert session.mode is Mode.CHAT
    assert not session.is_search_on


@pytest.mark.spec("A6")
def test_agent_keeps_the_switch(session: Session) -> None:
    """In Agent mode search is not the switch's, whose state waits for Chat mode."""
    session.choose(Mode.CHAT, search=True)
    session.choose(Mode.AGENT, search=True)

    assert not session.is_search_on
    assert session.wants_search


@pytest.mark.spec("M4")
@pytest.mark.parametrize("variables", [{}, {"OPENAI_MODEL": "x"}], ids=str)
def test_no_model(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]) -> None:
    """Neither key nor server: no model is configured, whatever name is set."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert not ModelSettings.load().is_configured


@pytest.mark.parametrize(
    "variables",
    [{"OPENAI_API_KEY": "k"}, {"OPENAI_BASE_URL": "http://localhost:11434/v1"}],
    ids=["key", "server"],
)
def test_a_model(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]) -> None:
    """A key, or a server of one's own, is a model."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert ModelSettings.load().is_configured
