"""The libraries that `import websearch` loads, in a new interpreter."""

import subprocess
import sys
from typing import Final

from benchmarks.result import Figure
from benchmarks.servers import ROOT

_COUNT_HEAVY: Final = (
    "import sys, websearch; "
    "print(sum(name.startswith(('langchain', 'chainlit')) for name in sys.modules))"
)


def light() -> Figure:
    """Count modules of LangChain and Chainlit that importing the search layer loads."""
    command = [sys.executable, "-c", _COUNT_HEAVY]
    found = int(subprocess.check_output(command, cwd=ROOT, text=True))
    return Figure(found, f"{found} modules of langchain or chainlit")
