"""The worker's side of the pipe: one task after the other, within limits of its own."""

import contextlib
import json
import os
import signal
import struct
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, BinaryIO, Final

HEADER: Final = struct.Struct("!II")  # bytes of JSON, bytes of data
_MEMORY: Final = 768_000_000
_CPU_SECONDS: Final = 15
_PR_SET_PDEATHSIG: Final = 1
_READ_PAGE: Final = "read_page"


def serve() -> None:
    """Answer until the pipe ends, which it also does when the parent dies."""
    _end_with_parent()
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not stand between the answers
    _limit_memory()
    tasks = _tasks()
    _send(sink, {"ready": True})
    while len(header := source.read(HEADER.size)) == HEADER.size:
        question_size, data_size = HEADER.unpack(header)
        question = json.loads(source.read(question_size))
        data = source.read(data_size)
        _limit_cpu()
        _send(sink, _answer(tasks, question, data))


def _send(sink: BinaryIO, answer: dict[str, Any]) -> None:
    body = json.dumps(answer).encode()  # escapes lone surrogates
    sink.write(HEADER.pack(len(body), 0) + body)
    sink.flush()


def _tasks() -> dict[str, Callable[..., dict[str, Any]]]:
    # The parent imports none of this: it is half a second and 50 MB.
    import trafilatura  # noqa: F401, PLC0415

    from websearch.fetch.extract import extract  # noqa: PLC0415

    return {_READ_PAGE: lambda data, **facts: asdict(extract(data, **facts))}


def _answer(
    tasks: dict[str, Callable[..., dict[str, Any]]],
    question: dict[str, Any],
    data: bytes,
) -> dict[str, Any]:
    try:
        return tasks[question.pop("task")](data, **question)
    except MemoryError:
        return {"failed": "memory"}
    except Exception:  # noqa: BLE001  whatever a parser raises on a stranger's page
        return {"failed": "error"}


def _end_with_parent() -> None:
    """Let Linux end this process in mid-page too, where its parent was killed."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415  on Linux alone

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _limit_memory() -> None:
    # Windows has no such limits: there the parent's time limit alone holds.
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415  missing on Windows

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        os.nice(5)  # the parent's event loop goes first


def _limit_cpu() -> None:
    """Let the kernel end a page that runs on after the parent was killed."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415  missing on Windows

        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds = int(used.ru_utime + used.ru_stime) + _CPU_SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))
