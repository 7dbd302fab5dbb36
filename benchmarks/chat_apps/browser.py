"""Our app in Chromium, timed by the page's own clock."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from benchmarks.chat_apps.running import LANGUAGE
from ui.texts import text

_BROWSER: Final = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
# A phone far from its server: 1.6 Mbit/s, and 300 ms for each request.
_SLOW: Final = {
    "offline": False,
    "latency": 300,
    "downloadThroughput": 200_000,
    "uploadThroughput": 94_000,
}
_PAINT: Final = """() => new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const seen = list.getEntriesByName('first-contentful-paint')[0];
    if (seen) resolve(seen.startTime);
  }).observe({ type: 'paint', buffered: true });
})"""
_CONFIRM: Final = "#confirm-sidebar, #confirm"
# From the click on the button until a new node with the text is in the page.
_WATCH: Final = """([button, words]) => {
  window.confirmed = new Promise((resolve) => {
    let clicked;
    const seen = (node) => node.textContent.includes(words);
    const observer = new MutationObserver((changes) => {
      if (!changes.some((change) => [...change.addedNodes].some(seen))) return;
      observer.disconnect();
      resolve(performance.now() - clicked);
    });
    document.querySelector(button).addEventListener('click', () => {
      clicked = performance.now();
      observer.observe(document.body, { childList: true, subtree: true });
    }, { capture: true, once: true });
  });
}"""


def painted(urls: Sequence[str], times: int) -> list[list[float]]:
    """Milliseconds to the first words of each page, in turn, by a slow line."""
    with _page() as page:
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", _SLOW)
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})

        def paint(url: str) -> float:
            page.goto(url, wait_until="commit")
            return float(page.evaluate(_PAINT))

        return [[paint(url) for url in urls] for _ in range(times)]


def toggled(url: str, times: int) -> list[float]:
    """Measure each confirmation in ms, with the switch turned on and off in turn."""
    with _page() as page:
        page.goto(url)
        return [_confirm(page, on=number % 2 == 0) for number in range(times)]


@contextmanager
def _page() -> Iterator[Any]:
    # The other benchmarks run where there is no browser.
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    path = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_BROWSER)
        yield browser.new_page(viewport={"width": 1100, "height": 800})
        browser.close()


def _confirm(page: Any, *, on: bool) -> float:
    page.locator("#chat-settings-header-button").click()
    page.locator("#search").click()
    words = text("search_on" if on else "search_off", LANGUAGE)
    page.evaluate(_WATCH, [_CONFIRM, words])
    page.locator(_CONFIRM).first.click()
    return float(page.evaluate("window.confirmed"))
