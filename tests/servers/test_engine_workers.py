"""Pages of results are parsed in the worker processes that also read pages."""

import asyncio
from collections.abc import Iterator
from functools import partialmethod

import pytest
from support.pages.worker_processes import gone, needs_proc, until_busy, worker_ids
from support.search.engine_pages import ddg_page, ddg_row, html
from support.servers.loopback import Answer, Loopback, Request, served
from support.waiting import wait_until

from websearch import Processes, SearchService, create_reader, create_service
from websearch.config import Settings
from websearch.engines import DuckDuckGo

pytestmark = needs_proc

RESULTS = ddg_page(*(ddg_row(n) for n in range(1, 11)))
ENDLESS = RESULTS.replace("</body>", "<div>" * 180_000)
PAGE = "<title>Tower</title><body><p>The tower is 62 metres high.</p>"


def answer(request: Request) -> Answer:
    return html({"/page": PAGE, "/results": RESULTS, "/endless": ENDLESS}[request.path])


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    with served(answer) as server:
        monkeypatch.setenv("WEB_FETCH_ALLOWED_HOSTS", f"127.0.0.1:{server.port}")
        yield server


def service_at(
    url: str, monkeypatch: pytest.MonkeyPatch, processes: Processes | None = None
) -> SearchService:
    here = partialmethod(DuckDuckGo.__init__, url=url)
    monkeypatch.setattr(DuckDuckGo, "__init__", here)
    settings = Settings(WEB_SEARCH_TIMEOUT_MS=60_000)
    return create_service(settings, backend="ddg_html", processes=processes)


async def test_one_set(web: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine and the reader take the same process in turn."""
    processes = Processes()
    service = service_at(f"{web.url}/results", monkeypatch, processes)
    reader = create_reader(processes=processes)

    found = [len((await service.asearch("q")).items)]
    page = await reader.aread(f"{web.url}/page")
    used = worker_ids()
    await service.aclose()
    await reader.aclose()

    assert found == [10]
    assert "62 metres" in page.text
    assert len(used) == 1
    assert worker_ids() == []


async def test_closed_service(web: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that closes its workers leaves a reader that shares them at work."""
    processes = Processes()
    reader = create_reader(processes=processes)
    async with service_at(f"{web.url}/results", monkeypatch, processes) as service:
        await service.asearch("q")

    assert "62 metres" in (await reader.aread(f"{web.url}/page")).text
    await reader.aclose()


async def test_cancelled_search(web: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that is cancelled while its page is parsed leaves no process behind."""
    async with service_at(f"{web.url}/endless", monkeypatch) as service:
        searching = asyncio.create_task(service.asearch("q"))
        await asyncio.to_thread(wait_until, worker_ids, "a worker")
        (pid,) = worker_ids()
        await until_busy(pid)
        searching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await searching

        assert await gone(pid)


async def test_open_loop(web: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """The event loop goes on while a page is parsed."""
    async with service_at(f"{web.url}/endless", monkeypatch) as service:
        searching = asyncio.create_task(service.asearch("q"))
        turns = 0
        while not searching.done():
            await asyncio.sleep(0.01)
            turns += 1
        assert searching.exception() is not None

    assert turns > 20  # of more than 100 while the parser is busy
