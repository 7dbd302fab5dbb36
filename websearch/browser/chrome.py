"""A headless browser driven by Playwright; all of it lives on one event loop."""

import asyncio
import contextlib
import itertools
import os
import time
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from typing import Any, Final, TypeVar

from playwright.async_api import (
    Browser,
    BrowserContext,
    Error,
    Page,
    Playwright,
    Request,
    Response,
    async_playwright,
)

from websearch.browser.errors import crashed, failure
from websearch.browser.visit import Rendered, Visit
from websearch.config.address import BaseAddress
from websearch.errors import SearchError, Stage, Timeout, WebProviderError

_Key = tuple[str, BaseAddress | None]
_T = TypeVar("_T")
_Closable = TypeVar("_Closable", Page, BrowserContext)

_LAUNCH_MS: Final = 30_000
_CLOSE_SECONDS: Final = 3.0
_MOST_CONTEXTS: Final = 20
_TRIES: Final = 3
_CLOSED: Final = "has been closed"  # the page, its context, or the whole browser
_LOCALE: Final = "zh-CN"  # engines get the language of a search in its address
MOST_HTML: Final = 3_000_000  # characters
# A browser that shows strangers' pages gets no key of ours.
_KEPT_VARIABLES: Final = (
    *("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "TZ"),
    *("SYSTEMROOT", "LOCALAPPDATA", "PROGRAMFILES", "LD_LIBRARY_PATH"),
    *("FONTCONFIG_FILE", "FONTCONFIG_PATH", "XDG_RUNTIME_DIR"),
)
_ARGUMENTS: Final = (
    "--blink-settings=imagesEnabled=false",
    "--disable-remote-fonts",
    "--block-new-web-contents",  # the headless shell blocks no pop-ups otherwise
    # WebRTC would go around the proxy, and with it around the guard of web.fetch.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)
# In a world of its own: a page can't change what these words mean.
_HTML: Final = f"document.documentElement.outerHTML.slice(0, {MOST_HTML})"


class Chrome:
    """
    One browser process, restarted after a crash, with at most *pages* open.

    Half of them may be strangers' pages, so that no such page delays a search for long.
    """

    def __init__(self, path: str, *, pages: int, idle_seconds: float) -> None:
        self._path = path
        self._idle_seconds = idle_seconds
        self._starting: asyncio.Task[None] | None = None
        self._launching = asyncio.Lock()
        self._places = asyncio.Semaphore(pages)
        self._strangers = asyncio.Semaphore(max(pages // 2, 1))
        self._playwright = async_playwright()
        self._driver: asyncio.Task[Playwright] | None = None
        self._browser: Browser | None = None
        self._contexts: dict[_Key, BrowserContext] = {}  # those of the sessions
        self._opening = asyncio.Lock()  # two searches at once get the same context
        self._tasks: set[asyncio.Task[Any]] = set()
        self._reaper = asyncio.create_task(self._reap())
        self._visits = 0
        self._last_use = time.monotonic()
        self.has_sandbox = True
        self._is_closed = False

    @property
    def is_running(self) -> bool:
        """True if a page can be opened at once."""
        return self._browser is not None and self._browser.is_connected()

    async def start_within(self, seconds: float) -> None:
        """Start, unless it runs; a start that takes longer goes on by itself."""
        if self._starting is None or self._starting.done():
            self._starting = self._task(self.start())
        try:
            async with asyncio.timeout(seconds):
                await asyncio.shield(self._starting)
        except asyncio.CancelledError:
            caller = asyncio.current_task()
            if self._starting.cancelled() and not (caller and caller.cancelling()):
                raise crashed() from None  # it was closed meanwhile
            raise
        except TimeoutError:
            raise Timeout(
                f"The browser did not start within {seconds:g} s",
                detail_code="browser_slow",
                stage=Stage.START,
            ) from None

    async def start(self) -> None:
        """Start the browser, unless it runs."""
        async with self._launching:
            if self.is_running:
                return
            if self._is_closed:
                raise crashed()
            self._contexts.clear()
            try:
                # Shielded: a driver whose start is cut off could not be ended.
                self._driver = self._driver or self._task(self._playwright.start())
                self._browser = await self._launch(await asyncio.shield(self._driver))
            except (Error, OSError) as error:
                await self._end_driver()  # it may be what failed
                raise WebProviderError(
                    "The browser is installed and does not start",
                    detail_code="browser_failed",
                ) from error
            self._last_use = time.monotonic()

    async def visit(self, visit: Visit) -> Rendered:
        """
        The page of *visit*; raises nothing but SearchError.

        The visit is a task of its own, so that `aclose` can wait for its end.
        """
        visiting = self._task(self._visited(visit))
        try:
            return await asyncio.shield(visiting)
        except asyncio.CancelledError:
            visiting.cancel()
            raise

    async def end_session(self, session: str) -> None:
        """Close the contexts of *session*; without any session the browser stops."""
        async with self._opening:
            for key in [key for key in self._contexts if key[0] == session]:
                await _close(self._contexts.pop(key))
        if not self._contexts and not self._visits:
            await self.stop()

    async def stop(self) -> None:
        """End the browser and its driver."""
        async with self._launching:
            browser, self._browser = self._browser, None
            self._contexts.clear()
            if browser:
                await _close(browser)
            await self._end_driver()

    async def aclose(self) -> None:
        """End the browser for good, also in the middle of its start and of visits."""
        self._is_closed = True
        if self._starting:
            self._starting.cancel()
        self._reaper.cancel()  # stops the browser; without it every visit ends
        await asyncio.gather(self._reaper, *self._tasks, return_exceptions=True)

    async def _reap(self) -> None:
        """End the browser after a time without use; in any case when cancelled."""
        try:
            while True:
                await asyncio.sleep(self._idle_seconds / 10)
                unused = time.monotonic() - self._last_use
                is_idle = not self._visits and unused > self._idle_seconds
                if self.is_running and is_idle:
                    await self.stop()
        finally:  # also where the loop ends, and nobody closed the browser
            await self.stop()

    async def _end_driver(self) -> None:
        """End the driver, which takes along a browser that it has started."""
        driver, self._driver = self._driver, None
        if driver:
            with contextlib.suppress(Exception):  # it may have ended by itself
                running = await driver
                # Where the loop ends, `stop` neither closes the pipe nor waits.
                pipe = self._playwright._client._transport  # type: ignore[union-attr]  # noqa: SLF001
                pipe.request_stop()
                await running.stop()
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await pipe._proc.communicate()  # noqa: SLF001

    async def _launch(self, driver: Playwright) -> Browser:
        """Start with the sandbox; without it where this user may have none."""
        options: dict[str, Any] = {
            "executable_path": self._path,
            "args": list(_ARGUMENTS),
            "env": {n: os.environ[n] for n in _KEPT_VARIABLES if n in os.environ},
            # Without it no page opens another one unless a person clicks.
            "ignore_default_args": ["--disable-popup-blocking"],
            "timeout": _LAUNCH_MS,
            # Ctrl+C ends the app, which closes the browser.
            "handle_sigint": False,
            "handle_sigterm": False,
            "handle_sighup": False,
        }
        self.has_sandbox = not (hasattr(os, "geteuid") and os.geteuid() == 0)
        if self.has_sandbox:
            try:
                return await driver.chromium.launch(chromium_sandbox=True, **options)
            except Error as error:
                if "sandbox" not in error.message.lower():
                    raise
                self.has_sandbox = False
        return await driver.chromium.launch(chromium_sandbox=False, **options)

    async def _visited(self, visit: Visit) -> Rendered:
        """
        The page of *visit*, in the context of its session or in one of its own.

        What was opened is closed behind the caller's back: a hostile page takes seconds
        to end.
        """
        self._visits += 1
        opened: list[Page | BrowserContext] = []
        try:
            async with asyncio.timeout(visit.seconds), AsyncExitStack() as places:
                if visit.most_requests:
                    await places.enter_async_context(self._strangers)
                await places.enter_async_context(self._places)
                await self.start()
                if visit.session:
                    context = await self._context_of(visit)
                    opened.append(page := await self._made(context.new_page()))
                else:
                    opened.append(context := await self._made(self._new_context(visit)))
                    page = await context.new_page()
                return await _rendered(page, visit)
        except TimeoutError:
            raise Timeout(
                f"The page was not complete within {visit.seconds:.3g} s"
            ) from None
        except Error as error:
            if self._is_closed:
                raise crashed() from None
            if _CLOSED in error.message and await self._is_dead():
                await self.stop()
                raise crashed() from None
            proxy = visit.proxy.url if visit.proxy else None
            raise failure(error.message, proxy) from None
        finally:
            for part in opened:
                self._task(_close(part))
            self._visits -= 1
            self._last_use = time.monotonic()

    async def _is_dead(self) -> bool:
        """True if the browser does not answer: its driver may have died with it."""
        try:
            if self._browser is not None:
                session = await self._browser.new_browser_cdp_session()
                await session.detach()
                return False
        except Error:
            pass
        return True

    async def _context_of(self, visit: Visit) -> BrowserContext:
        """The context of a session; those unused for longest make room for it."""
        key = (visit.session or "", visit.proxy)
        async with self._opening:
            # Reinserted at the end: the first one is the one unused for longest.
            known = self._contexts.pop(key, None)
            context = known or await self._made(self._new_context(visit))
            self._contexts[key] = context
            while len(self._contexts) > _MOST_CONTEXTS:
                await _close(self._contexts.pop(next(iter(self._contexts))))
        return context

    async def _new_context(self, visit: Visit) -> BrowserContext:
        if self._browser is None:  # stopped meanwhile
            raise crashed()
        options: Any = None
        if proxy := visit.proxy:
            # Chromium would ask loopback addresses directly.
            options = {"server": proxy.url, "bypass": "<-loopback>"}
            if proxy.has_credentials:
                options["username"] = proxy.user or ""
                options["password"] = proxy.password or ""
        return await self._browser.new_context(
            locale=_LOCALE,
            proxy=options,
            accept_downloads=False,
            service_workers="block",
        )

    async def _made(self, making: Coroutine[Any, Any, _Closable]) -> _Closable:
        """The result of *making*, which is closed if the caller is cancelled."""
        task = self._task(making)

        async def close_made() -> None:
            with contextlib.suppress(Error, SearchError):
                await _close(await asyncio.shield(task))

        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            self._task(close_made())
            raise

    def _task(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        """Start *work* and keep it, as the loop does not."""

        def done(task: asyncio.Task[Any]) -> None:
            self._tasks.discard(task)
            if not task.cancelled():
                task.exception()  # taken, where nobody waits for it any more

        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(done)
        return task


async def _close(opened: Page | BrowserContext | Browser) -> None:
    """Close what was opened, within a limit, also where it has crashed."""
    with contextlib.suppress(Error, TimeoutError):
        async with asyncio.timeout(_CLOSE_SECONDS):
            await opened.close()


async def _rendered(page: Page, visit: Visit) -> Rendered:
    answers: list[Response] = []
    left = itertools.count(visit.most_requests or 0, -1)

    async def count(_request: Request) -> None:
        if not next(left):  # it asked for too much, and loses the network
            with contextlib.suppress(Error):
                await page.context.set_offline(True)

    def note(response: Response) -> None:
        request = response.request
        if request.is_navigation_request() and request.frame == page.main_frame:
            answers[:] = [response]

    if visit.most_requests:
        page.on("request", count)
    page.on("response", note)
    await page.goto(visit.url, wait_until="commit", timeout=0)
    await visit.wait(page)
    for _ in range(_TRIES - 1):  # taken again where it is just led to another page
        with contextlib.suppress(Error):
            html = await _html(page)
            break
        if not page.is_closed():
            await page.wait_for_load_state("domcontentloaded", timeout=0)
    else:
        html = await _html(page)
    status = answers[0].status if answers else 200
    headers = answers[0].headers if answers else {}
    wait = headers.get("retry-after", "")
    return Rendered(status, page.url, html, len(html) >= MOST_HTML, wait)


async def _html(page: Page) -> str:
    session = await page.context.new_cdp_session(page)
    frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
    world = await session.send("Page.createIsolatedWorld", {"frameId": frame})
    evaluated = await session.send(
        "Runtime.evaluate",
        {
            "expression": _HTML,
            "contextId": world["executionContextId"],
            "returnByValue": True,
        },
    )
    return str(evaluated["result"].get("value", ""))
