"""
The memory that a hostile server makes a search allocate.

Run as a module, it is the measured process: it searches an ordinary server, then a
hostile one, and prints by how many MB its peak grew.
"""

import asyncio
import logging
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from benchmarks.result import Figure
from benchmarks.search import QUERY, service_at
from benchmarks.servers import ROOT, serving
from benchmarks.servers.hostile import KINDS
from websearch import SearchError

_ORDINARY: Final = 30
_HOSTILE: Final = 3
_TIMEOUT: Final = 1.0
_SLACK: Final = 0.5  # seconds, enough for a busy machine


def hostile() -> Figure:
    """The largest growth of the peak over all kinds of attack, a process for each."""
    with serving("hostile") as url:
        growth = {kind: in_process(__name__, url, kind)[0] for kind in KINDS}
    details = ", ".join(f"{kind} {grown:.1f}" for kind, grown in growth.items())
    return Figure(max(growth.values()), f"growth in MB: {details}")


def in_process(module: str, *arguments: str) -> list[float]:
    """Run *module* in a process of its own, and return the numbers it prints."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
    )
    return [float(number) for number in done.stdout.split()]


async def _growth(url: str, kind: str) -> float:
    """Growth of this process's peak; fails where a hostile search succeeds."""
    async with service_at(url, timeout=_TIMEOUT) as service:
        for _ in range(_ORDINARY):
            await service.asearch(QUERY)
    before = _peak()
    async with service_at(f"{url}/{kind}", timeout=_TIMEOUT) as service:
        for _ in range(_HOSTILE):
            started = time.monotonic()
            try:
                await service.asearch(QUERY)
            except SearchError:
                pass
            else:
                raise RuntimeError(f"{kind}: the search did not fail")
            taken = time.monotonic() - started
            if taken > _TIMEOUT + _SLACK:
                raise RuntimeError(f"{kind}: the search took {taken:.1f} s")
    return _peak() - before


def _peak() -> float:
    """The most memory this process ever had in RAM, in MB."""
    status = Path("/proc/self/status")
    if status.exists():
        # Unlike ru_maxrss, which on Linux begins with the peak of the parent.
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(lines["VmHWM"].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2  # macOS: bytes


if __name__ == "__main__":
    logging.disable()  # each failure is expected
    print(asyncio.run(_growth(*sys.argv[1:])))
