"""The script behind `make searxng`."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.pool import ThreadPool
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from support.servers.ports import free_port
from support.servers.real_searxng import RealSearxng
from support.waiting import PATIENCE, wait_until

from deploy.searxng import start


@pytest.fixture(autouse=True)
def _installed() -> None:
    start.ensure_environment()


@pytest.mark.parametrize(
    ("sign", "code"),
    [(signal.SIGTERM, 0), (signal.SIGINT, 0), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_comes_up_and_ends(sign: signal.Signals, code: int) -> None:
    """The script needs no package, tells the address, and ends on SIGTERM and Ctrl-C
    without a traceback; its server ends with it, also where it is killed hard."""
    port = free_port()
    with started(port) as script:
        told = read_until(script, "SEARXNG_BASE_URL=")
        alive = start.probe(port)
        script.send_signal(sign)
        script.wait(PATIENCE)
        is_left = not is_free(port)
        rest = script.stdout.read() if script.stdout else ""

    assert not (is_left and code == 0)
    wait_until(lambda: is_free(port), "the end of the server")
    assert f"SEARXNG_BASE_URL=http://localhost:{port}" in told
    assert alive == start.ALIVE
    assert script.returncode == code
    assert "Traceback" not in rest


@pytest.mark.spec("G5")
def test_port_in_use() -> None:
    """A port that something else uses gives the cure and no traceback."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with started(port) as script:
            told, _ = script.communicate(timeout=PATIENCE)

    assert script.returncode == 1
    assert f"Port {port} is in use" in told
    assert "start.py --port 8888" in told
    assert "Traceback" not in told


def test_runs_already(searxng_server: RealSearxng) -> None:
    """If SearXNG is already running, the script says so and ends."""
    port = urlsplit(searxng_server.url).port or 0
    with started(port) as script:
        told, _ = script.communicate(timeout=PATIENCE)

    assert script.returncode == 1
    assert "nothing to do" in told
    assert f"SEARXNG_BASE_URL=http://localhost:{port}" in told


@pytest.mark.spec("G5")
def test_broken_settings(tmp_path: Path) -> None:
    """A server that does not come up shows the end of its log, and where it is."""
    settings = tmp_path / "settings.yml"
    settings.write_text("search: {formats: [html\n", encoding="utf-8")

    with (
        pytest.raises(start.StartError) as failure,
        start.serve(settings, free_port(), home=tmp_path),
    ):
        pass

    assert "ended while starting" in str(failure.value)
    assert str(tmp_path / "searxng.log") in str(failure.value)
    assert "yaml" in str(failure.value)


@pytest.mark.slow
def test_installs_once(tmp_path: Path) -> None:
    """Starts at the same time share one installation; a changed lock renews it."""
    lock = tmp_path / "requirements.lock"
    lock.write_text("# nothing\n", encoding="utf-8")
    home = tmp_path / "home"
    stamp = home / "env" / "ready"

    with ThreadPool(2) as pool:
        pythons = pool.starmap(start.ensure_environment, [(home, lock)] * 2)
    first = stamp.stat().st_mtime_ns
    start.ensure_environment(home, lock)
    second = stamp.stat().st_mtime_ns
    lock.write_text("# nothing new\n", encoding="utf-8")
    start.ensure_environment(home, lock)

    assert pythons == [home / "env" / "bin" / "python"] * 2
    assert second == first
    assert stamp.stat().st_mtime_ns > first


@pytest.mark.spec("N3")
def test_settings_hold_no_secret() -> None:
    """The settings that are shipped leave secret and address to the start."""
    settings = start.SETTINGS.read_text(encoding="utf-8")
    keys = re.findall(r"^\s*([a-z_]+):", settings, re.MULTILINE)

    assert not {"secret_key", "port", "bind_address"} & set(keys)
    assert {"formats", "limiter", "max_request_timeout"} <= set(keys)


@contextmanager
def started(port: int) -> Iterator[subprocess.Popen[str]]:
    """The script as a process: without packages, and with settings meant for us."""
    script = subprocess.Popen(
        [sys.executable, "-E", "-S", start.__file__, "--port", str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # SearXNG would take the first for its own, and end because of the second.
        env=os.environ
        | {"SEARXNG_BASE_URL": "http://x/y", "SEARXNG_PUBLIC_INSTANCE": "true"},
    )
    with script:
        try:
            yield script
        finally:
            script.terminate()


def read_until(script: subprocess.Popen[str], words: str) -> str:
    """The output of the script, up to the line with *words* or to its end."""
    told = ""
    for line in script.stdout or ():
        told += line
        if words in line:
            break
    return told


def is_free(port: int) -> bool:
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) != 0
