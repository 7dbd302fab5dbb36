"""One browser a process: started, shared, crashed, idle and ended."""

import asyncio
import os
import signal
import stat
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from support.browser.browser_processes import (
    browser_processes,
    browsers,
    environment_of,
    running,
)
from support.pages.pages_web import HTML
from support.servers.loopback import Answer, Loopback, Raw, Request, served, serving
from support.waiting import PATIENCE, wait_until

from websearch.browser.browser import Browser
from websearch.browser.visit import Rendered, Visit, until_results
from websearch.errors import SearchError

ROWS = "".join(f'<a href="/{n}"><h3>Title {n}</h3></a>' for n in range(10))
# The results come a moment after the page, as scripts write them.
LATE = (
    f"<body><script>setTimeout(() => document.body.innerHTML = `{ROWS}`, 80)</script>"
)
RESULTS = "a h3"


def never() -> Iterator[bytes | float]:
    """A page that begins and never ends."""
    yield b"HTTP/1.1 200 X\r\nContent-Type: text/html\r\n\r\n<body><p>wait"
    while True:  # writing, so that the server notices when the page is closed
        yield 0.05
        yield b"."


def pages(request: Request) -> Answer | Raw:
    if request.path == "/never":
        return never
    return Answer(LATE, 200, HTML)


web = serving(pages)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared() -> AsyncIterator[Browser]:
    """A browser for the tests that leave it running."""
    browser = Browser(start_seconds=PATIENCE)
    yield browser
    await browser.aclose()


@pytest_asyncio.fixture(loop_scope="module")
async def own() -> AsyncIterator[Browser]:
    """A browser for the tests that end it."""
    browser = Browser(start_seconds=PATIENCE)
    yield browser
    await browser.aclose()


async def visit(
    browser: Browser, url: str, session: str | None = None, seconds: float = PATIENCE
) -> Rendered:
    wait = until_results(RESULTS, "#captcha-form")
    return await browser.visit(
        Visit(url=url, wait=wait, seconds=seconds, session=session)
    )


async def until(holds: Callable[[], object], what: str) -> None:
    await asyncio.to_thread(wait_until, holds, what)


async def failure(browser: Browser, url: str, seconds: float = PATIENCE) -> SearchError:
    with pytest.raises(SearchError) as caught:
        await visit(browser, url, seconds=seconds)
    return caught.value


async def test_late_results(shared: Browser, web: Loopback) -> None:
    """Results that scripts write are waited for."""
    found = await visit(shared, web.url)

    assert found.status == 200
    assert found.html.count("<h3>") == 10


@pytest.mark.spec("K3")
async def test_loops_that_end(web: Loopback) -> None:
    """A loop that ends without closing the browser leaves none of its processes."""
    others, browser = running(), Browser(start_seconds=PATIENCE)
    found = [
        await asyncio.to_thread(asyncio.run, visit(browser, web.url)) for _ in range(2)
    ]

    assert all("Title 9" in page.html for page in found)
    assert running() <= others


def contexts(browser: Browser) -> int:
    """Contexts that the browser holds, each with cookies of its own."""
    (chrome,) = browser._chromes._made.values()
    assert chrome._browser
    return len(chrome._browser.contexts)


@pytest.mark.slow
async def test_two_first_searches_at_once(own: Browser, web: Loopback) -> None:
    """They share one context, and nothing of it is left after the session."""
    await visit(own, web.url, "other")
    await asyncio.gather(*(visit(own, web.url, "new") for _ in range(3)))
    assert contexts(own) == 2

    await own.end_session("new")
    assert contexts(own) == 1


@pytest.mark.slow
async def test_cancelled_at_any_moment(own: Browser, web: Loopback) -> None:
    """A visit that is cancelled while it opens its page leaves no context."""
    await visit(own, web.url, "other")
    for milliseconds in (*range(0, 80, 4), 120, 180, 240):
        visiting = asyncio.create_task(visit(own, f"{web.url}/never"))
        await asyncio.sleep(milliseconds / 1000)
        visiting.cancel()
        await asyncio.gather(visiting, return_exceptions=True)

    await until(lambda: contexts(own) == 1, "the end of the cancelled pages")


@pytest.mark.slow
async def test_strangers_leave_room(shared: Browser, web: Loopback) -> None:
    """Pages of strangers that never end do not delay a search."""
    wait = until_results(RESULTS, "#captcha-form")
    strange = Visit(
        url=f"{web.url}/never", wait=wait, seconds=PATIENCE, most_requests=9
    )
    pages = [asyncio.create_task(shared.visit(strange)) for _ in range(6)]
    await until(lambda: web.writing == 2, "two pages of strangers")

    assert "Title 9" in (await visit(shared, web.url)).html
    for page in pages:
        page.cancel()
    await asyncio.gather(*pages, return_exceptions=True)


@pytest.mark.parametrize("moment", ["start", "visit"])
async def test_closed_meanwhile(web: Loopback, moment: str) -> None:
    """A browser closed in its start or in a visit ends that with an error, and leaves
    no process."""
    others, browser = running(), Browser(start_seconds=PATIENCE)
    visiting = asyncio.create_task(failure(browser, f"{web.url}/never"))
    if moment == "start":
        await until(lambda: not running() <= others, "a process of the browser")
    else:
        await until(lambda: web.requests, "a request")
    await browser.aclose()

    assert (await visiting).detail_code == "browser_crashed"
    await until(lambda: running() <= others, "the end of the browser")


async def test_download(shared: Browser) -> None:
    """A file in place of a page is told as such, and the browser runs on."""
    file = Answer(b"PK", 200, {"Content-Type": "application/zip"})
    with served(lambda _: file) as server:
        assert (await failure(shared, server.url)).detail_code == "page_unreadable"
    assert shared.is_running


async def test_slow_page(shared: Browser, web: Loopback) -> None:
    """A page that never ends is a timeout, and the next page comes."""
    error = await failure(shared, f"{web.url}/never", seconds=1.0)

    assert error.code == "Timeout"
    assert "1 s" in str(error)
    assert "Title 9" in (await visit(shared, web.url)).html


async def test_crash(own: Browser, web: Loopback) -> None:
    """A browser that dies in the middle is an error, and starts again."""
    others = browsers()
    visiting = asyncio.create_task(failure(own, f"{web.url}/never"))
    await until(lambda: web.requests, "a request")
    os.kill(next(pid for pid in browsers() if pid not in others), signal.SIGKILL)

    assert (await visiting).detail_code == "browser_crashed"
    assert "Title 9" in (await visit(own, web.url)).html


@pytest.mark.slow
async def test_driver_that_ends(own: Browser, web: Loopback) -> None:
    """A dead driver fails the search, and the next search starts another driver."""
    others = set(browser_processes())
    await visit(own, web.url)
    drivers = set(browser_processes()) - others - set(browsers())
    for driver in drivers:
        os.kill(driver, signal.SIGKILL)

    assert (await failure(own, web.url)).detail_code == "browser_crashed"
    assert "Title 9" in (await visit(own, web.url)).html


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["close", "session", "idle"])
async def test_end(web: Loopback, ending: str) -> None:
    """The browser ends with the program, the last session, or after a while."""
    others = running()
    browser = Browser(start_seconds=PATIENCE, idle_seconds=0.5)
    await visit(browser, web.url, "a")
    if ending == "close":
        await browser.aclose()
    elif ending == "session":
        await browser.end_session("a")

    await until(lambda: running() <= others, "the end of the browser")
    assert "Title 9" in (await visit(browser, web.url)).html
    await browser.aclose()


async def test_nothing_before_the_first_page() -> None:
    """A browser that is never used, or not installed, starts no thread."""
    before = threading.active_count()
    browser = Browser("/nowhere")
    await browser.end_session("a")
    await failure(browser, "http://127.0.0.1:1/")
    await browser.aclose()

    assert threading.active_count() == before


@pytest.mark.parametrize(
    ("program", "code"),
    [
        (None, "browser_path"),
        ("not executable", "browser_path"),
        ("#!/bin/sh\nexit 1\n", "browser_failed"),
        ("#!/bin/sh\necho Chromium 41; sleep 0.1\n", "browser_failed"),
    ],
    ids=["no file", "no permission", "broken", "old"],
)
async def test_wrong_browser(tmp_path: Path, program: str | None, code: str) -> None:
    """A wrong CHROME_PATH and a browser that does not start are told apart."""
    path = tmp_path / "chrome"
    if program:
        path.write_text(program)
        if program.startswith("#!"):
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
    browser = Browser(str(path), start_seconds=PATIENCE)

    error = await failure(browser, "http://127.0.0.1:1/")
    await browser.aclose()

    assert error.detail_code == code
    assert str(tmp_path) not in str(error)


@pytest.mark.slow
async def test_silent_browser(tmp_path: Path) -> None:
    """A browser that starts and says nothing is given up after its own limit."""
    path = tmp_path / "chrome"
    path.write_text("#!/bin/sh\nexec sleep 60\n")
    path.chmod(0o700)
    browser = Browser(str(path), start_seconds=0.5)

    error = await failure(browser, "http://127.0.0.1:1/")
    await browser.aclose()

    assert error.detail_code == "browser_slow"


async def test_unreachable(shared: Browser) -> None:
    """A server that can't be reached is a failure of the network."""
    assert (await failure(shared, "http://127.0.0.1:1/")).code == "NetworkError"


async def test_keys_stay_here(
    own: Browser, web: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser's processes get no key of the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    await visit(own, web.url)

    assert browsers()
    assert not [pid for pid in browsers() if "sk-canary" in environment_of(pid)]


pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),  # that of the browser
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]
