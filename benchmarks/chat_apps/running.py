"""Start a Chainlit app in a process of its own, and wait until it can be used."""

import asyncio
import http.client
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from benchmarks.chat_apps.client import Client
from benchmarks.servers import ROOT

LANGUAGE: Final = "zh-CN"  # of the page

_CHAINLIT: Final = Path(sys.executable).with_name("chainlit")
_KEPT: Final = ("PATH", "HOME", "LANG")
_PATIENCE: Final = 60.0
_STEP: Final = 0.01


@dataclass(frozen=True, slots=True)
class App:
    """A running app: its address, and the number of its process."""

    url: str
    process: int

    @property
    def memory(self) -> int:
        """Its resident memory in kilobytes."""
        status = Path(f"/proc/{self.process}/status")
        if status.exists():
            return int(status.read_text().split("VmRSS:")[1].split()[0])
        command = ["ps", "-o", "rss=", "-p", str(self.process)]  # macOS
        return int(subprocess.check_output(command))


@contextmanager
def bare(name: str) -> Iterator[Path]:
    """A temporary folder with one of the small apps; Chainlit writes into it."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        shutil.copy(Path(__file__).with_name(f"{name}.py"), Path(folder, "app.py"))
        yield Path(folder)


@contextmanager
def hurried() -> Iterator[Path]:
    """A folder with our app, which frees ended sessions within two seconds."""
    with bare("hurried") as folder:
        config = Path(".chainlit", "config.toml")
        text = (ROOT / config).read_text("utf-8")
        hasty, changes = re.subn(
            r"(?m)^session_timeout = .*$", "session_timeout = 1", text
        )
        if changes != 1:
            raise RuntimeError(f"no session_timeout in {config}")
        shutil.copytree(ROOT / config.parent, folder / config.parent)
        (folder / config).write_text(hasty, "utf-8")
        yield folder


@contextmanager
def running(search: str, model: str, folder: Path = ROOT, **more: str) -> Iterator[App]:
    """Run `chainlit run app.py` in *folder* (ours by default) with *more* settings."""
    port = free_port()
    settings = {
        "WEB_SEARCH_BACKEND": "searxng",
        "SEARXNG_BASE_URL": search,
        "OPENAI_BASE_URL": model,
        "OPENAI_MODEL": "bench",
        "UI_LANGUAGE": LANGUAGE,
        "WEB_FETCH_ENABLED": "false",  # the pages of the results are made up
        "ANSWERS_AT_ONCE": "1000",  # nobody waits for a turn
        "PYTHONPATH": str(ROOT),
        **more,
    }
    command = f"run app.py --headless --host 127.0.0.1 --port {port}"
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [_CHAINLIT, *command.split()],
            cwd=folder,
            env={k: v for k, v in os.environ.items() if k in _KEPT} | settings,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            yield App(_wait(port, process, log), process.pid)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(port: int, process: subprocess.Popen[bytes], log: IO[bytes]) -> str:
    """The address, once /health and / answer and the socket accepts a tab."""
    url = f"http://127.0.0.1:{port}"
    deadline = time.perf_counter() + _PATIENCE
    while not (answers(port, "/health") and answers(port, "/")):
        if process.poll() is not None or time.perf_counter() > deadline:
            log.seek(0)
            raise RuntimeError(f"the app did not start: {log.read().decode()}")
        time.sleep(_STEP)
    asyncio.run(_connect_once(url))
    return url


def answers(port: int, path: str) -> bool:
    """Tell if *path* answers 200."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == http.HTTPStatus.OK
    except OSError:
        return False
    finally:
        connection.close()


async def _connect_once(url: str) -> None:
    async with Client(url):
        pass


def free_port() -> int:
    """A port that is not in use."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
