"""Models and engines are replaced while conversations go on."""

from pathlib import Path

import pytest
from support.model.model_server import ModelServer, model_server, says

from agent import Answer, Mode, Resources, Session, Token

pytestmark = pytest.mark.spec("X6")


def keep(server: ModelServer, name: str) -> None:
    lines = f"OPENAI_BASE_URL={server.base_url}\nOPENAI_MODEL={name}\n"
    Path(".env").write_text(lines)


async def test_reload() -> None:
    """An answer that is being written ends with its model; the next question of the
    same conversation has the new one, and engines that did not change stay."""
    with model_server() as old, model_server() as new:
        old.brain = says("old ", "model")
        new.brain = says("new ", "model")
        keep(old, "a")
        resources = Resources.load(default="stub")
        session, search = Session(resources), resources.search
        session.choose(Mode.CHAT, search=False)

        running = session.ask("one")
        first = ""
        async for event in running:
            first += event.text if isinstance(event, Token) else ""
            if first == "old ":
                keep(new, "b")
                resources.reload()
        answers = [e async for e in session.ask("two") if isinstance(e, Answer)]
        await resources.aclose()

        assert first == "old model"
        assert [answer.text for answer in answers] == ["new model"]
        assert resources.search is search


async def test_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other engines serve from the next search on, also in an open conversation."""
    monkeypatch.setenv("WEB_SEARCH_BACKEND", "stub")
    resources = Resources.load()
    session, models = Session(resources), resources.models
    assert session.can_search("")

    monkeypatch.setenv("WEB_SEARCH_BACKEND", "ddg_html")
    resources.reload()

    assert resources.search.provider == "ddg_html"
    assert resources.models is models
    await resources.aclose()
