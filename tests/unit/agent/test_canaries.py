"""The model's key and credentials come out nowhere, whatever its server does."""

from collections.abc import Callable
from typing import Any

import pytest
from support.canaries import echo, every_log, found_in, plant, sent_secrets
from support.servers.loopback import served

from agent import Mode, Session
from agent.events import Failed
from agent.resources import Resources

FAULTS: dict[str, Callable[..., Any]] = {
    "400": echo(400),
    "401": echo(401),
    "403": echo(403),
    "404": echo(404),
    "429": echo(429),
    "500": echo(500),
    "garbage": echo(200),
    "not http": lambda r: lambda: iter([str(r.headers).encode()]),
    "cut off": lambda r: (
        lambda: iter(
            [b"HTTP/1.1 200 X\r\nContent-Length: 9999\r\n\r\n", repr(r).encode()]
        )
    ),
    "silent": lambda _: lambda: iter([30.0]),
}


@pytest.mark.parametrize("credentials", ["key", "address"])
@pytest.mark.parametrize(
    ("mode", "fault"), [*((Mode.CHAT, fault) for fault in FAULTS), (Mode.AGENT, "401")]
)
async def test_failing_models(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: str,
    mode: Mode,
    credentials: str,
) -> None:
    """A model's server that fails, and repeats what it heard, gives nothing away."""
    with served(FAULTS[fault]) as server:
        plant(monkeypatch, server.url)
        if credentials == "key":
            monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        if fault == "silent":
            monkeypatch.setenv("WEB_FETCH_ENABLED", "false")
            monkeypatch.setenv("OPENAI_TIMEOUT_S", "0.2")
            monkeypatch.setenv("WEB_SEARCH_TIMEOUT_MS", "200")
        resources = Resources.load()
        session = Session(resources)
        session.choose(mode, search=True)
        every_log(caplog)
        events = [event async for event in session.ask("q")]
        chat = await resources.models.default.load()
        await resources.aclose()

    told = [repr(events), repr(chat), str(chat), repr(resources), repr(session)]
    assert isinstance(events[-1], Failed)
    assert sent_secrets(r for r in server.requests if r.path.startswith("/v1"))
    assert found_in([*told, resources.models.settings.summary(), caplog.text]) == set()
