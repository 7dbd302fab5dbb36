"""The app as `make run` starts it, as a process of its own."""

import os
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fakes.ports import free_port

ROOT = Path(__file__).parents[2]
READY_SECONDS = 60


@contextmanager
def running_app(**environment: str) -> Iterator[str]:
    """`make run` on a free port; ends with all its children."""
    port = free_port()
    clean = {k: v for k, v in os.environ.items() if k in {"PATH", "HOME", "LANG"}}
    process = subprocess.Popen(
        ["make", "run", f"PORT={port}"],
        cwd=ROOT,
        env=clean | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait(url, process)
        yield url
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.communicate(timeout=15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            output = process.communicate()[0].decode(errors="replace")
            raise AssertionError(f"the app ended at its start:\n{output}")
        try:
            with urllib.request.urlopen(f"{url}/health", timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"the app was not ready within {READY_SECONDS} s")
