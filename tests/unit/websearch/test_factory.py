"""The settings choose who is asked, and nobody else ever hears of a query."""

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from typing import Any

import pytest
from support.search.engines import FakeEngine, registered, registry
from support.servers.loopback import Answer, Loopback, served
from support.servers.searxng_pages import envelope, row

from websearch import SearchError, create_service
from websearch.config.address import BaseAddress
from websearch.config.settings import Settings
from websearch.engines import Searxng
from websearch.engines.base import Backend
from websearch.factory import destinations
from websearch.network.client import HttpClient

ENGINES = ("searxng", "ddg_html", "baidu_html", "brave", "stub")
DOWN = Answer("", 500)


class Named(Searxng):
    """A server that any name may stand for."""

    def __init__(self, name: str, http: HttpClient, url: str) -> None:
        super().__init__(http, BaseAddress(url))
        self.name = name  # type: ignore[misc]


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mapping[str, Loopback]]:
    """One server for each engine, all of them failing; SearXNG's may be elsewhere."""
    with ExitStack() as stack:
        known = {n: stack.enter_context(served(lambda _: DOWN)) for n in ENGINES}

        def made(name: str, settings: Settings, http: HttpClient, *_: Any) -> Backend:
            url = known[name].url
            if name == "searxng" and settings.searxng_base_url.port != 8080:
                url = settings.searxng_base_url.url
            return Named(name, http, url)

        monkeypatch.setattr(
            "websearch.engines.BACKENDS",
            {n: registered(n, partial(made, n)) for n in ENGINES},
        )
        yield known


def asked(servers: Mapping[str, Loopback]) -> set[str]:
    return {name for name, server in servers.items() if server.requests}


@pytest.mark.spec("M3")
@pytest.mark.parametrize(
    ("backend", "fallback", "contacted"),
    [
        (None, None, {"searxng"}),
        ("searxng", None, {"searxng"}),
        ("ddg_html", None, {"ddg_html"}),
        ("brave+searxng", None, {"brave", "searxng"}),
        ("ddg_html", "brave", {"ddg_html", "brave"}),
        ("searxng", "ddg_html, brave", {"searxng", "ddg_html", "brave"}),
        ("altavista", None, {"searxng"}),
        ("searxng", "altavista", {"searxng"}),
    ],
)
@pytest.mark.parametrize("has_address", [True, False], ids=["address", "no-address"])
async def test_privacy(
    monkeypatch: pytest.MonkeyPatch,
    servers: Mapping[str, Loopback],
    *,
    backend: str | None,
    fallback: str | None,
    contacted: set[str],
    has_address: bool,
) -> None:
    """Even when all fail, only engines that the settings name hear of a query; the
    log line of the start names them all."""
    if backend:
        monkeypatch.setenv("WEB_SEARCH_BACKEND", backend)
    if fallback:
        monkeypatch.setenv("WEB_SEARCH_FALLBACK", fallback)
    if has_address:
        monkeypatch.setenv("SEARXNG_BASE_URL", servers["searxng"].url)
    elif not backend and not fallback:
        contacted = {"searxng", "ddg_html", "stub"}  # nothing is configured

    async with create_service() as service:
        with pytest.raises(SearchError):
            await service.asearch("q")

    told = destinations(Settings.load())
    assert asked(servers) == contacted
    places = {n: s.url for n, s in servers.items()} | {"stub": "nowhere"}
    assert {n for n, url in places.items() if f"{n} ({url})" in told} == contacted


@pytest.mark.spec("M3")
async def test_partial_answers_go_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, servers: Mapping[str, Loopback]
) -> None:
    """As long as the engine before it answers, one in the chain hears nothing."""
    answer = envelope(row(), unresponsive=[["google", "CAPTCHA"]])
    servers["searxng"].script = lambda _: Answer(json.dumps(answer))
    monkeypatch.setenv("WEB_SEARCH_FALLBACK", "brave")

    async with create_service() as service:
        found = await service.asearch("q")

    assert (found.provider, asked(servers)) == ("searxng", {"searxng"})


async def test_named_by_the_caller(
    monkeypatch: pytest.MonkeyPatch, servers: Mapping[str, Loopback]
) -> None:
    """A backend that the caller names is asked alone, without the chain."""
    monkeypatch.setenv("WEB_SEARCH_FALLBACK", "brave")

    async with create_service(backend="ddg_html") as service:
        with pytest.raises(SearchError):
            await service.asearch("q")

    assert asked(servers) == {"ddg_html"}


def test_destinations(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line for the log names engines and addresses, without credentials."""
    monkeypatch.setenv("WEB_SEARCH_BACKEND", "searxng+stub")
    monkeypatch.setenv("SEARXNG_BASE_URL", "http://user:canary@h.example")

    told = destinations(Settings.load())

    assert told == "searxng (http://h.example) + stub (nowhere)"


@pytest.mark.parametrize(
    ("fallback", "least", "most"), [(None, 9_000, 9_000), ("stub", 1, 3_000)]
)
async def test_time_limit(
    monkeypatch: pytest.MonkeyPatch, fallback: str | None, least: int, most: int
) -> None:
    """SearXNG's own time limit is the whole one only where it searches alone."""
    engine = FakeEngine("searxng")
    registry(monkeypatch, engine, FakeEngine("stub"))
    monkeypatch.setenv("SEARXNG_TIMEOUT_MS", "9000")
    monkeypatch.setenv("WEB_SEARCH_BACKEND", "searxng")
    if fallback:
        monkeypatch.setenv("WEB_SEARCH_FALLBACK", fallback)

    await create_service().asearch("q")

    assert least <= (engine.requests[0].budget_ms or 0) <= most


@pytest.mark.spec("D8")
@pytest.mark.parametrize(
    ("allowed", "private"), [("none", [True, False]), ("10.0.0.1", [False, False])]
)
def test_private_results(allowed: str, private: list[bool]) -> None:
    """A result on a private network is marked, unless its host may be read."""
    page = envelope(row(url="http://10.0.0.1/"), row(2))
    with served(lambda _: Answer(json.dumps(page))) as server:
        settings = Settings.model_validate(
            {"SEARXNG_BASE_URL": server.url, "WEB_FETCH_ALLOWED_HOSTS": allowed}
        )
        with create_service(settings, backend="searxng") as service:
            found = service.search("q")

    assert [item.is_private for item in found.items] == private
