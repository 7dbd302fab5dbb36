"""The app as `make run` starts it, as a process of its own."""

import os
import shutil
import signal
import subprocess
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory

from support.paths import ROOT
from support.servers.ports import free_port
from support.waiting import PATIENCE, wait_until

# The app with more patience than for a person: busy machines run the tests.
PATIENT = (
    "import agent.answering, ui.report.tab\n"
    "agent.answering.READ_SECONDS, ui.report.tab.PLAN_SECONDS = 20, 120\n"
)
APP = (ROOT / "app.py").read_text("utf-8")
OWN = {".env", "config.json", "agents.json", ".git", ".files"}


@dataclass(frozen=True, slots=True)
class App:
    """The address of the app, and the path of its log."""

    url: str
    output: Path

    @property
    def log(self) -> str:
        return self.output.read_text("utf-8", errors="replace")


@contextmanager
def running_app(
    files: Mapping[str, str] | None = None, **environment: str
) -> Iterator[App]:
    """`make run` on a free port, beside *files*; ends with all its children."""
    port = free_port()
    clean = {k: v for k, v in os.environ.items() if k in {"PATH", "HOME", "LANG"}}
    clean["WEB_FETCH_ENABLED"] = "false"  # the pages of most tests are made up
    with (
        folder_with({"app.py": PATIENT + APP, **(files or {})}) as folder,
        NamedTemporaryFile(suffix=".log") as output,
    ):
        app = App(f"http://127.0.0.1:{port}", Path(output.name))
        process = subprocess.Popen(
            # The environment is this one's: a newer lock must not install into it.
            ["make", "--old-file=.venv/app.ready", "run", f"PORT={port}"],
            cwd=folder,
            env=clean | environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        with ended(process):
            wait_until_ready(app.url, process, lambda: app.log)
            yield app


@contextmanager
def ended(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """At the end *process* ends too, with all its children."""
    try:
        yield
    finally:
        with suppress(ProcessLookupError):  # the test ended it
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def folder_with(files: Mapping[str, str]) -> Iterator[Path]:
    """A likeness of the project's folder, with *files* for the developer's own."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for entry in ROOT.iterdir():
            if entry.name in {*files, *OWN}:
                continue
            if entry.suffix == ".md":  # Chainlit follows no link out of its folder
                shutil.copy(entry, folder)
            else:
                (folder / entry.name).symlink_to(entry)
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8")
        yield folder


def wait_until_ready(
    url: str, process: subprocess.Popen[bytes], log: Callable[[], str]
) -> None:
    """Until the server answers; its log, where it ends instead."""

    def is_ready() -> bool:
        assert process.poll() is None, f"the app ended at its start:\n{log()}"
        try:
            with urllib.request.urlopen(f"{url}/health", timeout=PATIENCE):
                return True
        except OSError:
            return False

    wait_until(is_ready, f"the app at {url}")
