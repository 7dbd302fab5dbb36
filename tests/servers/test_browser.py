"""One browser a process: started, shared, crashed, idle and ended."""

import asyncio
import os
import signal
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.browser_processes import browser_processes, browsers, environment_of
from support.loopback import Answer, Loopback, Raw, Request, served
from support.pages_web import HTML
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
    if request.path == "/cookie":
        return Answer(ROWS, 200, {**HTML, "Set-Cookie": "who=me; Path=/"})
    return Answer(LATE, 200, HTML)


@pytest.fixture
def web() -> Iterator[Loopback]:
    with served(pages) as server:
        yield server


@pytest.fixture(scope="module")
def shared() -> Iterator[Browser]:
    """A browser for the tests that leave it running."""
    browser = Browser(start_seconds=PATIENCE)
    yield browser
    browser.close()


@pytest.fixture
def own() -> Iterator[Browser]:
    """A browser for the tests that end it."""
    browser = Browser(start_seconds=PATIENCE)
    yield browser
    browser.close()


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


def test_from_a_thread(shared: Browser, web: Loopback) -> None:
    """Callers on other loops and threads share the one browser."""
    found = [asyncio.run(visit(shared, web.url)) for _ in range(2)]

    assert all("Title 9" in one.html for one in found)


async def test_cookies_of_a_session(shared: Browser, web: Loopback) -> None:
    """Searches of one conversation share cookies, those of another never see them."""
    for session in ("a", "b", None):
        await visit(shared, f"{web.url}/cookie", session)
    asked = len(web.requests)
    for session in ("a", "c", None):
        await visit(shared, f"{web.url}/", session)

    kept = [r.headers.get("cookie") for r in web.requests[asked:] if r.path == "/"]
    assert kept == ["who=me", None, None]


async def test_many_at_once(shared: Browser, web: Loopback) -> None:
    """Eight searches of four conversations are answered by one browser."""
    found = await asyncio.gather(
        *(visit(shared, web.url, f"session {n % 4}") for n in range(8))
    )

    assert all("Title 9" in one.html for one in found)


async def test_slow_page(shared: Browser, web: Loopback) -> None:
    """A page that never ends is a timeout, and the next page comes."""
    error = await failure(shared, f"{web.url}/never", seconds=1.0)

    assert error.code == "Timeout"
    assert "1 s" in str(error)
    assert "Title 9" in (await visit(shared, web.url)).html


async def test_cancelled(shared: Browser, web: Loopback) -> None:
    """A cancelled search closes its page."""
    visiting = asyncio.create_task(visit(shared, f"{web.url}/never"))
    await until(lambda: web.requests, "a request")
    before = web.writing
    visiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await visiting

    await until(lambda: web.writing < before, "the end of a page")


async def test_crash(own: Browser, web: Loopback) -> None:
    """A browser that dies in the middle is an error, and starts again."""
    others = browsers()
    visiting = asyncio.create_task(failure(own, f"{web.url}/never"))
    await until(lambda: web.requests, "a request")
    os.kill(next(pid for pid in browsers() if pid not in others), signal.SIGKILL)

    assert (await visiting).detail_code == "browser_crashed"
    assert "Title 9" in (await visit(own, web.url)).html


@pytest.mark.parametrize("ending", ["close", "session", "idle"])
async def test_end(web: Loopback, ending: str) -> None:
    """The browser ends with the program, the last session, or after a while."""
    others = set(browser_processes())
    browser = Browser(start_seconds=PATIENCE, idle_seconds=0.5)
    await visit(browser, web.url, "a")
    if ending == "close":
        await browser.aclose()
    elif ending == "session":
        await browser.end_session("a")

    await until(lambda: set(browser_processes()) <= others, "the end of the browser")
    assert "Title 9" in (await visit(browser, web.url)).html
    await browser.aclose()


async def test_nothing_before_the_first_page() -> None:
    """A browser that is never used starts no thread and imports no driver."""
    before = threading.active_count()
    browser = Browser()
    await browser.end_session("a")
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


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
