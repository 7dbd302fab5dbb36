"""Chainlit's server in this process, as it was imported and as the guard leaves it."""

import pytest
from chainlit import server
from chainlit.config import config
from starlette.datastructures import State

from ui.server import guard


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chainlit as it was imported, and put back afterwards."""
    handlers = dict(server.sio.handlers["/"])
    monkeypatch.setitem(server.sio.handlers, "/", handlers)
    monkeypatch.setattr(server.app.router, "routes", [*server.app.router.routes])
    monkeypatch.setattr(server.app, "user_middleware", [*server.app.user_middleware])
    monkeypatch.setattr(server.app, "middleware_stack", None)
    monkeypatch.setattr(server.app, "state", State())
    monkeypatch.setattr(config, "ui", config.ui.model_copy())
    monkeypatch.setattr(config, "run", config.run.model_copy())
    monkeypatch.setattr(guard, "_quiet_logs", lambda: None)
    monkeypatch.setattr(guard, "own_files_folder", lambda: None)


@pytest.fixture
def installed(fresh: None) -> None:
    guard.install()
