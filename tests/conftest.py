"""Fixtures of all tests: a clean environment, and no network but loopback."""

import logging
import os
import sys
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from agent.models.settings import ModelSettings
from ui.server.settings import PageSettings
from websearch.config.settings import Settings

# How long an example takes says more of the machine than of the code. `make test` tries
# the same examples every time; `make test EXAMPLES=new` looks for others.
hypothesis.settings.register_profile("same", deadline=None, derandomize=True)
hypothesis.settings.register_profile("new", deadline=None)
hypothesis.settings.load_profile("same")

# A parser of Markdown logs each of its steps, which takes ten times as long as they do.
logging.getLogger("markdown_it").setLevel(logging.WARNING)

pytest_plugins = [
    "support.browser_fixtures",
    "support.screen_fixtures",
    "support.searxng_fixtures",
    "support.time_fixtures",
]

LOOPBACK = ("127.", "::1", "localhost")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-skips", action="store_true", help="fail where a test is skipped"
    )


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter: Any = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if session.config.getoption("--no-skips") and skipped:
        reporter.write_line(f"{len(skipped)} tests were skipped, which fails here")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _loopback_only(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect":
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else "localhost"
        if not str(host).startswith(LOOPBACK):
            raise AssertionError(f"a test tried to reach {host}")


sys.addaudithook(_loopback_only)


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting of the developer's machine reaches a test."""
    for settings in (Settings, ModelSettings, PageSettings):
        for field in settings.model_fields.values():
            monkeypatch.delenv(str(field.alias), raising=False)
    for name in [n for n in os.environ if n.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def all_logs(caplog: pytest.LogCaptureFixture) -> None:
    """The logs of a test are captured at every level."""
    caplog.set_level(logging.DEBUG)
