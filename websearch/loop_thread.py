"""An event loop on a thread, for callers without a loop or with another one."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import CancelledError, Future
from typing import TYPE_CHECKING, Any, TypeVar

from websearch.errors import WebProviderError

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

T = TypeVar("T")


class LoopThread:
    """
    A thread with an event loop, for synchronous callers; the first one starts it.

    `start_blocking_portal` would hang if a program ends, or forks, without closing it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._portal: BlockingPortal | None = None

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run *work* on the thread, and wait; an interrupted caller cancels it."""
        future = self._submit(work)
        try:
            return future.result()
        except CancelledError:
            raise _closed() from None
        except BaseException:
            future.cancel()
            raise

    async def arun(self, work: Coroutine[Any, Any, T]) -> T:
        """Run *work* on the thread for another loop; a cancelled caller cancels it."""
        try:
            return await asyncio.wrap_future(self._submit(work))
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task and task.cancelling():
                raise
            raise _closed() from None

    def close(self, last: Callable[[], Awaitable[None]]) -> None:
        """Run *last*, cancel all other work, and end the thread."""
        with self._lock:
            thread, portal = self._thread, self._portal
            self._thread = self._portal = None
        if thread and portal:
            try:
                portal.call(last)
            finally:
                portal.call(portal.stop, True)  # True: cancels
                thread.join()

    def _submit(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        with self._lock:
            portal = self._portal = self._portal or self._started()
            return portal.start_task_soon(lambda: work)

    def _started(self) -> "BlockingPortal":
        import anyio  # noqa: PLC0415  at first use: `import websearch` stays light
        from anyio.from_thread import BlockingPortal  # noqa: PLC0415

        started: Future[BlockingPortal] = Future()

        async def serve() -> None:
            async with BlockingPortal() as portal:
                started.set_result(portal)
                await portal.sleep_until_stopped()

        self._thread = threading.Thread(
            target=anyio.run, args=(serve,), name="websearch", daemon=True
        )
        self._thread.start()
        return started.result()


def _closed() -> WebProviderError:
    return WebProviderError("The service was closed meanwhile")
