"""The browser of a process: on a thread of its own, ended when idle."""

import asyncio
import atexit
import threading
from typing import TYPE_CHECKING, Final

from websearch.browser.installed import find_browser, missing_browser
from websearch.errors import Stage, Timeout
from websearch.loop_thread import LoopThread

if TYPE_CHECKING:
    from websearch.browser.chrome import Chrome
    from websearch.browser.visit import Rendered, Visit

START_SECONDS: Final = 3.0
_IDLE_SECONDS: Final = 180.0
_PAGES: Final = 4


class Browser:
    """
    A headless browser for callers on any thread and on any event loop.

    *path* names the browser; without it the first that is installed is used.
    """

    def __init__(
        self,
        path: str | None = None,
        *,
        pages: int = _PAGES,
        idle_seconds: float = _IDLE_SECONDS,
        start_seconds: float = START_SECONDS,
    ) -> None:
        self._path = path
        self._pages = pages
        self._idle_seconds = idle_seconds
        self._start_seconds = start_seconds
        self._thread = LoopThread()
        self._chrome: Chrome | None = None  # touched on its own loop only
        self._reaper: asyncio.Task[None] | None = None
        self._starting: asyncio.Task[None] | None = None
        self._lock = threading.Lock()

    @property
    def start_seconds(self) -> float:
        """Seconds that the start may take; 0 where it runs, or can't run."""
        if self.is_running or missing_browser(self._path):
            return 0.0
        return self._start_seconds

    @property
    def is_running(self) -> bool:
        """True if a page can be opened at once."""
        return self._chrome is not None and self._chrome.is_running

    @property
    def has_sandbox(self) -> bool:
        """False if it had to be started without its sandbox."""
        return self._chrome is None or self._chrome.has_sandbox

    async def start(self) -> None:
        """
        Start, unless it runs.

        A start that takes too long goes on, so that the next one finds it running.
        """
        find_browser(self._path)
        await self._thread.arun(self._start())

    async def visit(self, visit: "Visit") -> "Rendered":
        """Open a page; raises nothing but SearchError."""
        find_browser(self._path)  # before a thread is started for nothing
        return await self._thread.arun(self._visit(visit))

    async def end_session(self, session: str) -> None:
        """Forget the cookies of *session*; without any session the browser stops."""
        if self._chrome is not None:
            await self._thread.arun(self._end_session(session))

    async def aclose(self) -> None:
        """End the browser without blocking the loop; the next use starts it again."""
        if self._chrome is not None:
            await asyncio.to_thread(self.close)

    def close(self) -> None:
        """End the browser and its thread."""
        with self._lock:
            self._thread.close(self._stop)
        atexit.unregister(self.close)

    async def _start(self) -> None:
        chrome = self._of_loop()
        if self._starting is None or self._starting.done():
            self._starting = asyncio.create_task(chrome.start())
            self._starting.add_done_callback(_noticed)
        try:
            async with asyncio.timeout(self._start_seconds):
                await asyncio.shield(self._starting)
        except TimeoutError:
            raise Timeout(
                f"The browser did not start within {self._start_seconds:g} s",
                detail_code="browser_slow",
                stage=Stage.START,
            ) from None

    async def _visit(self, visit: "Visit") -> "Rendered":
        await self._start()
        return await self._of_loop().visit(visit)

    async def _end_session(self, session: str) -> None:
        if self._chrome is not None:
            await self._chrome.end_session(session)

    async def _stop(self) -> None:
        tasks = [task for task in (self._reaper, self._starting) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        chrome, self._chrome, self._reaper = self._chrome, None, None
        if chrome is not None:
            await chrome.stop()

    def _of_loop(self) -> "Chrome":
        if self._chrome is None:
            path = find_browser(self._path)
            from websearch.browser.chrome import Chrome  # noqa: PLC0415  optional

            self._chrome = Chrome(path, pages=self._pages)
            self._reaper = asyncio.create_task(self._reap())
            atexit.register(self.close)
        return self._chrome

    async def _reap(self) -> None:
        """End the browser after a time without use; its thread stays."""
        while True:
            await asyncio.sleep(self._idle_seconds / 10)
            chrome = self._chrome
            if chrome and chrome.is_running and chrome.idle_for > self._idle_seconds:
                await chrome.stop()


def _noticed(starting: "asyncio.Future[None]") -> None:
    """Take the error of a start for which nobody waits any more."""
    if not starting.cancelled():
        starting.exception()
