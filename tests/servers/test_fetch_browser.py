"""A page that is empty without scripts is read by the browser, if that is allowed."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from support.pages.pages_web import HTML, TOWER
from support.servers.loopback import Answer, Loopback, Request, serving
from support.waiting import PATIENCE

from websearch import PageReader, Processes, SearchError, create_reader
from websearch.browser.browser import Browser
from websearch.config import Settings

TEXT = "<p>The tower of the old town is 62 metres high.</p>" * 12
SHELL = (
    "<title>Tower</title><body><div id=root></div>"
    "<script>document.cookie = 'who=me'; fetch('/data').then((r) => r.text())"
    ".then((t) => document.getElementById('root').innerHTML = t)</script>"
)


def answer(request: Request) -> Answer:
    pages = {
        "/app": SHELL,
        "/data": f"<article>{TEXT}</article>",
        "/short": SHELL.replace("/data", "/line"),
        "/line": "<p>It is 62 metres high.</p>",
        "/hollow": SHELL.replace("/data", "/nothing"),
    }
    if request.path == "/tower":
        return TOWER
    return Answer(pages.get(request.path, ""), 200, HTML)


web = serving(answer)


@asynccontextmanager
async def reader_of(
    web: Loopback, browser: Browser | None, **settings: str
) -> AsyncIterator[PageReader]:
    known = {
        "WEB_FETCH_ALLOWED_HOSTS": f"127.0.0.1:{web.port}",
        "WEB_FETCH_TIMEOUT_MS": "60000",
        "WEB_FETCH_BROWSER": "true" if browser else "false",
        **settings,
    }
    processes = Processes(browser=browser or Browser())
    reader = create_reader(Settings.model_validate(known), processes=processes)
    yield reader
    await reader.aclose()
    await processes.browser.aclose()


async def failure(reader: PageReader, url: str) -> SearchError:
    with pytest.raises(SearchError) as caught:
        await reader.aread(url)
    return caught.value


async def test_rendered(web: Loopback) -> None:
    """The text that scripts write is read, and the browser starts for that alone."""
    browser = Browser(start_seconds=PATIENCE)
    async with reader_of(web, browser) as reader:
        plain = await reader.aread(f"{web.url}/tower")
        started_early = browser.is_running
        page = await reader.aread(f"{web.url}/app")

    assert "62 metres" in plain.text
    assert not started_early
    assert "62 metres" in page.text
    assert page.title == "Tower"


async def test_not_allowed(web: Loopback) -> None:
    """Without the setting such a page says that it needs a browser."""
    async with reader_of(web, None) as reader:
        assert (await failure(reader, f"{web.url}/app")).detail_code == "needs_browser"


async def test_no_browser(web: Loopback) -> None:
    """A missing browser is named as the reason."""
    browser = Browser("/nowhere/chrome")
    async with reader_of(web, browser) as reader:
        assert (await failure(reader, f"{web.url}/app")).detail_code == "browser_path"


@pytest.mark.slow
async def test_short(web: Loopback) -> None:
    """A rendered page with one line is that line, and an empty one is empty."""
    async with reader_of(web, Browser(start_seconds=PATIENCE)) as reader:
        page = await reader.aread(f"{web.url}/short")
        hollow = await failure(reader, f"{web.url}/hollow")

    assert page.text == "It is 62 metres high."
    assert hollow.detail_code == "empty_page"
