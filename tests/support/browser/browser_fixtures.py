"""A real browser for the pages: Debian's Chromium, kept from every other host."""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright
from support.browser.chat_page import QUICK, Chat, Product, chat, product
from support.waiting import PATIENCE, wait_until

# The same pages without a window around them: half the work, where it is installed.
HEADLESS_SHELL = "/usr/lib/chromium/chromium-headless-shell"
CHROMIUMS = (HEADLESS_SHELL, "chromium", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
ONLY_LOOPBACK = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"

expect.set_options(timeout=PATIENCE * 1000)


@dataclass(frozen=True, slots=True)
class SharedPlaywright:
    """One Playwright for all tests of a process.

    Its sync interface leaves its event loop marked as running, so that no other could
    run beside it: the mark is set only while a test uses a browser.
    """

    playwright: Playwright
    loop: asyncio.AbstractEventLoop

    @contextmanager
    def in_use(self) -> Iterator[None]:
        asyncio._set_running_loop(self.loop)
        try:
            yield
        finally:
            asyncio._set_running_loop(None)

    @contextmanager
    def chromium(self, host_rules: str) -> Iterator[Browser]:
        """A Chromium that finds hosts by *host_rules*; between tests it sleeps."""
        path = next(filter(None, map(shutil.which, CHROMIUMS)), None)
        if path is None:
            pytest.skip("no Chromium on this machine: apt install chromium")
        arguments = [*ARGUMENTS, f"--host-resolver-rules={host_rules}"]
        with self.in_use():
            started = self.playwright.chromium.launch(
                executable_path=path, args=arguments
            )
        try:
            yield started
        finally:
            with self.in_use():
                started.close()


@pytest.fixture(scope="session")
def shared_playwright() -> Iterator[SharedPlaywright]:
    """Playwright, started once."""
    with sync_playwright() as started:
        shared = SharedPlaywright(started, asyncio.get_running_loop())
        asyncio._set_running_loop(None)
        yield shared
        asyncio._set_running_loop(shared.loop)


@pytest.fixture(scope="session")
def chromium(shared_playwright: SharedPlaywright) -> Iterator[Browser]:
    """A Chromium, started once."""
    with shared_playwright.chromium(ONLY_LOOPBACK) as started:
        yield started


@pytest.fixture
def browser(
    shared_playwright: SharedPlaywright, chromium: Browser
) -> Iterator[Browser]:
    """The Chromium of the session, in use by one test."""
    with shared_playwright.in_use():
        yield chromium


@pytest.fixture
def searching(browser: Browser, running: Product) -> Iterator[Chat]:
    """A tab in Chat mode with search switched on."""
    running.reset()
    with chat(browser, running, {"search": True}) as opened:
        expect(opened.how).to_have_text(QUICK)
        yield opened


@pytest.fixture(scope="session")
def running() -> Iterator[Product]:
    """The product, started once, with its test query behind it."""
    with product() as started:
        wait_until(lambda: started.search.queries, "the test query of the start")
        yield started
