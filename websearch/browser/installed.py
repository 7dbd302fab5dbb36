"""Find the user's own Chrome, Chromium or Edge, and the library that drives it."""

import os
import shutil
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Final

from websearch.errors import SearchError, WebProviderError

# The shell without windows comes first: it takes half the memory and starts faster.
_COMMANDS: Final = (
    *("chromium-headless-shell", "google-chrome-stable", "google-chrome"),
    *("chromium", "chromium-browser", "microsoft-edge-stable", "microsoft-edge"),
)
_PROGRAMS: Final = (
    "Google/Chrome/Application/chrome.exe",
    "Chromium/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
)
_BUNDLES: Final = ("Google Chrome", "Chromium", "Microsoft Edge")
# `playwright install chromium` puts its browser here.
_DOWNLOADS: Final = {
    "linux": "~/.cache/ms-playwright",
    "darwin": "~/Library/Caches/ms-playwright",
    "win32": "~/AppData/Local/ms-playwright",
}
_DOWNLOADED: Final = (
    "chromium_headless_shell-*/*/headless_shell*",
    "chromium_headless_shell-*/*/chrome-headless-shell*",
    "chromium-*/*/chrome",
    "chromium-*/*/chrome.exe",
    "chromium-*/*/Chromium.app/Contents/MacOS/Chromium",
)


def find_browser(chosen: str | None = None) -> str:
    """
    Path of the browser: *chosen*, else the first that is installed.

    WebProviderError if there is none that can be run, or nothing to drive it with.
    """
    if find_spec("playwright") is None:
        raise WebProviderError(
            "The package playwright is not installed",
            detail_code="browser_driver_missing",
        )
    if chosen:
        if program := shutil.which(os.path.expanduser(chosen)):  # noqa: PTH111  `which` takes text
            return program
        raise WebProviderError(
            "CHROME_PATH names no program that can be run", detail_code="browser_path"
        )
    on_path = filter(None, map(shutil.which, _COMMANDS))
    others = (str(path) for path in _usual_places() if os.access(path, os.X_OK))
    if program := next(chain(on_path, others), None):
        return program
    raise WebProviderError(
        "No Chrome, Chromium or Edge is installed", detail_code="browser_missing"
    )


def missing_browser(chosen: str | None = None) -> SearchError | None:
    """The reason why no browser can be started; None if one is installed."""
    try:
        find_browser(chosen)
    except SearchError as error:
        return error
    return None


def _usual_places() -> Iterator[Path]:
    """Places of browsers that are on no search path."""
    if sys.platform == "darwin":
        for name in _BUNDLES:
            yield Path(f"/Applications/{name}.app/Contents/MacOS/{name}")
    if sys.platform == "win32":
        for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
            if folder := os.environ.get(variable):
                yield from (Path(folder) / program for program in _PROGRAMS)
    own = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or _DOWNLOADS.get(sys.platform)
    if own:
        folder_of_downloads = Path(own).expanduser()
        for pattern in _DOWNLOADED:
            yield from sorted(folder_of_downloads.glob(pattern), reverse=True)
