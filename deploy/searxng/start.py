"""
Install SearXNG once, and run it on this machine: `make searxng`.

SearXNG (AGPL-3.0) is a program of its own, in an environment of its own, and is never
imported. This script needs nothing but Python.
"""

import argparse
import fcntl
import hashlib
import http.client
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType

HERE = Path(__file__).resolve().parent
HOME = HERE.parents[1] / ".searxng"
LOCK = HERE / "requirements.lock"
SETTINGS = HERE / "settings.yml"
HOST = "127.0.0.1"
ALIVE = 400  # status of a request without a query, if SearXNG is up with JSON enabled

_USUAL_PORTS = (8888, 8080)  # the doctor tries this address
_START_SECONDS = 30
_STOP_SECONDS = 5
_LOG_LINES = 15
# `python -m searx.webapp`, which ends when its standard input does: the system closes
# that pipe also where this script is killed and can't tidy up.
_SERVER = """
import os, runpy, sys, threading
def end():
    sys.stdin.buffer.read()
    os._exit(0)
threading.Thread(target=end, daemon=True).start()
runpy.run_module("searx.webapp", run_name="__main__", alter_sys=True)
"""


class StartError(Exception):
    """SearXNG can't be installed or started; the message says what to do."""


def main() -> int:
    """Run SearXNG in the foreground until Ctrl-C or SIGTERM."""
    parser = argparse.ArgumentParser(description="Run a SearXNG of your own.")
    parser.add_argument("--port", type=_port, default=8080, help="default: 8080")
    port: int = parser.parse_args().port
    signal.signal(signal.SIGTERM, _interrupt)
    # A background job inherits an ignored SIGINT.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        _refuse_taken(port)
        with serve(SETTINGS, port) as server:
            print(f"SearXNG answers at http://{HOST}:{port} (Ctrl-C ends it).")
            print(f"In .env: SEARXNG_BASE_URL=http://localhost:{port}", flush=True)
            server.wait()
            raise StartError(_failure("SearXNG has ended by itself.", HOME))
    except StartError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nSearXNG has ended.")
        return 0


def ensure_environment(home: Path = HOME, lock: Path = LOCK) -> Path:
    """Return the Python of an environment with exactly the packages of *lock*."""
    python = home / "env" / "bin" / "python"
    stamp = home / "env" / "ready"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    home.mkdir(parents=True, exist_ok=True)
    with (home / "install.lock").open("w") as guard:
        # Another start may be installing: wait for its result.
        fcntl.flock(guard, fcntl.LOCK_EX)
        if not (python.exists() and stamp.exists() and stamp.read_text() == wanted):
            print(
                "Installing SearXNG (AGPL-3.0, a separate program) into"
                f" {home}: once, about 15 s …",
                flush=True,
            )
            _install(python, lock, guard.fileno())
            stamp.write_text(wanted)  # last: it marks a complete environment
    return python


@contextmanager
def serve(
    settings: Path, port: int, *, home: Path = HOME, answer: int = ALIVE
) -> Iterator[subprocess.Popen[bytes]]:
    """Run SearXNG on loopback, from its first *answer* to the end of the block."""
    python = ensure_environment()
    cache = home / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    with (home / "searxng.log").open("wb") as log:
        server = subprocess.Popen(
            [python, "-I", "-c", _SERVER],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            cwd=home,
            env=_environment(settings, port, cache),
            start_new_session=True,  # only this script gets Ctrl-C, and then ends it
        )
    try:
        _await(server, port, answer, home)
        yield server
    finally:
        _end(server)


def probe(port: int) -> int | None:
    """Return the status of a request without a query; None if it is not SearXNG's."""
    with closing(http.client.HTTPConnection(HOST, port, timeout=2)) as connection:
        try:
            connection.request("GET", "/search?format=json")
            response = connection.getresponse()
        except (OSError, http.client.HTTPException):
            return None
        is_json = response.headers.get_content_type() == "application/json"
        return None if response.status == ALIVE and not is_json else response.status


def _port(text: str) -> int:
    if not 0 < int(text) < 2**16:
        raise ValueError
    return int(text)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _refuse_taken(port: int) -> None:
    with socket.socket() as caller:
        caller.settimeout(2)
        if caller.connect_ex((HOST, port)):
            return
    if probe(port) == ALIVE:
        raise StartError(
            f"A SearXNG with JSON enabled runs on port {port} already: nothing to do."
            f"\nIn .env: SEARXNG_BASE_URL=http://localhost:{port}"
        )
    other = next(usual for usual in _USUAL_PORTS if usual != port)
    raise StartError(
        f"Port {port} is in use by another program. End that program, or take another"
        f" port:\n  python3 deploy/searxng/start.py --port {other}"
    )


def _install(python: Path, lock: Path, guard: int) -> None:
    environment = python.parents[1]
    shutil.rmtree(environment, ignore_errors=True)
    make: list[str | Path] = [sys.executable, "-m", "venv", environment]
    fill: list[str | Path] = [python, "-m", "pip", "install", "--no-input"]
    if uv := shutil.which("uv"):
        make = [uv, "venv", "--quiet", "--python", sys.executable, environment]
        fill = [uv, "pip", "install", "--python", python]
    fill += ["--quiet", "--require-hashes", "-r", lock]
    try:
        # If this script is killed, the installer continues and keeps the lock.
        subprocess.run(make, check=True, pass_fds=[guard])
        subprocess.run(fill, check=True, pass_fds=[guard])
    except subprocess.CalledProcessError as error:
        raise StartError(
            "SearXNG could not be installed; the reason is above. Where the venv module"
            " is missing: on Debian or Ubuntu, apt install python3-venv."
        ) from error


def _environment(settings: Path, port: int, cache: Path) -> dict[str, str]:
    """Our environment without SEARXNG_*, which has another meaning for SearXNG."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("SEARXNG_")}
    return kept | {
        "SEARXNG_SETTINGS_PATH": str(settings.resolve()),
        "SEARXNG_SECRET": secrets.token_hex(32),
        "SEARXNG_BIND_ADDRESS": HOST,
        "SEARXNG_PORT": str(port),
        # Not /tmp, where other users' files could conflict.
        "TMPDIR": str(cache),
    }


def _await(server: subprocess.Popen[bytes], port: int, answer: int, home: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise StartError(_failure("SearXNG ended while starting.", home))
        if probe(port) == answer:
            return
        time.sleep(0.05)
    raise StartError(_failure(f"No answer within {_START_SECONDS} s.", home))


def _end(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
    if server.stdin:
        server.stdin.close()


def _failure(what: str, home: Path) -> str:
    log = home / "searxng.log"
    last = log.read_text(errors="replace").splitlines()[-_LOG_LINES:]
    lines = [what, f"The end of its log ({log}):", *(f"  {line}" for line in last)]
    return "\n".join([*lines, f"If this goes on, remove {home} and start again."])


if __name__ == "__main__":
    sys.exit(main())
