"""Start a loopback server in a process of its own, so that its CPU is not counted."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]


@contextmanager
def serving(name: str, *arguments: str) -> Iterator[str]:
    """The address of `benchmarks.servers.<name>`, which runs inside the block only."""
    process = subprocess.Popen(
        [sys.executable, "-m", f"benchmarks.servers.{name}", *arguments],
        cwd=ROOT,
        # The server ends when this pipe closes, also if this process is killed.
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            port = process.stdout.readline().strip() if process.stdout else ""
            if not port:
                raise RuntimeError(f"{name} did not start")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
