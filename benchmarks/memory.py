"""How much memory a hostile server can make a search take."""

import subprocess
import sys
from typing import Final

from benchmarks.hostile_server import KINDS
from benchmarks.result import Figure
from benchmarks.servers import ROOT, serving

_CHILD: Final = "benchmarks.memory_child"


def hostile() -> Figure:
    """The largest growth of the peak, over all kinds of harm, each in a new process."""
    with serving("benchmarks.hostile_server") as url:
        growth = {kind: _growth(url, kind) for kind in KINDS}
    details = ", ".join(f"{kind} {grown:.1f}" for kind, grown in growth.items())
    return Figure(max(growth.values()), f"growth in MB: {details}")


def _growth(url: str, kind: str) -> float:
    done = subprocess.run(
        [sys.executable, "-m", _CHILD, url, kind],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
    )
    return float(done.stdout)
