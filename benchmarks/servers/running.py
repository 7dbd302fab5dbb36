"""Start a loopback server in a process of its own, so that its CPU is not counted."""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

T = TypeVar("T")

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


def measured(name: str, measure: Callable[[str], Coroutine[Any, Any, T]]) -> T:
    """Run *measure* with the address of a server."""
    with serving(name) as url:
        return asyncio.run(measure(url))
