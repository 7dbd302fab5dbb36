"""Worker processes that read hostile bytes, and are killed when they take too long."""

import asyncio
import contextlib
import json
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self, cast

from websearch.errors import WebParseError
from websearch.fetch.worker_process import HEADER

IDLE_SECONDS: Final = 300.0
_START_SECONDS: Final = 10.0
_MOST_PAGES: Final = 200  # a worker then makes room: parsers keep their largest page
_MOST_ANSWER: Final = 8_000_000
# Nothing else of the environment: a process that reads strangers' pages holds no key.
_KEPT_VARIABLES: Final = (
    *("PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH"),
)
# Chainlit takes the folder of the app off the path again once it has loaded it.
_HOME: Final = Path(__file__).parents[2]
_PIPE: Final = asyncio.subprocess.PIPE


class Workers:
    """
    At most *size* processes, started at first use and ended after five idle minutes.

    They belong to the event loop that first asks them.
    Not `multiprocessing`, which imports Chainlit into each child, nor
    `anyio.to_process`, which also hands it our environment and unpickles its answer.
    """

    def __init__(self, size: int = 2) -> None:
        self._places = asyncio.Semaphore(size)
        self._idle: list[_Worker] = []
        self._sweeper: asyncio.Task[None] | None = None

    async def run(
        self, task: str, data: bytes, *, seconds: float, **facts: Any
    ) -> dict[str, Any]:
        """Result of *task* on *data*; WebParseError where it takes too much."""
        question = {"task": task, **facts}
        async with self._places:
            worker = self._take()
            if worker is not None:
                with contextlib.suppress(_WorkerDied):
                    return await self._ask(worker, question, data, seconds)
            # None was there, or it had died before this page came.
            try:
                worker = await _Worker.start()
                return await self._ask(worker, question, data, seconds)
            except _WorkerDied:
                raise _too_heavy() from None

    async def warm(self) -> None:
        """Start a worker ahead of its first page."""
        if not self._idle:
            self._keep(await _Worker.start())

    async def aclose(self) -> None:
        """Kill the idle workers; a busy one ends with the call that holds it."""
        if self._sweeper:
            self._sweeper.cancel()
            self._sweeper = None
        idle, self._idle = self._idle, []
        await asyncio.gather(*(worker.end() for worker in idle))

    def _take(self) -> "_Worker | None":
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
        return None

    def _keep(self, worker: "_Worker") -> None:
        worker.idle_since = time.monotonic()
        self._idle.append(worker)
        if self._sweeper is None:
            self._sweeper = asyncio.create_task(self._sweep())

    async def _ask(
        self, worker: "_Worker", question: dict[str, Any], data: bytes, seconds: float
    ) -> dict[str, Any]:
        is_reusable = False
        try:
            async with asyncio.timeout(seconds):
                answer = await worker.ask(question, data)
            is_reusable = worker.pages < _MOST_PAGES
        except TimeoutError:
            raise WebParseError(
                "Reading the page took too long.", detail_code="page_too_slow"
            ) from None
        finally:  # also where the caller was cancelled: the worker is still busy
            if is_reusable:
                self._keep(worker)
            else:
                await worker.end()
        if "failed" in answer:
            raise _too_heavy() if answer["failed"] == "memory" else _unreadable()
        return answer

    async def _sweep(self) -> None:
        """End workers that have been idle for long; stop when none is left."""
        while self._idle:
            await asyncio.sleep(IDLE_SECONDS / 10)
            oldest = time.monotonic() - IDLE_SECONDS
            for worker in [w for w in self._idle if w.idle_since < oldest]:
                self._idle.remove(worker)
                await worker.end()
        self._sweeper = None


class _WorkerDied(Exception):
    """The process ended before it answered."""


@dataclass(slots=True)
class _Worker:
    process: asyncio.subprocess.Process
    is_ready: bool = False
    pages: int = 0
    idle_since: float = field(default_factory=time.monotonic)

    @classmethod
    async def start(cls) -> Self:
        """Start a process and wait until it can take a page."""
        path = [str(_HOME), *(entry or str(Path.cwd()) for entry in sys.path)]
        code = (
            f"import sys; sys.path[:] = {path!r}; "
            "from websearch.fetch.worker_process import serve; serve()"
        )
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-c", code),
            stdin=_PIPE,
            stdout=_PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={n: os.environ[n] for n in _KEPT_VARIABLES if n in os.environ},
            start_new_session=True,  # Ctrl+C in the terminal ends the app, not a page
        )
        worker = cls(process)
        try:
            async with asyncio.timeout(_START_SECONDS):
                await worker.answer()
        except TimeoutError:
            raise _WorkerDied from None
        finally:
            if not worker.is_ready:
                await worker.end()
        return worker

    @property
    def is_alive(self) -> bool:
        return self.process.returncode is None

    async def ask(self, question: dict[str, Any], data: bytes) -> dict[str, Any]:
        """Send one page and wait for what was read."""
        self.pages += 1
        sink = cast("asyncio.StreamWriter", self.process.stdin)
        body = json.dumps(question).encode()
        try:
            sink.writelines((HEADER.pack(len(body), len(data)), body, data))
            await sink.drain()
        except ConnectionError as error:
            raise _WorkerDied from error
        return await self.answer()

    async def answer(self) -> dict[str, Any]:
        """Receive one answer; the first says that the process is ready."""
        source = cast("asyncio.StreamReader", self.process.stdout)
        try:
            size, _ = HEADER.unpack(await source.readexactly(HEADER.size))
            if size > _MOST_ANSWER:
                raise _WorkerDied
            answer: dict[str, Any] = json.loads(await source.readexactly(size))
        except (asyncio.IncompleteReadError, ConnectionError, ValueError) as error:
            raise _WorkerDied from error
        self.is_ready = True
        return answer

    async def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await asyncio.shield(self.process.wait())


def _too_heavy() -> WebParseError:
    return WebParseError(
        "Reading the page took too much memory.", detail_code="page_too_heavy"
    )


def _unreadable() -> WebParseError:
    return WebParseError("The page could not be read.", detail_code="page_unreadable")
