"""A headless browser driven by Playwright; all of it lives on one event loop."""

import asyncio
import contextlib
import os
import time
from typing import Any, Final

from playwright.async_api import (
    Browser,
    BrowserContext,
    Error,
    Page,
    Playwright,
    Response,
    Route,
    async_playwright,
)

from websearch.browser.errors import crashed, failure, not_started
from websearch.browser.visit import Rendered, Visit
from websearch.config.address import BaseAddress
from websearch.errors import Timeout

_LAUNCH_MS: Final = 30_000
_CLOSE_SECONDS: Final = 3.0
_MOST_CONTEXTS: Final = 20
MOST_HTML: Final = 3_000_000  # characters
# A browser that shows strangers' pages gets no key of ours.
_KEPT_VARIABLES: Final = (
    *("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "TZ"),
    *("SYSTEMROOT", "LOCALAPPDATA", "PROGRAMFILES", "LD_LIBRARY_PATH"),
    *("FONTCONFIG_FILE", "FONTCONFIG_PATH", "XDG_RUNTIME_DIR"),
)
_ARGUMENTS: Final = (
    "--blink-settings=imagesEnabled=false",
    # WebRTC would go around the proxy, and with it around the guard of web.fetch.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)
_NEEDLESS: Final = frozenset({"image", "media", "font"})
# In a world of its own: a page can't change what these words mean.
_HTML: Final = f"document.documentElement.outerHTML.slice(0, {MOST_HTML})"


class Chrome:
    """One browser process, restarted after a crash, with at most *pages* open."""

    def __init__(self, path: str, *, pages: int) -> None:
        self._path = path
        self._launching = asyncio.Lock()
        self._places = asyncio.Semaphore(pages)
        self._driver: Playwright | None = None
        self._browser: Browser | None = None
        self._contexts: dict[tuple[str, BaseAddress | None], BrowserContext] = {}
        self._visits = 0
        self._last_use = time.monotonic()
        self.has_sandbox = True

    @property
    def is_running(self) -> bool:
        """True if a page can be opened at once."""
        return self._browser is not None and self._browser.is_connected()

    @property
    def idle_for(self) -> float:
        """Seconds since the last page was closed."""
        return 0.0 if self._visits else time.monotonic() - self._last_use

    async def start(self) -> None:
        """Start the browser, unless it runs."""
        async with self._launching:
            if not self.is_running:
                self._contexts.clear()
                try:
                    self._driver = self._driver or await async_playwright().start()
                    self._browser = await self._launch(self._driver)
                except (Error, OSError) as error:
                    raise not_started() from error
                self._last_use = time.monotonic()

    async def visit(self, visit: Visit) -> Rendered:
        """The page of *visit*; raises nothing but SearchError."""
        self._visits += 1
        try:
            async with asyncio.timeout(visit.seconds), self._places:
                return await self._visit(visit)
        except TimeoutError:
            raise Timeout(
                f"The page was not complete within {visit.seconds:.3g} s"
            ) from None
        except Error as error:
            proxy = visit.proxy.url if visit.proxy else None
            raise failure(error.message, proxy) from None
        finally:
            self._visits -= 1
            self._last_use = time.monotonic()

    async def end_session(self, session: str) -> None:
        """Close the contexts of *session*; without any session the browser stops."""
        for key in [key for key in self._contexts if key[0] == session]:
            await self._close(self._contexts.pop(key))
        if not self._contexts and not self._visits:
            await self.stop()

    async def stop(self) -> None:
        """End the browser and its driver."""
        async with self._launching:
            browser, driver = self._browser, self._driver
            self._browser = self._driver = None
            self._contexts.clear()
            if browser:
                await self._close(browser)
            if driver:
                with contextlib.suppress(Exception):  # it may have ended by itself
                    await driver.stop()

    async def _launch(self, driver: Playwright) -> Browser:
        """Start with the sandbox; without it where this user may have none."""
        kept = {n: os.environ[n] for n in _KEPT_VARIABLES if n in os.environ}
        options: dict[str, Any] = {
            "executable_path": self._path,
            "args": list(_ARGUMENTS),
            "env": kept,
            "timeout": _LAUNCH_MS,
            # Ctrl+C ends the app, which closes the browser.
            "handle_sigint": False,
            "handle_sigterm": False,
            "handle_sighup": False,
        }
        self.has_sandbox = not _is_root()
        if self.has_sandbox:
            try:
                return await driver.chromium.launch(chromium_sandbox=True, **options)
            except Error as error:
                if "sandbox" not in error.message.lower():
                    raise
                self.has_sandbox = False
        return await driver.chromium.launch(chromium_sandbox=False, **options)

    async def _visit(self, visit: Visit) -> Rendered:
        await self.start()
        context = await self._context(visit)
        page = await context.new_page()
        try:
            return await _rendered(page, visit)
        finally:
            await self._close(page if visit.session else context)

    async def _context(self, visit: Visit) -> BrowserContext:
        if not visit.session:
            return await self._new_context(visit)
        key = (visit.session, visit.proxy)
        # Reinserted at the end: the first one is the one unused for longest.
        context = self._contexts.pop(key, None) or await self._new_context(visit)
        self._contexts[key] = context
        while len(self._contexts) > _MOST_CONTEXTS:
            await self._close(self._contexts.pop(next(iter(self._contexts))))
        return context

    async def _new_context(self, visit: Visit) -> BrowserContext:
        if self._browser is None:  # stopped meanwhile
            raise crashed()
        context = await self._browser.new_context(
            locale=visit.language,
            proxy=_proxy(visit.proxy),
            accept_downloads=False,
            service_workers="block",
        )
        if visit.most_requests:
            await context.route("**/*", _Filter(visit.most_requests).check)
        return context

    async def _close(self, one: Page | BrowserContext | Browser) -> None:
        """Close *one*, also where the caller is cancelled or it has crashed."""
        closing = asyncio.ensure_future(one.close())
        with contextlib.suppress(Error, TimeoutError):
            async with asyncio.timeout(_CLOSE_SECONDS):
                await asyncio.shield(closing)


class _Filter:
    """Let through the requests of a page that may bring text."""

    def __init__(self, most: int) -> None:
        self._left = most

    async def check(self, route: Route) -> None:
        self._left -= 1
        is_needless = route.request.resource_type in _NEEDLESS
        with contextlib.suppress(Error):  # the page may be closed by now
            if is_needless or self._left < 0:
                await route.abort()
            else:
                await route.continue_()


async def _rendered(page: Page, visit: Visit) -> Rendered:
    answers: list[Response] = []

    def note(response: Response) -> None:
        request = response.request
        if request.is_navigation_request() and request.frame == page.main_frame:
            answers[:] = [response]

    page.on("response", note)
    await page.goto(visit.url, wait_until="commit", timeout=0)
    await visit.wait(page)
    html = await _html(page)
    status = answers[0].status if answers else 200
    headers = answers[0].headers if answers else {}
    wait = headers.get("retry-after", "")
    return Rendered(status, page.url, html, len(html) >= MOST_HTML, wait)


async def _html(page: Page) -> str:
    session = await page.context.new_cdp_session(page)
    frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
    world = await session.send("Page.createIsolatedWorld", {"frameId": frame})
    found = await session.send(
        "Runtime.evaluate",
        {
            "expression": _HTML,
            "contextId": world["executionContextId"],
            "returnByValue": True,
        },
    )
    return str(found["result"].get("value", ""))


def _proxy(proxy: BaseAddress | None) -> Any:
    if proxy is None:
        return None
    # Chromium would ask loopback addresses directly.
    options = {"server": proxy.url, "bypass": "<-loopback>"}
    if proxy.has_credentials:
        options |= {"username": proxy.user or "", "password": proxy.password or ""}
    return options


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
