"""`pages_app` as a process of its own, with the page's real settings and files."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect
from support.browser.app_process import App, ended, wait_until_ready
from support.browser.chat_page import fresh_context
from support.paths import ROOT
from support.servers.ports import free_port

SHIPPED = ("config.toml", "translations/zh-CN.json", "translations/en-US.json")


@dataclass(frozen=True, slots=True)
class Pages(App):
    """The app, and the folder of its answers."""

    folder: Path


@contextmanager
def tab(browser: Browser, pages: Pages, **options: Any) -> Iterator[Page]:
    """A page of *pages* that takes questions, without memory of another."""
    with fresh_context(browser, **options) as context:
        page = context.new_page()
        page.goto(pages.url)
        expect(page.locator("#mode-picker-trigger-how")).to_be_visible()
        yield page


@contextmanager
def running_pages(base: Path, *options: str, host: str = "") -> Iterator[Pages]:
    """The app on a free port; answers are read from the `answers` folder of *base*."""
    pages = Pages(f"http://127.0.0.1:{free_port()}", base / "log", base / "answers")
    pages.folder.mkdir(exist_ok=True)
    process = start(base, pages, "--host", host or "127.0.0.1", *options)
    with ended(process):
        wait_until_ready(pages.url, process, lambda: pages.log)
        yield pages


def start(base: Path, pages: Pages, *options: str) -> subprocess.Popen[bytes]:
    """Start the app in a root of its own, which holds what the project ships."""
    for name in SHIPPED:
        (base / ".chainlit" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / ".chainlit" / name, base / ".chainlit" / name)
    shutil.copytree(ROOT / "public", base / "public", dirs_exist_ok=True)
    script = Path(sys.executable).with_name("chainlit")
    app = Path(__file__).with_name("pages_app.py")
    port = pages.url.rpartition(":")[2]
    clean = {k: v for k, v in os.environ.items() if k in {"PATH", "HOME", "LANG"}}
    with pages.output.open("wb") as log:
        return subprocess.Popen(
            [script, "run", app, "--headless", "--port", port, *options],
            cwd=base,
            env=clean | {"PYTHONPATH": str(ROOT), "PAGES": str(pages.folder)},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
