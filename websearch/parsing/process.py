"""The worker's side of the pipe: one task after the other, within limits of its own."""

import contextlib
import json
import os
import signal
import struct
import sys
from enum import StrEnum
from importlib import import_module
from typing import Any, Final

HEADER: Final = struct.Struct("!II")  # bytes of JSON, bytes of data
_MEMORY: Final = 768_000_000
_CPU_SECONDS: Final = 15
_PR_SET_PDEATHSIG: Final = 1


class Task(StrEnum):
    """
    Modules whose function `read` a worker calls; it takes bytes, and returns JSON.

    The parent imports none of them: trafilatura alone is half a second and 50 MB.
    """

    PAGE = "websearch.parsing.extract"
    RESULTS = "websearch.parsing.result_page"


def serve() -> None:
    """Answer until the pipe ends, which it also does when the parent dies."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415  on Linux alone

        # It ends this process in mid-page too, where its parent was killed.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not stand between the answers
    # Windows has no such limits: there the parent's time limit alone holds.
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415  missing on Windows

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        os.nice(5)  # the parent's event loop goes first
    while len(header := source.read(HEADER.size)) == HEADER.size:
        question_size, data_size = HEADER.unpack(header)
        question = json.loads(source.read(question_size))
        data = source.read(data_size)
        with contextlib.suppress(ImportError, OSError, ValueError):
            import resource  # noqa: PLC0415  missing on Windows

            # The kernel ends a page that runs on after the parent was killed.
            used = resource.getrusage(resource.RUSAGE_SELF)
            seconds = int(used.ru_utime + used.ru_stime) + _CPU_SECONDS
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))
        answer: dict[str, Any] = {"loaded": True}
        module = import_module(Task(question.pop("task")))
        if question:
            try:
                answer = dict(module.read(data, **question))
            except MemoryError:
                answer = {"failed": "memory"}
            except Exception:  # noqa: BLE001  whatever a parser raises on a stranger's page
                answer = {"failed": "error"}
        body = json.dumps(answer).encode()  # escapes lone surrogates
        sink.write(HEADER.pack(len(body), 0) + body)
        sink.flush()
