"""The command line, run as a user runs it: a process of its own."""

import json
import os
import subprocess
import sys
from typing import Any

from support.paths import ROOT


def run(
    *words: str, module: str = "websearch", **environment: str
) -> subprocess.CompletedProcess[str]:
    """`python -m` *module* with these words, and no setting but those given."""
    process = start(*words, module=module, **environment)
    out, err = process.communicate(timeout=60)
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def start(
    *words: str, module: str = "websearch", **environment: str
) -> subprocess.Popen[str]:
    """The same, still running."""
    clean = {k: v for k, v in os.environ.items() if k in {"PATH", "HOME", "LANG"}}
    if module == "agent":
        clean["WEB_FETCH_ENABLED"] = "false"  # the pages of the results are made up
    # Where a runner ignores SIGINT, its children would too.
    code = (
        "import runpy, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        env=clean | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def error_of(done: subprocess.CompletedProcess[str]) -> Any:
    """The error object that a failed command printed."""
    assert "Traceback" not in done.stderr
    return json.loads(done.stdout)["error"]
