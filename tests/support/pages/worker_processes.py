"""The worker processes of a program, as /proc shows them."""

import asyncio
import contextlib
import os
from pathlib import Path

import pytest
from support.waiting import wait_until

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="looks at processes in /proc"
)


def worker_ids(parent: int | None = None) -> list[int]:
    """Process ids of the workers of *parent*."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes()
            is_ours = int(state[1]) == (parent or os.getpid())
            if is_ours and state[0] != "Z" and b"parsing.process" in command:
                found.append(int(folder.name))
    return found


def is_running(pid: int) -> bool:
    """True unless the process has ended."""
    with contextlib.suppress(OSError):
        return (
            Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        )
    return False


def _ticks(pid: int) -> int:
    """Time that the process has worked, in hundredths of a second."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])


async def until_busy(pid: int) -> None:
    """Wait until the process works on a page."""
    start = _ticks(pid)
    await asyncio.to_thread(wait_until, lambda: _ticks(pid) > start + 30, "the page")


async def gone(pid: int) -> bool:
    """True once the process has ended."""
    await asyncio.to_thread(wait_until, lambda: not is_running(pid), "its end")
    return True
