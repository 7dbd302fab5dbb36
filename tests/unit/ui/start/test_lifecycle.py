"""Objects with the lifetime of the program, and their clean-up."""

import asyncio
from typing import Any

import pytest
from chainlit.context import context_var
from support.browser.screen import Screen
from support.model.model_server import model_server

from agent.resources import Resources
from ui.conversation import Conversation
from ui.start import lifecycle
from ui.start.lifecycle import Lifecycle
from websearch.causes import Cause
from websearch.doctor.diagnosis import Diagnosis, Finding
from websearch.errors import NetworkError
from websearch.routing.selection import UNCONFIGURED


class Recorder:
    """A conversation that notes whether it was freed."""

    def __init__(self) -> None:
        self.stopped = False

    async def aclose(self) -> None:
        self.stopped = True


@pytest.fixture
def life() -> Lifecycle:
    return Lifecycle(Resources.load())


async def test_sweep(life: Lifecycle, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ended sessions are freed, and no others; an unknown one is no trouble."""
    monkeypatch.setattr(lifecycle, "ws_sessions_id", {"here": object()})
    contexts = {"here": [], "gone": []}
    monkeypatch.setattr(lifecycle, "chat_contexts", contexts)
    here, gone = Recorder(), Recorder()
    talks: Any = {"here": here, "gone": gone}
    life.conversations = talks

    await life.sweep_once()

    assert talks == {"here": here}
    assert contexts == {"here": []}
    assert (here.stopped, gone.stopped) == (False, True)
    await life.end("here")
    await life.end("unknown")
    assert here.stopped
    assert talks == {}


@pytest.mark.spec("M3")
async def test_destinations_are_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The log tells at the start to whom queries go, the chain included."""
    caplog.set_level("INFO")
    monkeypatch.setenv("WEB_SEARCH_BACKEND", "stub")
    monkeypatch.setenv("WEB_SEARCH_FALLBACK", "brave")
    life = Lifecycle(Resources.load())

    await life.start()
    await life.stop()

    assert "Queries are sent to: stub (nowhere), else brave" in caplog.text


@pytest.mark.parametrize("is_there", [True, False])
async def test_searxng_started_later(
    monkeypatch: pytest.MonkeyPatch, *, is_there: bool
) -> None:
    """Each look asks for SearXNG; where it came, all are asked, and its rest ends."""
    state, asked = {"searxng": False}, []

    async def adiagnose(_settings: Any, *, backend: str = "", **_: Any) -> Diagnosis:
        asked.append(backend)
        problems = [Cause.HEALTHY if state["searxng"] else Cause.REFUSED]
        problems += [] if backend else [Cause.ENGINE_FAILS, Cause.SAMPLES]
        parts = [
            Diagnosis(name, None, [], [Finding(problem)])
            for name, problem in zip(UNCONFIGURED.names, problems, strict=False)
        ]
        if backend:
            return parts[0]
        findings = [part.main for part in parts]
        return Diagnosis(UNCONFIGURED.title, None, [], findings, parts)

    monkeypatch.setattr(lifecycle, "adiagnose", adiagnose)
    monkeypatch.setattr(Diagnosis, "log", lambda _self: None)
    life = Lifecycle(Resources.load())
    await life.state_of_search()
    state["searxng"] = is_there
    life.resources.limits.cooldowns.failed("searxng", NetworkError("gone"))

    found = await life.state_of_search()

    assert found is not None
    assert found.parts[0].is_usable is is_there
    assert asked == ["", "searxng", *([""] if is_there else [])]
    cooldowns = life.resources.limits.cooldowns
    assert (cooldowns.current("searxng") is None) is is_there
    await life.stop()


@pytest.mark.spec("X6")
async def test_changed_settings(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a change the panels of open conversations offer the new models, and a check
    of the engines before it says nothing any more."""
    begun, checks = asyncio.Event(), [Cause.REFUSED, Cause.HEALTHY]

    async def adiagnose(*_: Any, **__: Any) -> Diagnosis:
        cause = checks.pop(0)
        if cause is Cause.REFUSED:
            begun.set()
            await changed.wait()
        return Diagnosis("searxng", None, [], [Finding(cause)])

    changed = asyncio.Event()
    monkeypatch.setattr(lifecycle, "adiagnose", adiagnose)
    monkeypatch.setattr(Diagnosis, "log", lambda _self: None)
    with model_server() as server:
        server.names = ["m-1", "m-2"]
        life = Lifecycle(Resources.load())
        talk = Conversation(life.resources, "zh-CN", life.examine)
        life.conversations[context_var.get().session.id] = talk
        await talk.show_choices()
        before = asyncio.create_task(life.state_of_search())
        await begun.wait()

        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("WEB_SEARCH_BACKEND", "searxng")
        await life.reload()
        changed.set()
        await before
        await asyncio.gather(*life._tasks)

        assert "m-2" in str(screen.panel["model"])
        assert life.diagnosis is not None
        assert life.diagnosis.main.cause is Cause.HEALTHY
        await life.stop()


async def test_one_wait_for_a_page(
    life: Lifecycle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page asks several times while it opens, and waits once; a later one anew."""
    now = [100.0]
    monkeypatch.setattr(lifecycle.time, "monotonic", lambda: now[0])

    waits = []
    for passed in (0.0, 1.0, 1.0, 10.0):
        now[0] += passed
        waits.append(life._remaining_wait())

    assert waits == [1.5, 0.5, 0, 1.5]


async def test_one_examination_for_all(
    life: Lifecycle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Concurrent calls of the doctor share one run, which a stop cancels."""
    begun, ended = [], []

    async def visit() -> None:
        begun.append(1)
        try:
            await asyncio.sleep(30)
        finally:
            ended.append(1)

    monkeypatch.setattr(life, "_examine", visit)
    asking = [asyncio.create_task(life.examine()) for _ in range(3)]
    await asyncio.sleep(0.01)

    await life.stop()

    assert (begun, ended) == ([1], [1])
    await asyncio.gather(*asking, return_exceptions=True)


async def test_examination(monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor of the page reports on search, reading and model, in that order."""
    monkeypatch.setenv("WEB_SEARCH_BACKEND", "stub")
    monkeypatch.setenv("WEB_FETCH_ENABLED", "false")
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9")
    life = Lifecycle(Resources.load())

    found = [str(one.main.cause) for one in await life.examine()]
    await life.stop()

    assert found == ["samples", "reading_off", "model_built_in"]
