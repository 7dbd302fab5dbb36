"""Fixtures of all tests: a clean environment, and no network but loopback."""

import logging
import os
import ssl
import sys
from pathlib import Path
from typing import Any

import certifi
import hypothesis
import pytest

from agent.models.settings import ModelSettings
from agent.settings import AgentSettings
from ui.server.settings import PageSettings

# How long an example takes says more of the machine than of the code. `make test` tries
# the same examples every time; `make test EXAMPLES=new` looks for others.
hypothesis.settings.register_profile("same", deadline=None, derandomize=True)
hypothesis.settings.register_profile("new", deadline=None)
hypothesis.settings.load_profile("same")

# A parser of Markdown logs each of its steps, which takes ten times as long as they do.
logging.getLogger("markdown_it").setLevel(logging.WARNING)

pytest_plugins = [
    "support.browser.browser_fixtures",
    "support.browser.screen_fixtures",
    "support.servers.searxng_fixtures",
    "support.time_fixtures",
]

BROWSER = Path(__file__).parent / "browser"
LOOPBACK = ("127.", "::1", "localhost")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-skips", action="store_true", help="fail where a test is skipped"
    )


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """In the browser all tests are slow, except what a newcomer needs most."""
    for item in items:
        if BROWSER in item.path.parents and not item.get_closest_marker("journey"):
            item.add_marker("slow")


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


# Each TLS context would read the 140 authorities of the machine, in 30 ms; none of them
# has signed anything on loopback. Authorities that a test names are read.
_paths = ssl.get_default_verify_paths()
MACHINES_OWN = {certifi.where(), _paths.cafile, _paths.openssl_cafile} - {None}
_load = ssl.SSLContext.load_verify_locations


def _load_but_the_machines(
    context: ssl.SSLContext, cafile: Any = None, capath: Any = None, cadata: Any = None
) -> None:
    if cafile not in MACHINES_OWN:
        _load(context, cafile, capath, cadata)


ssl.SSLContext.load_verify_locations = _load_but_the_machines  # type: ignore[method-assign]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting of the developer's machine reaches a test."""
    for settings in (AgentSettings, ModelSettings, PageSettings):
        for field in settings.model_fields.values():
            monkeypatch.delenv(str(field.alias), raising=False)
    for name in [n for n in os.environ if n.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def all_logs(caplog: pytest.LogCaptureFixture) -> None:
    """The logs of a test are captured at every level."""
    caplog.set_level(logging.DEBUG)
