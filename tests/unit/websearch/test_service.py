"""One search: inside its deadline, its errors named, its words in no log."""

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from support.search.engines import FakeEngine
from support.servers.loopback import Answer, Loopback, Raw, Request, served
from support.servers.searxng_pages import healthy, page, row

from websearch import (
    SearchError,
    SearchItem,
    SearchResponse,
    SearchService,
)
from websearch.config.address import BaseAddress
from websearch.engines import Searxng
from websearch.errors import NetworkError, Timeout, WebProviderError
from websearch.network.client import HttpClient

HEAD = b"HTTP/1.1 200 X\r\nContent-Type: application/json\r\n"


def service_for(server: Loopback, **options: Any) -> SearchService:
    return SearchService(
        Searxng(HttpClient(), BaseAddress.parse(server.url)), **options
    )


def drip() -> Iterator[bytes | float]:
    yield HEAD + b"\r\n"
    while True:
        yield b"0"
        yield 0.05


def drip_headers() -> Iterator[bytes | float]:
    yield b"HTTP/1.1 200 X\r\n"
    while True:
        yield b"X"
        yield 0.05


def silence() -> Iterator[bytes | float]:
    yield 30.0


@pytest.mark.spec("B3", "I7")
@pytest.mark.parametrize("way", ["search", "asearch"])
async def test_both_ways(way: str) -> None:
    """A search gives the same ranked answer from a thread and from an event loop."""
    with served(healthy) as server:
        service = service_for(server)
        if way == "search":
            response = await asyncio.to_thread(service.search, "q", max_results=3)
        else:
            response = await service.asearch("q", max_results=3)
            await service.aclose()
        await asyncio.to_thread(service.close)

    assert [item.rank for item in response.items] == [1, 2, 3]
    assert response.provider == "searxng"
    assert response.took_ms >= 0
    assert not response.cached
    assert response.request_id


@pytest.mark.spec("B4", "B9", "N6", "J5")
@pytest.mark.parametrize("script", [drip, drip_headers, silence])
@pytest.mark.parametrize("way", ["search", "asearch"])
async def test_deadline(script: Raw, way: str) -> None:
    """However slowly a server talks, the search ends at its limit and says so."""
    with served(lambda _: script) as server:
        service = service_for(server, timeout=0.3)
        with pytest.raises(Timeout, match=r"within 0\.3 s \(while") as caught:
            if way == "search":
                await asyncio.to_thread(service.search, "q")
            else:
                await service.asearch("q")
        await service.aclose()
        await asyncio.to_thread(service.close)

    assert caught.value.provider == "searxng"


@pytest.mark.spec("B4")
async def test_deadline_covers_the_retry() -> None:
    """A second try has no time of its own."""

    def busy(_: Request) -> Answer:
        return Answer("", 503, delay=0.25)

    with served(busy) as server:
        async with service_for(server, timeout=0.4) as service:
            with pytest.raises(Timeout):
                await service.asearch("q")


@pytest.mark.spec("H3")
@pytest.mark.parametrize(("asked", "given"), [(None, 5000), (80, 80), (90_000, 5000)])
async def test_budget(asked: int | None, given: int) -> None:
    """budget_ms can shorten the time of a search, never lengthen it."""
    backend = FakeEngine("e")

    await SearchService(backend).asearch("q", budget_ms=asked)

    assert backend.requests[0].budget_ms == given


@pytest.mark.spec("H8", "J5", "N3")
async def test_backend_bug(caplog: pytest.LogCaptureFixture) -> None:
    """A fault inside a backend is a named error without the foreign text."""
    service = SearchService(FakeEngine("e", RuntimeError("canary")))

    with pytest.raises(WebProviderError) as caught:
        await service.asearch("q")

    assert "RuntimeError" in str(caught.value)
    assert "canary" not in f"{caught.value}{caplog.text}"


async def test_cancelling() -> None:
    """A cancelled search stays cancelled: it is no time-out."""
    with served(lambda _: silence) as server:
        async with service_for(server) as service:
            task = asyncio.create_task(service.asearch("q"))
            await asyncio.sleep(0.1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task


@pytest.mark.spec("B5")
async def test_nothing_usable_beside_failures() -> None:
    """Failed engines without usable results are an error, no empty success."""
    items = [SearchItem("x", "javascript:1", "", "e")]
    failed = NetworkError("engines", detail_code="engines_failed")
    backend = FakeEngine("e", SearchResponse("q", "e", items, errors=[failed]))

    with pytest.raises(NetworkError):
        await SearchService(backend).asearch("q")


@pytest.mark.spec("N3", "B5")
@pytest.mark.parametrize("kind", ["found", "failed"])
async def test_log(caplog: pytest.LogCaptureFixture, kind: str) -> None:
    """The log tells outcome, count and time of a search, and never its words."""
    with served(healthy) as server:
        url = server.url if kind == "found" else "http://127.0.0.1:9"
        backend = Searxng(HttpClient(), BaseAddress(url))
        async with SearchService(backend) as service:
            with contextlib.suppress(SearchError):
                await service.asearch("canary words")

    expected = (
        "10 results from searxng" if kind == "found" else "NetworkError (refused)"
    )
    assert expected in caplog.text
    assert "canary" not in caplog.text


async def test_concurrent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifty searches at once all come back, through one client."""
    clients: list[httpx.AsyncClient] = []
    build = httpx.AsyncClient.__init__

    def counted(self: httpx.AsyncClient, **options: Any) -> None:
        clients.append(self)
        build(self, **options)

    monkeypatch.setattr(httpx.AsyncClient, "__init__", counted)

    def echo(request: Request) -> Answer:
        return page(row(1, title=request.params["q"]))

    with served(echo) as server:
        async with service_for(server) as service:
            found = await asyncio.gather(
                *(service.asearch(f"query {n}") for n in range(50))
            )

    assert [r.items[0].title for r in found] == [f"query {n}" for n in range(50)]
    assert len(clients) == 1
