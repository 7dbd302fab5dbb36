"""The real page in a real browser, in a world where every other host hangs."""

import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import (
    TimeoutError as TooSlow,
)
from support.browser.app_process import ROOT
from support.browser.browser_fixtures import SharedPlaywright
from support.browser.chat_page import DESKTOP
from support.browser.pages import Pages, running_pages, tab
from support.markdown import HIDDEN_ADDRESSES
from support.waiting import PATIENCE, wait_until

from citations import Source, page_form

BYPASS = ROOT.parent / "shared" / "corpora" / "vercel-bypass"
A_PAGE = 40  # hostile documents; a longer page would be slow
OURS = "https://one.example/a?id=1"
SOURCES = {1: Source(1, "T", OURS)}
# What a table takes apart in its first row, or what only looks like one.
TABLES = (
    "|`a|www.evil.example`\n|-|-|\n",
    "|`|`www.evil.example\n|-|-|\n",
    "|``a|b``|`c`www.evil.example|\n|-|-|-|\n",
    "|<b title='|www.evil.example'>|\n|-|-|\n",
    "|[a|www.evil.example](https://one.example/a?id=1)|\n|-|-|\n",
    ">|`\n|-|-|\nwww.evil.example`",
    "```a@evil.example|\n|-|\n```",
)
BLOCKS = ("x {} y", "{}", "# {}", "> - {}", "|{}|b|\n|-|-|\n|{}|c|", "<p>\n{}\n</p>")
# Chromium asks these for updates and the like, whatever page is open.
CHROMIUMS_OWN = [
    "accounts.google.com",
    "clients2.google.com",
    "content-autofill.googleapis.com",
    "optimizationguide-pa.googleapis.com",
    "redirector.gvt1.com",
    "safebrowsingohttpgateway.googleapis.com",
    "update.googleapis.com",
]


@dataclass
class Elsewhere:
    """Every other host: takes connections, and never answers."""

    port: int
    taken: list[socket.socket] = field(default_factory=list)

    @property
    def asked(self) -> list[bytes]:
        """The first message, which names the host."""
        for connection in self.taken:
            connection.settimeout(PATIENCE)
        return [connection.recv(2000, socket.MSG_PEEK) for connection in self.taken]


@contextmanager
def elsewhere() -> Iterator[Elsewhere]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        world = Elsewhere(listener.getsockname()[1])

        def take() -> None:
            with suppress(OSError):  # closed
                while True:
                    world.taken.append(listener.accept()[0])

        threading.Thread(target=take, daemon=True).start()
        yield world
        listener.shutdown(socket.SHUT_RDWR)
        for connection in world.taken:
            connection.close()


@pytest.fixture(scope="module")
def world() -> Iterator[Elsewhere]:
    with elsewhere() as opened:
        yield opened


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    with running_pages(tmp_path_factory.mktemp("pages")) as running:
        (running.folder / "plain.md").write_text("Hello **world**")
        yield running


@pytest.fixture(scope="module")
def chromium(
    shared_playwright: SharedPlaywright, world: Elsewhere
) -> Iterator[Browser]:
    """A Chromium of its own, which finds every other host in *world*."""
    rules = [f"MAP {host} ~NOTFOUND" for host in CHROMIUMS_OWN]
    rules += [f"MAP * 127.0.0.1:{world.port}", "EXCLUDE 127.0.0.1"]
    with shared_playwright.chromium(",".join(rules)) as started:
        yield started


@pytest.fixture
def page(browser: Browser, pages: Pages) -> Iterator[Page]:
    with tab(browser, pages, viewport=DESKTOP) as opened:
        yield opened


def ask(page: Page, words: str) -> None:
    expect(page.locator("#mode-picker-trigger-how")).to_be_visible()
    page.locator("#chat-input").fill(words)
    page.locator("#chat-submit").click()


def answered(page: Page) -> None:
    expect(page.get_by_text("done", exact=True)).to_be_visible()


@pytest.mark.journey
def test_usable(browser: Browser, pages: Pages, world: Elsewhere) -> None:
    """The page takes questions while every other host hangs."""
    page = browser.new_page()
    complaints: list[str] = []
    page.on("console", lambda m: complaints.append(m.text))

    page.goto(pages.url, wait_until="commit")
    expect(page.locator("#mode-picker-trigger-how")).to_be_visible()
    ask(page, "show plain.md")
    expect(page.locator(".message-content strong, .font-bold").last).to_be_visible()
    answered(page)
    page.locator("#chat-settings-header-button, #chat-settings-open-modal").click()
    expect(page.locator("#confirm-sidebar, #confirm")).to_be_visible()

    assert [c for c in complaints if "Content Security Policy" in c] == []
    assert world.asked == []
    page.close()


@pytest.mark.spec("N1")
@pytest.mark.parametrize(
    ("way", "every"),
    [
        ("show", 4),
        pytest.param("stream", 1, marks=pytest.mark.slow),
    ],
)
@pytest.mark.journey
def test_hostile(
    browser: Browser, pages: Pages, world: Elsewhere, way: str, every: int
) -> None:
    """Answers made to load or run something ask no other host, open no dialog."""
    if not BYPASS.is_dir():
        pytest.skip("the documents of markdown-sanitizers are not on this machine")
    documents = sorted(BYPASS.glob("*.md"))[::every]
    tabs = -(-len(documents) // A_PAGE)
    for number, document in enumerate(documents):
        name = f"bypass-{every}-{number % tabs}-{document.name}"
        shutil.copy(document, pages.folder / name)
    dialogs: list[str] = []
    shown = 0

    for number in range(tabs):
        with tab(browser, pages, viewport=DESKTOP) as page:
            page.on("dialog", lambda d: (dialogs.append(d.message), d.dismiss()))
            ask(page, f"{way} bypass-{every}-{number}-*.md")
            answered(page)
            page.wait_for_timeout(500)
            shown += page.locator('[data-step-type="assistant_message"]').count()

    assert shown == len(documents) + tabs  # each page says in the end that it is done
    assert dialogs == []
    assert world.asked == []


@pytest.mark.spec("N5")
@pytest.mark.journey
def test_links(page: Page, pages: Pages) -> None:
    """However an address is written, only those of the registry become links."""
    answers = [b.replace("{}", words) for b in BLOCKS for words in HIDDEN_ADDRESSES]
    shown = page_form("\n\n".join(["[1]", *answers, *TABLES]), SOURCES)
    (pages.folder / "hidden.md").write_text(shown, "utf-8")

    ask(page, "show hidden.md")
    answered(page)
    links = page.locator(".message-content a[href]")
    found = links.evaluate_all("e => e.map(x => x.getAttribute('href'))")

    assert "evil.example" in page.locator(".message-content").nth(1).inner_text()
    assert set(found) == {OURS}


@pytest.mark.journey
def test_elsewhere(browser: Browser, world: Elsewhere) -> None:
    """The two tests above would have seen a request: another host is heard."""
    page = browser.new_page()

    with pytest.raises(TooSlow):
        page.goto("http://other.example/", wait_until="commit", timeout=1_000)

    wait_until(lambda: any(b"other.example" in r for r in world.asked), "a request")
