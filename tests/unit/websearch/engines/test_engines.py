"""All engines: chosen by a setting, and silent about keys and queries."""

import json
import logging
from collections.abc import Callable

import pytest
from support.asked_engine import CLASSES, answered, engine_at, search_at
from support.engine_pages import BAIDU_BLOCK, DDG_BLOCK, html, sent
from support.loopback import Answer, Raw, served

from websearch.config.address import BaseAddress
from websearch.config.settings import Settings
from websearch.doctor.advice import (
    Problem,
    advise,
    facts_of,
    facts_of_error,
    problem_of,
)
from websearch.engines import BACKENDS, Bocha
from websearch.errors import (
    AuthError,
    NetworkError,
    SearchError,
    Timeout,
    WebBlocked,
    WebParseError,
)
from websearch.factory import create_service
from websearch.models import SearchRequest
from websearch.network.client import HttpClient
from websearch.service import SearchService

NAMES = ("ddg_html", "baidu_html", "brave", "bocha")
CANARY = "canary-7f3a"
QUERY = "canary-9b1c"


@pytest.mark.spec("H5")
@pytest.mark.parametrize("name", [*NAMES, "searxng", "stub"])
def test_chosen(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """WEB_SEARCH_BACKEND chooses each backend by its name."""
    monkeypatch.setenv("WEB_SEARCH_BACKEND", name)
    assert name in BACKENDS

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
    """The time that an engine asks to wait is kept."""
    with pytest.raises(WebBlocked) as caught:
        await answered(name, html("", 429, **{"Retry-After": "17"}))

    assert caught.value.retry_after == 17


FAILURES: dict[str, Callable[[], Answer | Raw]] = {
    "captcha": lambda: html(DDG_BLOCK + BAIDU_BLOCK + CANARY + QUERY),
    "refused": lambda: html(CANARY, 403),
    "redirect": lambda: html("", 302, Location=f"https://x.example/?{CANARY}"),
    "invalid": lambda: sent({"error": {"code": CANARY, "detail": QUERY}}, 422),
    "server": lambda: html(f"<title>{CANARY} {QUERY}</title>", 500),
    "unreadable": lambda: html(f"<title>{CANARY} {QUERY}</title>"),
    "rows": lambda: sent({"code": 200, "type": "search", "web": {"results": [CANARY]}}),
    "not http": lambda: lambda: iter([CANARY.encode()]),
    "cut off": lambda: (
        lambda: iter([b"HTTP/1.1 200 X\r\nContent-Length: 99\r\n\r\n" + QUERY.encode()])
    ),
    "too large": lambda: html(CANARY * 200_000),
    "late": lambda: lambda: iter([5.0]),
}


@pytest.mark.spec("I6", "N3")
@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("name", NAMES)
async def test_silence(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    name: str,
    failure: str,
) -> None:
    """Through every failure, neither key nor query nor foreign words come out."""
    caplog.set_level(logging.DEBUG)
    for variable in ("BRAVE_API_KEY", "BOCHA_API_KEY", "SEARXNG_API_KEY"):
        monkeypatch.setenv(variable, CANARY)
    with served(lambda _: FAILURES[failure]()) as server:
        monkeypatch.setenv("BOCHA_BASE_URL", server.url)
        settings = Settings.load()
        backend = engine_at(name, server.url, key=CANARY)
        service = SearchService(backend, timeout=0.7 if failure == "late" else 5)
        async with service:
            with pytest.raises(SearchError) as caught:
                await service.asearch(QUERY)

    error = caught.value
    told = [str(error), repr(error), str(error.as_dict()), str(error.facts)]
    told += [caplog.text, settings.summary(), repr(settings), repr(backend)]
    assert error.provider == name
    assert "canary" not in "".join(told)


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


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (WebBlocked("x", detail_code="captcha_required"), Problem.CAPTCHA),
        (WebBlocked("x", detail_code="http_429"), Problem.ENGINE_REFUSES),
        (WebBlocked("x", detail_code="quota_exhausted"), Problem.QUOTA_EXHAUSTED),
        (AuthError("x", detail_code="missing_key"), Problem.MISSING_KEY),
        (AuthError("x", detail_code="bad_key"), Problem.BAD_KEY),
        (NetworkError("x", detail_code="refused"), Problem.ENGINE_FAILS),
        (Timeout("x"), Problem.ENGINE_FAILS),
        (WebParseError("x", detail_code="not_json"), Problem.PAGE_CHANGED),
    ],
    ids=lambda value: value if isinstance(value, str) else str(value.detail_code),
)
@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
def test_advice(error: SearchError, problem: Problem, language: str) -> None:
    """Each failure of an engine has advice that names it, and not SearXNG's address."""
    error.provider = "brave"
    address = BaseAddress.parse("http://searx.example")

    assert problem_of(error) is problem
    facts = facts_of(address, 5) | facts_of_error(error)
    advice = advise(problem, facts, language)
    assert "Brave" in advice.title + advice.cause
    assert "searx.example" not in f"{advice}"
