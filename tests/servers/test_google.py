"""Google through a real browser, at an imitation of Google on loopback."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio
from support.pages.pages_web import HTML
from support.search.google_pages import (
    CAPTCHA,
    NEEDS_SCRIPTS,
    UNUSUAL_TRAFFIC,
    google_page,
    row_2026,
)
from support.servers.loopback import Answer, Loopback, Raw, Request, held_back, served
from support.servers.proxy import proxying
from support.waiting import PATIENCE

from websearch import Processes, SearchService, create_service
from websearch.browser.browser import Browser
from websearch.config import Settings
from websearch.engines import Google
from websearch.errors import SearchError, Timeout, WebBlocked

ROWS = [row_2026(n) for n in range(1, 12)]
PAGE = google_page(*ROWS)
Script = Callable[[Request], Answer | Raw]


pytestmark = pytest.mark.asyncio(loop_scope="module")  # that of the browser


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def processes() -> AsyncIterator[Processes]:
    """One browser for all tests; a service that is closed would end it."""
    shared = Processes(browser=Browser(start_seconds=PATIENCE))
    yield shared
    await shared.browser.aclose()


@pytest.fixture
def at(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., SearchService]:
    """Make services that ask the server in place of Google."""

    def make(
        server: Loopback, backend: str | None = "google", **settings: object
    ) -> SearchService:
        monkeypatch.setattr(Google, "url", f"{server.url}/search")
        known = Settings.model_validate({"WEB_SEARCH_TIMEOUT_MS": 60_000, **settings})
        return create_service(known, backend=backend, processes=processes)

    return make


def html(page: str, status: int = 200, **headers: str) -> Answer:
    return Answer(page, status, {**HTML, **headers})


def scripted(page: str, milliseconds: int) -> Answer:
    """The page, written by a script a while after it was loaded."""
    text = page.replace("\\", "\\\\").replace("`", "\\`").replace("</", "<\\/")
    return html(
        f"<script>setTimeout(() => document.write(`{text}`), {milliseconds})</script>"
    )


async def failure(searching: SearchService) -> SearchError:
    with pytest.raises(SearchError) as caught:
        await searching.asearch("weather")
    assert caught.value.provider == "google"
    return caught.value


@pytest.mark.spec("K1")
@pytest.mark.parametrize("milliseconds", [None, 80, 700])
async def test_results(
    at: Callable[..., SearchService], milliseconds: int | None
) -> None:
    """Ten results with title, address and snippet, also where scripts write them."""
    answer = scripted(PAGE, milliseconds) if milliseconds else html(PAGE)
    with served(lambda _: answer) as server:
        found = await at(server).asearch("北京 天气")
        asked = server.requests[0].params

    assert [item.rank for item in found.items] == list(range(1, 11))
    assert found.items[0].title == "Title 1"
    assert found.items[0].url.startswith("https://site1.example.org/")
    assert all(item.snippet for item in found.items)
    assert asked["q"] == "北京 天气"


@pytest.mark.parametrize(
    ("page", "status", "code"),
    [
        (CAPTCHA, 200, "captcha_required"),
        (NEEDS_SCRIPTS, 200, "js_required"),
        ("<p>no", 429, "http_429"),
    ],
)
@pytest.mark.spec("K2")
async def test_blocks(
    at: Callable[..., SearchService], page: str, status: int, code: str
) -> None:
    """Each block has its name, is asked once, and the engine cools down."""
    with served(lambda _: html(page, status)) as server:
        searching = at(server)
        first = await failure(searching)
        asked = len(server.requests)
        second = await failure(searching)

        assert len([r for r in server.requests if r.path == "/search"]) == 1
        assert len(server.requests) == asked
    assert isinstance(first, WebBlocked)
    assert (first.detail_code, second.detail_code) == (code, code)
    assert "cools down" in str(second)


async def test_led_to_a_block(at: Callable[..., SearchService]) -> None:
    """A redirect to the page of a block is followed, and known by its address."""

    def answer(request: Request) -> Answer:
        if request.path == "/search":
            return html("", 302, Location="/sorry/index?continue=x")
        return html(UNUSUAL_TRAFFIC, 503)

    with served(answer) as server:
        assert (await failure(at(server))).detail_code == "captcha_required"


@pytest.mark.spec("J5")
async def test_slow(at: Callable[..., SearchService]) -> None:
    """A page that never comes is a timeout that names the limit."""
    with served(lambda _: held_back(html(PAGE), threading.Event())) as server:
        service = at(server, WEB_SEARCH_TIMEOUT_MS=2_000)
        error = await failure(service)

    assert isinstance(error, Timeout)
    assert "2 s" in str(error)


@pytest.mark.slow
async def test_many_at_once(at: Callable[..., SearchService]) -> None:
    """Eight searches of four conversations are answered side by side."""
    with served(lambda _: html(PAGE)) as server:
        service = at(server, WEB_SEARCH_SCRAPES_PER_MINUTE=600)
        sessions = [service.for_session(f"s{n % 4}") for n in range(8)]
        found = await asyncio.gather(
            *(one.asearch(f"weather {n}") for n, one in enumerate(sessions))
        )

    assert [len(one.items) for one in found] == [10] * 8


async def test_cookies_of_a_conversation(at: Callable[..., SearchService]) -> None:
    """A consent that Google keeps in a cookie lasts for one conversation only."""
    with served(lambda _: html(PAGE, **{"Set-Cookie": "NID=1"})) as server:
        service = at(server)
        for session in ("a", "a", "b"):
            await service.for_session(session).asearch("weather")
        searches = [r for r in server.requests if r.path == "/search"]

    assert ["cookie" in r.headers for r in searches] == [False, True, False]


async def test_in_a_chain(at: Callable[..., SearchService]) -> None:
    """The next engine of the chain answers if Google blocks."""
    chain = {"WEB_SEARCH_BACKEND": "google", "WEB_SEARCH_FALLBACK": "stub"}
    with served(lambda _: html(CAPTCHA)) as server:
        found = await at(server, None, **chain).asearch("weather")

    assert found.provider == "stub"
    assert [error.detail_code for error in found.errors] == ["captcha_required"]


@pytest.mark.slow
async def test_refusing_proxy(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy that refuses is told as such, with its address."""
    with proxying({}) as proxy:
        monkeypatch.setattr(Google, "url", "https://www.google.example/search")
        known = Settings.model_validate(
            {"WEB_FETCH_PROXY": proxy.url, "WEB_SEARCH_TIMEOUT_MS": 60_000}
        )
        service = create_service(known, backend="google", processes=processes)
        error = await failure(service)

    assert error.detail_code == "proxy_refuses"
    assert error.facts["proxy"] == proxy.url
