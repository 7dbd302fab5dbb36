"""The browser of a process: found, started when it is needed, shared by sessions."""

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING, Final

from websearch.browser.installed import find_browser, missing_browser
from websearch.per_loop import PerLoop

if TYPE_CHECKING:
    from websearch.browser.chrome import Chrome
    from websearch.browser.visit import Rendered, Visit

START_SECONDS: Final = 3.0
_IDLE_SECONDS: Final = 180.0
_PAGES: Final = 4


class Browser:
    """
    A headless browser on the event loop of its callers.

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
        self._start_seconds = start_seconds

        def chrome() -> "Chrome":
            program = find_browser(path)
            from websearch.browser.chrome import Chrome  # noqa: PLC0415  optional

            return Chrome(program, pages=pages, idle_seconds=idle_seconds)

        self._chromes = PerLoop(chrome)

    @property
    def start_seconds(self) -> float:
        """Seconds that the start may take; 0 where it runs, or can't run."""
        if self.is_running or missing_browser(self._path):
            return 0.0
        return self._start_seconds

    @property
    def is_running(self) -> bool:
        """True if a page can be opened at once."""
        chrome = self._chromes.known()
        return chrome is not None and chrome.is_running

    @property
    def has_sandbox(self) -> bool:
        """False if it had to be started without its sandbox."""
        chrome = self._chromes.known()
        return chrome is None or chrome.has_sandbox

    async def start(self) -> None:
        """
        Start, unless it runs.

        A start that takes too long goes on, so that the next one finds it running.
        """
        find_browser(self._path)
        # Half a second of work, during which nothing else on the loop would answer.
        await asyncio.to_thread(import_module, "websearch.browser.chrome")
        await self._chromes.get().start_within(self._start_seconds)

    async def visit(self, visit: "Visit") -> "Rendered":
        """Open a page; raises nothing but SearchError."""
        await self.start()
        return await self._chromes.get().visit(visit)

    async def end_session(self, session: str) -> None:
        """Forget the cookies of *session*; without any session the browser stops."""
        if chrome := self._chromes.known():
            await chrome.end_session(session)

    async def aclose(self) -> None:
        """End the browser; the next use starts it again."""
        if chrome := self._chromes.pop():
            await chrome.aclose()
