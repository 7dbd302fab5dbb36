"""The browser's processes never outlive the program that started them."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from support.browser.browser_processes import browser_processes
from support.command import run_code
from support.pages.pages_web import HTML
from support.pages.worker_processes import is_running, needs_proc
from support.paths import ROOT
from support.search.google_pages import google_page, row_2026
from support.servers.loopback import Answer, Loopback, Request, served
from support.waiting import wait_until

pytestmark = [pytest.mark.slow, needs_proc]

KILLS = 20
# Searches forever; the test kills it in the middle of one.
PROGRAM = """
import asyncio, sys
from websearch import Processes, SearchError, create_service
from websearch.browser.browser import Browser
from websearch.config import Settings
from websearch.engines import Google

Google.url = sys.argv[1]
known = Settings.model_validate({"WEB_SEARCH_SCRAPES_PER_MINUTE": 600})
processes = Processes(browser=Browser(start_seconds=60))
service = create_service(known, backend="google", processes=processes)

async def main():
    while True:
        try:
            await service.asearch("weather")
        except SearchError as error:
            print(error.detail_code)

asyncio.run(main())
"""
PAGE = Answer(google_page(*(row_2026(n) for n in range(1, 11))), 200, HTML)


@pytest.fixture
def google() -> Iterator[Loopback]:
    """Google, whose pages take a moment: a search is always on its way."""

    def answer(_request: Request) -> Answer:
        time.sleep(0.05)
        return PAGE

    with served(answer) as server:
        yield server


@contextmanager
def started(google: Loopback, path: str) -> Iterator[subprocess.Popen[bytes]]:
    """The program, with its browser in mid-search."""
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, f"{google.url}{path}"], cwd=ROOT
    )
    try:
        wait_until(lambda: path in [r.path for r in google.requests], "a search")
        yield program
    finally:
        program.kill()
        program.wait()


@pytest.mark.spec("K3")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_killed(google: Loopback, how: signal.Signals) -> None:
    """Nothing of the browser is left however often Python is killed in mid-search."""
    left: set[int] = set()
    for number in range(KILLS if how is signal.SIGKILL else 1):
        with started(google, f"/search/{number}") as program:
            processes = browser_processes(program.pid)
            assert processes
            left |= set(processes)
            program.send_signal(how)
            program.wait()

    wait_until(lambda: not any(map(is_running, left)), "the end of all browsers")


def test_memory_comes_back(google: Loopback) -> None:
    """After the browser has ended nothing but its library stays in memory."""
    code = """
import asyncio, gc, sys
from pathlib import Path
from websearch.browser.browser import Browser
from websearch.browser.visit import Visit, until_results

def megabytes():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6

async def main():
    browser = Browser(start_seconds=60)
    wait, url = until_results("a h3", "#x"), sys.argv[1]
    sizes = []
    for _ in range(3):
        for n in range(4):
            visit = Visit(url=url, wait=wait, seconds=60, session=str(n % 4))
            await browser.visit(visit)
        await browser.aclose()
        sizes.append(megabytes())
    print(max(sizes[1:]) - sizes[0])

asyncio.run(main())
"""
    assert float(run_code(code, f"{google.url}/search")) < 10
