"""The processes of the browser that a program started, as /proc shows them."""

import os
from pathlib import Path


def browser_processes(parent: int | None = None) -> list[int]:
    """Process ids of the driver, and of the browser with its helpers."""
    return [pid for pid in _descendants(parent or os.getpid()) if _is_browser(pid)]


def running() -> set[int]:
    """Drivers and browsers without their helpers, which come and go."""
    return {pid for pid in browser_processes() if "--type=" not in _command(pid)}


def browsers() -> list[int]:
    """Process ids of the browser alone; its main process comes first.

    Debian starts its headless shell by a script, which waits for the browser.
    """
    others = ("run-driver", "/bin/sh")
    return [
        pid
        for pid in browser_processes()
        if not any(mark in _command(pid) for mark in others)
    ]


def environment_of(pid: int) -> str:
    return _file(pid, "environ")


def _descendants(parent: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        children.setdefault(_parent(int(entry.name)), []).append(int(entry.name))
    found: list[int] = []
    todo = [parent]
    while todo:
        below = children.get(todo.pop(0), [])
        found += below
        todo += below
    return found


def _parent(pid: int) -> int:
    stat = _file(pid, "stat").rpartition(")")[2].split()
    return int(stat[1]) if stat and stat[0] != "Z" else 0


def _is_browser(pid: int) -> bool:
    command = _command(pid)
    return any(mark in command for mark in ("--headless", "--type=", "run-driver"))


def _command(pid: int) -> str:
    return _file(pid, "cmdline")


def _file(pid: int, name: str) -> str:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""
