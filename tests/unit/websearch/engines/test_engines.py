"""All engines: chosen by a setting, and silent about keys and queries."""

import json

import pytest
from support.asked_engine import CLASSES, answered, engine_at, search_at
from support.engine_pages import html, sent
from support.loopback import served

from websearch.config.settings import Settings
from websearch.engines import BACKENDS, Bocha
from websearch.errors import (
    AuthError,
    SearchError,
    WebBlocked,
)
from websearch.factory import create_service
from websearch.models import SearchRequest
from websearch.network.client import HttpClient

NAMES = ("ddg_html", "baidu_html", "brave", "bocha")
CANARY = "canary-7f3a"


@pytest.mark.spec("H5")
@pytest.mark.parametrize("name", BACKENDS)
def test_chosen(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """WEB_SEARCH_BACKEND chooses each backend by its name."""
    monkeypatch.setenv("WEB_SEARCH_BACKEND", name)

    with create_service() as service:
        assert service.provider == name


@pytest.mark.spec("H6")
@pytest.mark.parametrize("name", ["brave", "bocha"])
async def test_missing_key(name: str) -> None:
    """The engines with an API send nothing without their key, and name its setting."""
    with served(lambda _: html("")) as server:
        with pytest.raises(AuthError, match=f"{name.upper()}_API_KEY") as caught:
            await search_at(name, server, key=None)

        assert caught.value.detail_code == "missing_key"
        assert not server.connections


@pytest.mark.spec("H6")
@pytest.mark.parametrize("name", ["ddg_html", "baidu_html"])
async def test_no_key(name: str) -> None:
    """The engines whose page is read need no key."""
    with (
        served(lambda _: html("", 500)) as server,
        pytest.raises(SearchError, match="500"),
    ):
        await search_at(name, server, key=None)


@pytest.mark.spec("H6")
async def test_bocha_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bocha takes key, address, number of results and time limit from its settings."""
    with served(lambda _: sent({"code": 200, "data": {"webPages": None}})) as server:
        monkeypatch.setenv("BOCHA_API_KEY", "key")
        monkeypatch.setenv("BOCHA_BASE_URL", server.url)
        monkeypatch.setenv("BOCHA_TOP_K_DEFAULT", "20")
        monkeypatch.setenv("BOCHA_TIMEOUT_MS", "700")
        settings = Settings.load()
        backend = Bocha.from_settings(settings, HttpClient())
        await backend.asearch(SearchRequest("q"))
        await backend.aclose()

    (request,) = server.requests
    assert request.headers["authorization"] == "Bearer key"
    assert json.loads(request.body)["count"] == 20
    assert settings.timeout_of("bocha") == 0.7
    assert settings.timeout_of("brave") == 5.0


@pytest.mark.spec("H8")
@pytest.mark.parametrize("name", ["ddg_html", "baidu_html"])
@pytest.mark.parametrize(
    ("status", "code", "detail"),
    [
        (401, "WebProviderError", "http_401"),
        (403, "WebBlocked", "http_403"),
        (404, "WebProviderError", "http_404"),
        (414, "InvalidInput", "http_414"),
        (422, "WebParseError", "http_422"),
        (429, "WebBlocked", "http_429"),
        (302, "WebProviderError", "redirect"),
        (204, "WebParseError", "http_204"),
        (500, "BadGateway", "http_500"),
    ],
)
async def test_statuses(name: str, status: int, code: str, detail: str) -> None:
    """Each status of a page has its error, which names the engine and not the page."""
    answer = html("<title>canary</title>", status, Location="https://[canary")

    with pytest.raises(SearchError) as caught:
        await answered(name, answer)

    error = caught.value
    assert (error.code, error.detail_code) == (code, detail)
    assert error.provider == name
    assert CLASSES[name].title in str(error)
    assert "canary" not in f"{error} {error.facts}"


@pytest.mark.parametrize("name", NAMES)
async def test_retry_after(name: str) -> None:
    """The time that an engine asks to wait is kept, also of an answer without JSON."""
    with pytest.raises(WebBlocked) as caught:
        await answered(name, html("", 429, **{"Retry-After": "17"}))

    assert (caught.value.detail_code, caught.value.retry_after) == ("http_429", 17)


@pytest.mark.spec("I8")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "query", ["https://evil.example/", "x#@evil.example", "\r\nHost: e"]
)
async def test_host(name: str, query: str) -> None:
    """No query changes where a search goes."""
    with served(lambda _: html("", 500)) as server:
        backend = engine_at(name, server.url, key=CANARY)
        with pytest.raises(SearchError, match="500"):
            await backend.asearch(SearchRequest(query))
        await backend.aclose()

    assert [r.headers["host"] for r in server.requests] == [f"127.0.0.1:{server.port}"]
