"""A page without a line to its server says so, and what to do."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect
from support.browser.app_process import App, ended, folder_with, wait_until_ready
from support.browser.chat_page import Chat, Product, fresh_context
from support.browser.pages import Pages, start
from support.model.model_server import model_server, says
from support.servers.loopback import served
from support.servers.ports import free_port
from support.servers.searxng_pages import healthy

pytestmark = pytest.mark.spec("N2")

LONGER_THAN_THE_WAIT = 10_500


def test_lost(browser: Browser, tmp_path: Path) -> None:
    """A server that ended is told after ten seconds, until it is there again."""
    pages = Pages(f"http://127.0.0.1:{free_port()}", tmp_path / "log", tmp_path / "a")
    pages.folder.mkdir()
    with fresh_context(browser) as context:
        page = context.new_page()
        page.clock.install()
        process = start(tmp_path, pages)
        with ended(process):
            wait_until_ready(pages.url, process, lambda: pages.log)
            page.goto(pages.url)
            expect(page.locator("#mode-picker-trigger-how")).to_be_visible()
            page.clock.fast_forward(LONGER_THAN_THE_WAIT)
            expect(page.locator("#ws-line")).to_be_hidden()
        page.wait_for_timeout(500)  # the page learns that its socket is closed
        page.clock.fast_forward(LONGER_THAN_THE_WAIT)
        expect(page.get_by_role("alert")).to_have_count(1)
        expect(page.get_by_role("alert")).to_be_visible()

        process = start(tmp_path, pages)
        with ended(process):
            wait_until_ready(pages.url, process, lambda: pages.log)
            page.clock.fast_forward(30_000)
            expect(page.locator("#ws-line")).to_be_hidden()


def test_never(browser: Browser, tmp_path: Path) -> None:
    """Cookies too large for a socket's request leave no dead page without a word."""
    pages = Pages(f"http://127.0.0.1:{free_port()}", tmp_path / "log", tmp_path / "a")
    pages.folder.mkdir()
    process = start(tmp_path, pages)
    with ended(process), fresh_context(browser) as context:
        wait_until_ready(pages.url, process, lambda: pages.log)
        context.add_cookies(
            [
                {"name": f"other-{n}", "value": "x" * 3_900, "url": pages.url}
                for n in range(3)
            ]
        )
        page = context.new_page()
        page.clock.install()
        page.goto(pages.url)
        expect(page.locator("#chat-input")).to_be_visible()
        page.wait_for_timeout(500)
        page.clock.fast_forward(LONGER_THAN_THE_WAIT)

        expect(page.get_by_role("alert")).to_contain_text("Cookie")


def started(folder: Path, app: App, settings: Mapping[str, str]) -> subprocess.Popen:
    """The product on the port of *app*, without `make` around it."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME")}
    script = Path(sys.executable).with_name("chainlit")
    port = app.url.rpartition(":")[2]
    with app.output.open("ab") as output:
        process = subprocess.Popen(
            [script, "run", "app.py", "--headless", "--port", port],
            cwd=folder,
            env=kept | dict(settings),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    wait_until_ready(app.url, process, lambda: app.log)
    return process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_restart(browser: Browser, tmp_path: Path, number: signal.Signals) -> None:
    """A server that ends closes its answers first; after its restart the page says
    that it knows nothing of them, and goes on."""
    app = App(f"http://127.0.0.1:{free_port()}", tmp_path / "log")
    with model_server() as model, served(healthy) as search, folder_with({}) as folder:
        settings = {
            "SEARXNG_BASE_URL": search.url,
            "OPENAI_BASE_URL": model.base_url,
            "OPENAI_MODEL": "scripted",
            "WEB_FETCH_ENABLED": "false",
        }
        model.brain = says(*["字"] * 2_000, delay=0.02)
        process = started(folder, app, settings)
        with ended(process), fresh_context(browser) as context:
            tab = Chat(context.new_page(), Product(app, model, search))
            tab.send("写长一点")
            expect(tab.last).to_contain_text("字字")

            process.send_signal(number)

            expect(tab.last).to_contain_text("已停止生成")
            assert process.wait(timeout=60) == 0
            assert "Traceback" not in app.log
            again = started(folder, app, settings)
            with ended(again):
                expect(tab.page.get_by_role("alert")).to_contain_text("已不记得")
                model.brain = says("新的答案。")
                tab.ask("再问一次", "新的答案")
                expect(tab.messages.first).to_contain_text("写长一点")
                tab.page.get_by_role("alert").get_by_role("button").click()
                expect(tab.page.locator("#ws-line")).to_be_hidden()


def test_end_beside_a_silent_peer(tmp_path: Path) -> None:
    """A peer that reads nothing of a large file does not hold up the end."""
    app = App(f"http://127.0.0.1:{free_port()}", tmp_path / "log")
    with folder_with({}) as folder:
        process = started(folder, app, {"WEB_SEARCH_BACKEND": "stub"})
        with ended(process), socket.socket() as peer:
            script = re.findall(r'src="(/assets/[^"]+\.js)"', httpx.get(app.url).text)
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            peer.connect(("127.0.0.1", int(app.url.rpartition(":")[2])))
            head = f"GET {script[0]} HTTP/1.1\r\nHost: localhost\r\n\r\n"
            peer.sendall(head.encode())
            assert peer.recv(100)

            process.send_signal(signal.SIGTERM)

            assert process.wait(timeout=60) == 0
