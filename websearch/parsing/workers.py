"""Worker processes that parse hostile bytes, and are killed if they take too long."""

import asyncio
import contextlib
import json
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self, cast

from websearch.errors import WebParseError, WebProviderError
from websearch.parsing.process import HEADER, Task
from websearch.per_loop import PerLoop

__all__ = ["Task", "Workers"]

_IDLE_SECONDS: Final = 300.0
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
    At most *size* processes an event loop, started at first use and ended when idle.

    Engines and the reader of pages share them; one that was closed starts again.
    Not `multiprocessing`, which imports Chainlit into each child, nor
    `anyio.to_process`, which also hands it our environment and unpickles its answer.
    """

    def __init__(self, size: int = 3, *, idle_seconds: float = _IDLE_SECONDS) -> None:
        self._pools = PerLoop(lambda: _Pool(size, idle_seconds))

    async def run(
        self, task: Task, data: bytes, *, seconds: float, **facts: Any
    ) -> dict[str, Any]:
        """Result of *task* on *data*; WebParseError where it takes too much."""
        return await self._pools.get().run(task, data, seconds, facts)

    async def warm(self, task: Task) -> None:
        """Start a worker ahead of its first page, without waiting until it is ready."""
        await self._pools.get().warm(task)

    async def aclose(self) -> None:
        """Kill the idle workers of the running loop; a busy one ends with its call."""
        if pool := self._pools.pop():
            await pool.aclose()


class _Pool:
    """The workers of one event loop."""

    def __init__(self, size: int, idle_seconds: float) -> None:
        self._places = asyncio.Semaphore(size)
        self._idle_seconds = idle_seconds
        self._idle: list[_Worker] = []
        self._sweeper = asyncio.create_task(self._sweep())

    async def run(
        self, task: Task, data: bytes, seconds: float, facts: dict[str, Any]
    ) -> dict[str, Any]:
        async with self._places:
            worker = self._take()
            if worker is not None:
                with contextlib.suppress(_WorkerDied):
                    return await self._ask(worker, task, data, seconds, facts)
            # None was there, or it had died before this page came.
            try:
                worker = await _Worker.start()
                return await self._ask(worker, task, data, seconds, facts)
            except _NeverReady:
                raise WebProviderError(
                    "The process that parses pages can't start.",
                    detail_code="worker_failed",
                ) from None
            except _WorkerDied:
                raise _too_heavy() from None

    async def warm(self, task: Task) -> None:
        if self._places.locked():
            return  # as many as there may be are at work, or on their way
        async with self._places:
            with contextlib.suppress(_NeverReady):  # the page that comes will tell
                worker = self._take() or await _Worker.start()
                worker.load(task)
                self._keep(worker)

    async def aclose(self) -> None:
        self._sweeper.cancel()
        await self._end_idle()

    def _take(self) -> "_Worker | None":
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
        return None

    def _keep(self, worker: "_Worker") -> None:
        worker.idle_since = time.monotonic()
        self._idle.append(worker)

    async def _ask(
        self,
        worker: "_Worker",
        task: Task,
        data: bytes,
        seconds: float,
        facts: dict[str, Any],
    ) -> dict[str, Any]:
        is_reusable = False
        try:
            worker.load(task)
            await worker.ready()
            async with asyncio.timeout(seconds):
                answer = await worker.ask({"task": task, **facts}, data)
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
            if answer["failed"] == "memory":
                raise _too_heavy()
            raise WebParseError(
                "The page could not be read.", detail_code="page_unreadable"
            )
        return answer

    async def _sweep(self) -> None:
        """End workers that have been idle for long; all of them when cancelled."""
        try:
            while True:
                await asyncio.sleep(self._idle_seconds / 10)
                oldest = time.monotonic() - self._idle_seconds
                for worker in [w for w in self._idle if w.idle_since < oldest]:
                    self._idle.remove(worker)
                    await worker.end()
        finally:  # also where the loop ends, and nobody closed the pool
            await self._end_idle()

    async def _end_idle(self) -> None:
        idle, self._idle = self._idle, []
        await asyncio.gather(*(worker.end() for worker in idle))


class _WorkerDied(Exception):
    """The process ended before it answered."""


class _NeverReady(_WorkerDied):
    """The process could not even be prepared."""


@dataclass(slots=True)
class _Worker:
    process: asyncio.subprocess.Process
    loaded: set[Task] = field(default_factory=set)
    loading: int = 0  # answers to `load` that have not been received
    pages: int = 0
    idle_since: float = field(default_factory=time.monotonic)

    @classmethod
    async def start(cls) -> Self:
        """Start a process, which takes its time until it is ready."""
        path = [str(_HOME), *(entry or str(Path.cwd()) for entry in sys.path)]
        code = (
            f"import sys; sys.path[:] = {path!r}; "
            "from websearch.parsing.process import serve; serve()"
        )
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-c", code),
                stdin=_PIPE,
                stdout=_PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env={n: os.environ[n] for n in _KEPT_VARIABLES if n in os.environ},
                start_new_session=True,  # Ctrl+C ends the app, not a page
            )
        except OSError as error:
            raise _NeverReady from error
        return cls(process)

    @property
    def is_alive(self) -> bool:
        return self.process.returncode is None

    def load(self, task: Task) -> None:
        """Let the process import *task*, once, outside the time limit of a page."""
        if task not in self.loaded:
            self.loaded.add(task)
            self.loading += 1
            self._send({"task": task})

    async def ready(self) -> None:
        """Wait until everything is imported."""
        try:
            async with asyncio.timeout(_START_SECONDS):
                for _ in range(self.loading):
                    await self._answer()
        except (TimeoutError, _WorkerDied) as error:
            raise _NeverReady from error
        self.loading = 0

    async def ask(self, question: dict[str, Any], data: bytes) -> dict[str, Any]:
        """Send one page and wait for what was read."""
        self.pages += 1
        self._send(question, data)
        try:
            await cast("asyncio.StreamWriter", self.process.stdin).drain()
        except ConnectionError as error:
            raise _WorkerDied from error
        return await self._answer()

    async def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        # `wait` alone would never end while a large part of an answer is unread.
        await asyncio.shield(self.process.communicate())

    def _send(self, question: dict[str, Any], data: bytes = b"") -> None:
        sink = cast("asyncio.StreamWriter", self.process.stdin)
        body = json.dumps(question).encode()
        sink.writelines((HEADER.pack(len(body), len(data)), body, data))

    async def _answer(self) -> dict[str, Any]:
        source = cast("asyncio.StreamReader", self.process.stdout)
        try:
            size, _ = HEADER.unpack(await source.readexactly(HEADER.size))
            if size > _MOST_ANSWER:
                raise _WorkerDied
            answer: dict[str, Any] = json.loads(await source.readexactly(size))
        except (asyncio.IncompleteReadError, ConnectionError, ValueError) as error:
            raise _WorkerDied from error
        return answer


def _too_heavy() -> WebParseError:
    return WebParseError(
        "Reading the page took too much memory.", detail_code="page_too_heavy"
    )
