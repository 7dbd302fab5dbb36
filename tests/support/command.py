"""The command line, run as a user runs it, and the same in the process of the tests."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib import import_module
from io import BytesIO, TextIOWrapper
from typing import Any
from unittest.mock import patch

from support.paths import ROOT

Done = subprocess.CompletedProcess[str]


def run(*words: str, module: str = "websearch", **environment: str) -> Done:
    """The command of *module* without a process of its own, which takes a second."""
    main = import_module(f"{module}.__main__").main
    out, err = (TextIOWrapper(BytesIO(), "utf-8") for _ in range(2))
    with (
        patch.dict(os.environ, _clean(module) | environment, clear=True),
        redirect_stdout(out),
        redirect_stderr(err),
        _no_logging_yet(),
    ):
        try:
            code = main(words)
        except SystemExit as end:
            code = end.code
    return Done(words, code, _written(out), _written(err))


def run_process(*words: str, module: str = "websearch", **environment: str) -> Done:
    """`python -m` *module* with these words, and no setting but those given."""
    process = start(*words, module=module, **environment)
    out, err = process.communicate(timeout=60)
    return Done(words, process.returncode, out, err)


def start(
    *words: str, module: str = "websearch", **environment: str
) -> subprocess.Popen[str]:
    """The same, still running."""
    # Where a runner ignores SIGINT, its children would too.
    code = (
        "import runpy, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        env=_clean(module) | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def run_code(code: str, *words: str) -> str:
    """A program of its own with our packages at hand; what it prints."""
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=300,
    ).stdout


def error_of(done: Done) -> Any:
    """The error object that a failed command printed."""
    assert "Traceback" not in done.stderr
    return json.loads(done.stdout)["error"]


def _clean(module: str) -> dict[str, str]:
    clean = {k: v for k, v in os.environ.items() if k in {"PATH", "HOME"}}
    if module == "agent":
        clean["WEB_FETCH_ENABLED"] = "false"  # the pages of the results are made up
    return clean


def _written(stream: TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined]  # BytesIO


@contextmanager
def _no_logging_yet() -> Iterator[None]:
    """The root logger as at the start of a program."""
    known, level = logging.root.handlers[:], logging.root.level
    logging.root.handlers.clear()
    try:
        yield
    finally:
        logging.root.handlers[:] = known
        logging.root.setLevel(level)
