"""The Dockerfile of the app, and the app run from exactly what it copies."""

import json
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
from support.browser.app_process import wait_until_ready
from support.deployment import (
    ROOT,
    build_context,
    copies,
    ignores,
    instructions,
    last_stage,
)
from support.servers.ports import free_port

pytestmark = pytest.mark.slow

BIN = Path(sys.executable).parent


def one(keyword: str) -> str:
    """The text of the only such instruction of the image."""
    (text,) = [rest for name, rest in last_stage() if name == keyword]
    return text


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as /app is when the image is built."""
    folder = tmp_path_factory.mktemp("app")
    build_context(folder)
    (step,) = [r for k, r in last_stage() if k == "RUN" and "chainlit init" in r]
    run(["/bin/sh", "-ec", step], folder, check=True)
    return folder


def test_base_is_pinned() -> None:
    """Both stages use one Python, named with its patch version, small."""
    arguments = [rest for keyword, rest in instructions() if keyword == "ARG"]
    stages = [rest.split()[0] for keyword, rest in instructions() if keyword == "FROM"]

    assert stages == ["${PYTHON_IMAGE}", "${PYTHON_IMAGE}"]
    assert arguments[0] == (
        "PYTHON_IMAGE=docker.io/library/python:3.12.13-slim-bookworm"
    )


def test_packages_are_locked() -> None:
    """The image has exactly the locked packages, by hash, and no cache."""
    steps = [rest for keyword, rest in instructions() if keyword == "RUN"]
    (install,) = [step for step in steps if " install " in step]

    assert "--require-hashes" in install
    assert "-r /requirements.lock" in install
    assert "--no-cache-dir" in install


def test_user() -> None:
    """The app runs under a number that is not root's, and after all steps of root."""
    keywords = [keyword for keyword, _ in last_stage()]

    assert int(one("USER")) >= 1000
    assert keywords.index("USER") > len(keywords) - 1 - keywords[::-1].index("RUN")


def test_sources_exist() -> None:
    """Each source of a COPY is there, and reaches the build."""
    for sources, _ in copies():
        for source in sources:
            files = [
                str(f.relative_to(ROOT))
                for found in ROOT.glob(source)
                for f in [found, *found.rglob("*")]
                if f.is_file()
            ]
            assert [f for f in files if not ignores(f)], source


def test_every_package_is_copied() -> None:
    """A package that the project gains can't be forgotten here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    copied = {source for sources, _ in copies() for source in sources}

    assert set(wheel) <= copied


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "config.json",
        "agents.json",
        ".git/config",
        ".venv/bin/python",
        ".searxng/env/ready",
        "tests/conftest.py",
        "deploy/searxng/.env",
        "ui/.env",
        "ui/__pycache__/texts.cpython-312.pyc",
        "docs/app.log",
        ".files/upload",
        ".chainlit/translations/de-DE.json",
    ],
)
def test_left_out(path: str) -> None:
    """Secrets, history and what runs have written don't reach an image."""
    assert ignores(path)


@pytest.mark.parametrize(
    "path",
    ["app.py", "ui/texts/zh-CN.toml", "public/page.js", ".chainlit/config.toml"],
)
def test_taken(path: str) -> None:
    """The image contains all files that the app needs."""
    assert not ignores(path)


def test_refuses_to_be_public(image: Path) -> None:
    """Without the compose file's leave the image does not start."""
    done = run(json.loads(one("CMD")), image)

    assert done.returncode == 1
    assert "ALLOW_PUBLIC_WITHOUT_LOGIN" in done.stderr


def test_runs(image: Path) -> None:
    """Without SearXNG too: page and help are served, no file is written, CMD ends."""
    before = files(image)
    with started(image) as (port, process):
        during = files(image)
        health = run(health_command(port), image)
        page = f"http://localhost:{port}"
        statuses = [status(page + path) for path in ("/", "/help/agent")]
        process.send_signal(signal.SIGTERM)
        ended = process.wait(15)

    assert health.returncode == 0, health.stderr
    assert statuses == [200, 200]
    assert during == before
    assert ended == 0


def test_unhealthy(image: Path) -> None:
    """The health check fails where nothing listens."""
    assert run(health_command(free_port()), image).returncode != 0


@contextmanager
def started(folder: Path) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """CMD in *folder*, on loopback; a SearXNG is not there."""
    port = free_port()
    command = [
        {"8000": str(port), "0.0.0.0": "127.0.0.1"}.get(word, word)
        for word in json.loads(one("CMD"))
    ]
    log = folder.parent / "app.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment() | {"SEARXNG_BASE_URL": f"http://127.0.0.1:{free_port()}"},
            stdout=output,
            stderr=output,
        )
    with process:
        try:
            url = f"http://127.0.0.1:{port}"
            wait_until_ready(url, process, lambda: log.read_text("utf-8"))
            yield port, process
        finally:
            process.kill()


def health_command(port: int) -> list[str]:
    """The HEALTHCHECK of the image, for an app on *port*."""
    words = one("HEALTHCHECK").partition("CMD ")[2].replace("8000", str(port))
    return [str(word) for word in json.loads(words)]


def run(
    command: list[str], folder: Path, *, check: bool = False
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=check,
    )


def environment() -> dict[str, str]:
    """The environment of the image, with the packages of this very Python."""
    assert one("ENV") == "PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1"
    return {"PATH": f"{BIN}:{os.environ['PATH']}", "PYTHONUNBUFFERED": "1"}


def files(folder: Path) -> set[str]:
    """The files in *folder*, except Chainlit's own."""
    names = {str(file.relative_to(folder)) for file in folder.rglob("*")}
    return {name for name in names if not name.startswith(".files")}


def status(url: str) -> int:
    with urlopen(url, timeout=10) as answer:
        return int(answer.status)
