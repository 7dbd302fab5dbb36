"""What `import websearch` costs, each time in a new interpreter."""

import subprocess
import sys
from time import perf_counter
from typing import Final

from benchmarks.result import Figure
from benchmarks.servers import ROOT

_TIMES: Final = 15
_OURS = "import websearch"
_BASE = "import httpx, pydantic"
_COUNT_HEAVY = (
    "import sys, websearch; "
    "print(sum(name.startswith(('langchain', 'chainlit')) for name in sys.modules))"
)


def time() -> Figure:
    """Wall time of our import as a multiple of that of the libraries we stand on."""
    rounds = [(_timed(_OURS), _timed(_BASE)) for _ in range(_TIMES)]
    ours, base = (min(times) for times in zip(*rounds, strict=True))
    details = f"{_OURS} {ours * 1000:.0f} ms, {_BASE} {base * 1000:.0f} ms"
    return Figure(ours / base, f"minimum wall: {details}")


def light() -> Figure:
    """Modules of LangChain and Chainlit that come along with the search layer."""
    found = int(_python(_COUNT_HEAVY))
    return Figure(found, f"{found} modules of langchain or chainlit")


def _timed(code: str) -> float:
    started = perf_counter()
    _python(code)
    return perf_counter() - started


def _python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout
