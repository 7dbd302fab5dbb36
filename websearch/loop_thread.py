"""An event loop on a thread, for callers that have none."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import CancelledError
from typing import Any, TypeVar

from websearch.errors import WebProviderError

T = TypeVar("T")


class LoopThread:
    """A thread with an event loop, which the first caller starts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run *work* on the thread, and wait; an interrupted caller cancels it."""
        with self._lock:
            if self._loop is None:
                loop = self._loop = asyncio.new_event_loop()

                def serve() -> None:
                    with asyncio.Runner(loop_factory=lambda: loop) as runner:
                        runner.get_loop().run_forever()  # cancels at its end

                self._thread = threading.Thread(
                    target=serve, name="websearch", daemon=True
                )
                self._thread.start()
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except CancelledError:
            raise WebProviderError("The service was closed meanwhile") from None
        except BaseException:
            future.cancel()
            raise

    def close(self, last: Callable[[], Awaitable[None]]) -> None:
        """Run *last*, cancel all other work, and end the thread."""

        async def finish() -> None:
            await last()

        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop and thread:
            try:
                asyncio.run_coroutine_threadsafe(finish(), loop).result()
            finally:
                loop.call_soon_threadsafe(loop.stop)
                thread.join()
