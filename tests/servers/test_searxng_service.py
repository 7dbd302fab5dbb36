"""The SearXNG service of the compose file, run with a real SearXNG, without Docker."""

import asyncio
import json
import os
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.deployment import SEARXNG, compose_file
from support.servers.corpus import Corpus
from support.servers.ports import free_port
from support.servers.searxng_settings import corpus_engine
from support.waiting import wait_until

from deploy.searxng import start
from websearch import SearchService
from websearch.config.address import BaseAddress
from websearch.engines import Searxng
from websearch.network.client import HttpClient

SETTINGS = (SEARXNG / "settings.yml").read_text(encoding="utf-8")
IMAGE_START = "/usr/local/searxng/entrypoint.sh"
IMAGE_PYTHON = "/usr/local/searxng/.venv/bin/python"


@pytest.fixture(scope="module")
def corpus() -> Iterator[Corpus]:
    """An engine on loopback, so that a search asks nobody else."""
    with Corpus() as corpus:
        yield corpus


@pytest.fixture(scope="module")
def port(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A SearXNG with the shipped settings, and one engine more that is ours."""
    settings = f"{SETTINGS}\n  - {json.dumps(corpus_engine(corpus))}\n"
    with container(tmp_path_factory.mktemp("searxng"), settings) as port:
        wait_for(port, start.ALIVE)
        yield port


@pytest.mark.spec("G1")
def test_json_is_enabled(port: int) -> None:
    """Started as the compose file starts it, SearXNG answers programs in JSON."""
    assert start.probe(port) == start.ALIVE


def test_a_search_is_answered(port: int) -> None:
    """A search under the shipped settings brings results as JSON."""
    found = ask(port, "/search?format=json&q=weather&engines=corpus")

    assert len(found["results"]) == 10
    assert found["unresponsive_engines"] == []


def test_what_is_switched_on(port: int) -> None:
    """The Chinese engines of settings.yml are on, and the limiter is off."""
    config = ask(port, "/config")
    enabled = {engine["name"] for engine in config["engines"] if engine["enabled"]}

    assert {"bing", "baidu", "sogou", "360search"} <= enabled
    assert config["limiter"]["enabled"] is False


def test_our_client_is_admitted(port: int) -> None:
    """The app's own request without a query is answered as by a healthy server."""

    async def ask_once() -> int:
        backend = Searxng(HttpClient(), BaseAddress(f"http://127.0.0.1:{port}"))
        async with SearchService(backend):
            return (await backend.ask("/search", {"format": "json"})).status

    assert asyncio.run(ask_once()) == start.ALIVE


def test_healthy(port: int) -> None:
    """The health check passes where JSON is on."""
    assert health(port).returncode == 0


def test_unhealthy(tmp_path: Path) -> None:
    """Without JSON the health check fails and shows the response."""
    settings = SETTINGS.replace("    - json #", "    # - json #")
    with container(tmp_path, settings) as port:
        wait_for(port, 403)
        done = health(port)

    assert settings != SETTINGS
    assert done.returncode == 1
    assert "answered 403 instead of 400" in done.stderr


def test_under_a_path(tmp_path: Path) -> None:
    """With its address in the environment SearXNG answers below that path."""
    base = "https://example.org/searxng/"
    with container(tmp_path, SETTINGS, SEARXNG_BASE_URL=base) as port:
        wait_for(port, start.ALIVE)

        assert "engines" in ask(port, "/searxng/config")
        assert health(port).returncode == 0


def test_nobody_there() -> None:
    """The health check fails where nothing listens."""
    assert health(free_port()).returncode == 1


def test_secret_of_its_own(tmp_path: Path) -> None:
    """Without a secret each start makes a long new one."""
    first, second = (secret_of(tmp_path, SEARXNG_SECRET="") for _ in range(2))

    assert first != second
    assert min(len(first), len(second)) >= 40


def test_secret_that_is_set(tmp_path: Path) -> None:
    """A secret that is set is the one that is used."""
    assert secret_of(tmp_path, SEARXNG_SECRET="of my own, with $ and '") == (
        "of my own, with $ and '"
    )


def test_usual_secret_is_refused(tmp_path: Path) -> None:
    """The secret of the tutorials ends SearXNG, as the document says."""
    with container(tmp_path, SETTINGS, SEARXNG_SECRET="ultrasecretkey") as port:
        assert start.probe(port) is None
        log, words = tmp_path / "log", "secret_key is not changed"
        wait_until(lambda: words in log.read_text("utf-8"), words)


@contextmanager
def container(folder: Path, settings: str, **changes: str) -> Iterator[int]:
    """The service's command and environment, around the SearXNG of `make searxng`."""
    file = folder / "settings.yml"
    file.write_text(settings, encoding="utf-8")
    port = free_port()
    image = {
        "SEARXNG_SETTINGS_PATH": str(file),
        "SEARXNG_PORT": str(port),
        "TMPDIR": str(folder),
    }
    python = start.ensure_environment()
    command = service_command(folder, f'exec "{python}" -m searx.webapp')
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            command,
            cwd=folder,
            env=service_environment() | image | changes,
            stdout=log,
            stderr=log,
        )
        with server:
            try:
                yield port
            finally:
                server.terminate()


def service_command(folder: Path, instead: str) -> list[str]:
    """The entrypoint as the container runs it, with *instead* as the image's own."""
    own = folder / "entrypoint.sh"
    own.write_text(f"#!/bin/sh\n{instead}\n", encoding="utf-8")
    own.chmod(0o755)
    entrypoint = compose_file(SEARXNG)["services"]["searxng"]["entrypoint"]
    *shell, script = [str(part).replace("$$", "$") for part in entrypoint]
    assert f"exec {IMAGE_START}\n" in script
    return [*shell, script.replace(IMAGE_START, str(own))]


def service_environment() -> dict[str, str]:
    """The environment of the container where nothing is set on the machine."""
    given = compose_file(SEARXNG)["services"]["searxng"]["environment"]
    empty = {"${SEARXNG_SECRET:-}": ""}
    values = {name: empty.get(value, value) for name, value in given.items()}
    return {"PATH": os.environ["PATH"], **values}


def secret_of(folder: Path, **environment: str) -> str:
    """The secret that SearXNG would be started with."""
    command = service_command(folder, "printenv SEARXNG_SECRET")
    done = subprocess.run(
        command,
        env=service_environment() | environment,
        capture_output=True,
        text=True,
        timeout=10,
        check=True,
    )
    return done.stdout.rstrip("\n")


def health(port: int) -> subprocess.CompletedProcess[str]:
    """The health check of the compose file, for a server on *port*."""
    check = compose_file(SEARXNG)["services"]["searxng"]["healthcheck"]["test"]
    kind, python, *arguments = check
    assert (kind, python) == ("CMD", IMAGE_PYTHON)
    return subprocess.run(
        [
            start.ensure_environment(),
            *(a.replace("8080", str(port)) for a in arguments),
        ],
        capture_output=True,
        text=True,
        timeout=10,
        check=False,
    )


def wait_for(port: int, answer: int) -> None:
    wait_until(lambda: start.probe(port) == answer, "SearXNG")


def ask(port: int, path: str) -> Any:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
        return json.load(answer)
