"""The command line, run as a user runs it: a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`python -m websearch` with these words, and no setting but those given."""
    clean = {k: v for k, v in os.environ.items() if k in {"PATH", "HOME", "LANG"}}
    return subprocess.run(
        [sys.executable, "-m", "websearch", *words],
        env=clean | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"} | environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def error_of(done: subprocess.CompletedProcess[str]) -> Any:
    """The error object that a failed command printed."""
    assert "Traceback" not in done.stderr
    return json.loads(done.stdout)["error"]
