"""The browser is found where users have it."""

import stat
import sys
from pathlib import Path

import pytest

from websearch.browser import installed
from websearch.browser.installed import find_browser, missing_browser
from websearch.errors import SearchError


@pytest.fixture
def no_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any browser, and the folder of its search path."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "downloads"))
    return folder


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def failure(chosen: str | None = None) -> str | None:
    with pytest.raises(SearchError) as caught:
        find_browser(chosen)
    return caught.value.detail_code


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other places")
def test_none(no_browser: Path) -> None:
    """A machine without a browser says so."""
    assert failure() == "browser_missing"


def test_on_the_search_path(no_browser: Path) -> None:
    """The shell without windows comes before a whole browser."""
    chromium = program(no_browser / "chromium")
    assert find_browser() == str(chromium)

    shell = program(no_browser / "chromium-headless-shell")
    assert find_browser() == str(shell)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other places")
def test_downloaded(no_browser: Path) -> None:
    """The browser that `playwright install` downloads is found too."""
    downloads = no_browser.parent / "downloads"
    chrome = program(downloads / "chromium-1200" / "chrome-linux" / "chrome")

    assert find_browser() == str(chrome)


def test_chosen(no_browser: Path) -> None:
    """CHROME_PATH outranks what is installed, by path or by name."""
    program(no_browser / "chromium")
    own = program(no_browser.parent / "own chrome")
    named = program(no_browser / "my-chrome")

    assert find_browser(str(own)) == str(own)
    assert find_browser("my-chrome") == str(named)


@pytest.mark.parametrize("chosen", ["missing", "~/missing", "bin/text", "/"])
def test_wrong_choice(
    no_browser: Path, monkeypatch: pytest.MonkeyPatch, chosen: str
) -> None:
    """A CHROME_PATH that names no program is told, whatever else is installed."""
    program(no_browser / "chromium")
    (no_browser / "text").write_text("no program")
    monkeypatch.chdir(no_browser.parent)

    assert failure(chosen) == "browser_path"


def test_no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the optional package that is what is missing."""
    monkeypatch.setattr(installed, "find_spec", lambda _: None)

    assert failure() == "browser_driver_missing"
    assert missing_browser()
