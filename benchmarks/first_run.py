"""Time from a fresh clone to the first page and the first answer."""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from benchmarks.chat_apps.client import Client
from benchmarks.chat_apps.running import answers, free_port
from benchmarks.result import Figure
from benchmarks.servers import ROOT

_TIMES: Final = 2
_PATIENCE: Final = 600.0
_KEPT: Final = ("PATH", "LANG")
_PIP: Final = {"PIP_NO_CACHE_DIR": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
# An unused port, so that no Ollama of this machine and no web page is requested.
_NOWHERE: Final = "http://127.0.0.1:9"
_NOTHING: Final = {"OLLAMA_BASE_URL": _NOWHERE, "WEB_FETCH_PROXY": _NOWHERE}
_QUESTION: Final = "What is new in technology today?"


def first_run() -> Figure:
    """
    `make run` in a fresh clone until its page answers, relative to `pip install`.

    The bare installation is `requirements.lock` in a new environment, without pip's
    cache. The minimum of each. Nothing is configured, no server runs, uv is not used.
    """
    bare, pages, said = [], [], []
    for _ in range(_TIMES):
        with tempfile.TemporaryDirectory(prefix="bench-") as name:
            bare.append(_installation(Path(name, "bare")))
            clone = _clone(Path(name, "clone"))
            started = time.perf_counter()
            with _make_run(clone) as port:
                pages.append(time.perf_counter() - started)
                said.append(asyncio.run(_first_answer(f"http://127.0.0.1:{port}")))
    page, base = min(pages), min(bare)
    return Figure(
        page / base,
        f"minimum: page after {page:.1f} s, its first answer {min(said):.2f} s later; "
        f"bare installation {base:.1f} s",
    )


def _installation(folder: Path) -> float:
    started = time.perf_counter()
    python = folder / "bin" / "python"
    lock = str(ROOT / "requirements.lock")
    for command in (
        [sys.executable, "-m", "venv", str(folder)],
        [
            str(python),
            *["-m", "pip", "install", "--quiet", "--require-hashes", "-r"],
            lock,
        ],
    ):
        subprocess.run(command, check=True, env=os.environ | _PIP)
    return time.perf_counter() - started


def _clone(folder: Path) -> Path:
    """Copy the files under version control into *folder*, as they are now."""
    listed = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True)
    for name in listed.splitlines():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


@contextmanager
def _make_run(clone: Path) -> Iterator[int]:
    """Run `make run` as on a machine that has only Python, make and git."""
    port = free_port()
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            ["make", "run", f"PORT={port}", f"PYTHON={sys.executable}", "UV="],
            cwd=clone,
            env=kept | _PIP | _NOTHING | {"HOME": str(clone)},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            deadline = time.perf_counter() + _PATIENCE
            while not answers(port, "/"):
                if process.poll() is not None or time.perf_counter() > deadline:
                    log.seek(0)
                    raise RuntimeError(f"no page: {log.read().decode()}")
                time.sleep(0.05)
            yield port
        finally:
            os.killpg(process.pid, 15)
            process.wait(10)


async def _first_answer(url: str) -> float:
    """Seconds from the question to the first words of its answer."""
    async with Client(url) as tab:
        await tab.open()
        taken = await tab.ask(_QUESTION)
    if taken is None:
        raise RuntimeError("there was no answer")
    return taken / 1000
