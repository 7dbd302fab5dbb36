"""Loopback servers in a process of their own, so that their CPU time is not ours."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent


@contextmanager
def serving(module: str) -> Iterator[str]:
    """The address of a server that runs inside the block only."""
    process = subprocess.Popen(
        [sys.executable, "-m", module],
        cwd=ROOT,
        stdin=subprocess.PIPE,  # closes also where we are killed; the server sees it
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            port = process.stdout.readline().strip() if process.stdout else ""
            if not port:
                raise RuntimeError(f"{module} did not start")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
