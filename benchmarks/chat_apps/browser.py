"""The settings panel of our app in Chromium, timed by the page's own clock."""

import shutil
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


def toggled(url: str, times: int) -> list[float]:
    """Measure each confirmation in ms, with the switch turned on and off in turn."""
    # The other benchmarks run where there is no browser.
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    path = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_BROWSER)
        page = browser.new_page(viewport={"width": 1100, "height": 800})
        page.goto(url)
        taken = [_confirm(page, on=number % 2 == 0) for number in range(times)]
        browser.close()
    return taken


def _confirm(page: Any, *, on: bool) -> float:
    page.locator("#chat-settings-header-button").click()
    page.locator("#search").click()
    words = text("search_on" if on else "search_off", LANGUAGE)
    page.evaluate(_WATCH, [_CONFIRM, words])
    page.locator(_CONFIRM).first.click()
    return float(page.evaluate("window.confirmed"))
