"""The `web.search` tool contract."""

import json
import re
from typing import Any

import pytest
from support.engines import FakeEngine
from support.loopback import served
from support.searxng_pages import healthy

from websearch.config.settings import Settings
from websearch.engines import Stub
from websearch.errors import BadGateway, InvalidInput, WebBlocked
from websearch.factory import create_service
from websearch.models import SearchItem, SearchRequest, SearchResponse
from websearch.service import SearchService
from websearch.tool_contract import (
    INPUT_SCHEMA,
    BuiltinProvider,
    StubProvider,
    ToolProvider,
    WebProvider,
    items_of,
)

SHAPE = {"title", "url", "snippet", "provider", "rank", "source", "published_at"}


def _web() -> WebProvider:
    return WebProvider(create_service(backend="stub"))


@pytest.mark.spec("H1", "H2", "H4")
@pytest.mark.parametrize("make", [_web, BuiltinProvider, StubProvider])
def test_one_shape(make: Any) -> None:
    """Every provider gives the one shape, with ranks from 1."""
    provider: ToolProvider = make()

    result = provider.call("web.search", {"query": "q"})

    assert set(result) == {"items", "provider_meta", "errors"}
    assert all(set(item) == SHAPE for item in result["items"])
    assert [item["rank"] for item in result["items"]] == [1, 2, 3]
    make_again: Any = provider
    make_again.close()


@pytest.mark.spec("H2", "H4")
async def test_async() -> None:
    """An event loop is not blocked by a call."""
    result = await StubProvider().acall("web.search", {"query": "q", "max_results": 2})

    assert len(result["items"]) == 2


@pytest.mark.spec("H3", "H8", "J4")
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"query": ""},
        {"query": " "},
        {"query": None},
        {"query": ["q"]},
        {"query": "q", "max_results": 0},
        {"query": "q", "max_results": 11},
        {"query": "q", "max_results": "3"},
        {"query": "q", "max_results": True},
        {"query": "q", "count": 0},
        {"query": "q", "count": "3"},
        {"query": "q", "country": "China"},
        {"query": "q", "freshness": "24h"},
        {"query": "q", "time_range": "hour"},
        {"query": "q", "need_summary": "yes"},
        {"query": "q", "locale": 5},
        {"query": "q", "colour": "red"},
        [],
        "q",
        None,
    ],
)
def test_bad_arguments(arguments: Any) -> None:
    """Arguments outside the schema are InvalidInput."""
    with pytest.raises(InvalidInput):
        StubProvider().call("web.search", arguments)


@pytest.mark.spec("H3")
@pytest.mark.parametrize(
    "arguments",
    [
        {"lang": "zh-CN"},
        {"count": 3, "country": "cn", "freshness": "day"},
        {"count": None, "locale": None},
        {"locale": "en", "lang": "zh"},
        {"time_range": "week", "site_filter": "a.example"},
        {"need_summary": True, "trace_id": "t", "budget_ms": 500},
    ],
)
def test_reserved_arguments(arguments: dict[str, Any]) -> None:
    """The reserved arguments are taken."""
    result = StubProvider().call("web.search", {"query": "q", **arguments})

    assert result["items"]


@pytest.mark.spec("H3")
@pytest.mark.parametrize(
    ("arguments", "field", "value"),
    [
        ({"lang": "de"}, "locale", "de"),
        ({"lang": "de", "locale": "fr"}, "locale", "fr"),
        ({"count": 2}, "max_results", 2),
        ({"count": 2, "max_results": 3}, "max_results", 3),
        ({"freshness": "day", "time_range": "week"}, "time_range", "week"),
        ({"country": "de"}, "country", "DE"),
    ],
    ids=["lang", "locale", "count", "max_results", "time_range", "country"],
)
def test_twins(arguments: dict[str, Any], field: str, value: object) -> None:
    """Another name of an argument means the same, and the reserved one comes first."""
    asked: list[SearchRequest] = []

    class Recorder(Stub):
        async def asearch(self, request: SearchRequest) -> SearchResponse:
            asked.append(request)
            return await super().asearch(request)

    provider = WebProvider(SearchService(Recorder()))
    provider.call("web.search", {"query": "q", **arguments})
    provider.close()

    assert getattr(asked[0], field) == value


async def test_reserved_arguments_reach_the_backend() -> None:
    """What is reserved is passed through, and the trace id comes back."""
    engine = FakeEngine("e")
    provider = WebProvider(SearchService(engine))
    reserved = {
        "locale": "zh-CN",
        "time_range": "week",
        "site_filter": "a.example",
        "need_summary": True,
        "trace_id": "trace-1",
        "budget_ms": 900,
    }

    result = await provider.acall("web.search", {"query": "q", **reserved})

    (asked,) = engine.requests
    assert {name: getattr(asked, name) for name in reserved} == reserved
    assert result["provider_meta"]["request_id"] == "trace-1"


@pytest.mark.spec("H4")
async def test_beside_the_results() -> None:
    """Provider, time, id and errors stand beside the items, and nothing of upstream."""
    item = SearchItem(
        "t", "https://www.a.example/", "s", "e", published_at="2026-01-02"
    )
    failed = WebBlocked("words", detail_code="http_429", facts={"title": "upstream"})
    down = BadGateway("other words", provider="f")
    answer = SearchResponse("q", "e", [item], errors=[failed, down])
    provider = WebProvider(SearchService(FakeEngine("e", answer)))

    result = await provider.acall("web.search", {"query": "q"})

    meta = result["provider_meta"]
    assert set(meta) == {"provider_name", "latency_ms", "request_id"}
    assert (meta["provider_name"], type(meta["latency_ms"])) == ("e", int)
    assert re.fullmatch("[0-9a-f]{32}", meta["request_id"])
    assert [(e["type"], e["message"], e["retryable"]) for e in result["errors"]] == [
        ("WebBlocked", "words", False),
        ("BadGateway", "other words", True),
    ]
    (shown,) = result["items"]
    assert (shown["source"], shown["published_at"]) == ("a.example", "2026-01-02")
    assert "upstream" not in json.dumps(result)


@pytest.mark.spec("H8")
def test_unknown_backend_as_argument() -> None:
    """A backend that a caller names wrongly is an error, not a silent default."""
    with pytest.raises(InvalidInput, match=r"known are searxng, .*stub"):
        create_service(backend="altavista")


@pytest.mark.spec("H3")
def test_schema_fits_the_request() -> None:
    """The schema has every field of a request, and other names of three of them."""
    fields = set(SearchRequest.__dataclass_fields__)
    twins = {"lang", "count", "freshness"}

    assert set(INPUT_SCHEMA["properties"]) == fields | twins


@pytest.mark.spec("H3")
def test_schema() -> None:
    """The schema tells what is needed, and the limits of each argument."""
    properties = INPUT_SCHEMA["properties"]

    assert INPUT_SCHEMA["required"] == ["query"]
    assert INPUT_SCHEMA["additionalProperties"] is False
    assert (properties["query"]["type"], properties["query"]["minLength"]) == (
        "string",
        1,
    )
    for name in ("count", "max_results"):
        assert (properties[name]["minimum"], properties[name]["maximum"]) == (1, 10)
    for name in ("freshness", "time_range"):
        assert properties[name]["enum"] == ["day", "week", "month", "year"]


@pytest.mark.spec("H9")
@pytest.mark.parametrize(("value", "warned"), [(None, False), ("altavista", True)])
def test_backend_of_the_contract(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    value: str | None,
    warned: bool,
) -> None:
    """Unset means stub; an unknown backend warns, naming it, and means stub."""
    if value:
        monkeypatch.setenv("WEB_SEARCH_BACKEND", value)

    result = BuiltinProvider().call("web.search", {"query": "q"})

    assert result["provider_meta"]["provider_name"] == "stub"
    assert ("altavista" in caplog.text and "is not taken" in caplog.text) is warned


@pytest.mark.spec("H9")
def test_chosen_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    """WEB_SEARCH_BACKEND chooses the backend of the contract."""
    with served(healthy) as server:
        monkeypatch.setenv("WEB_SEARCH_BACKEND", "searxng")
        monkeypatch.setenv("SEARXNG_BASE_URL", server.url)
        provider = BuiltinProvider()
        result = provider.call("web.search", {"query": "q"})
        provider.close()

    assert result["provider_meta"]["provider_name"] == "searxng"
    assert len(result["items"]) == 10


@pytest.mark.spec("H2")
def test_bare_list() -> None:
    """A bare list is still understood, with a warning that it is deprecated."""
    with pytest.warns(DeprecationWarning, match="deprecated"):
        assert items_of([{"url": "u"}]) == [{"url": "u"}]


@pytest.mark.spec("H2")
def test_items_of() -> None:
    """The items of the one shape are found, and anything else is refused."""
    assert items_of({"items": [1]}) == [1]
    for wrong in ({}, {"items": None}, "x", None):
        with pytest.raises(InvalidInput):
            items_of(wrong)


@pytest.mark.spec("B8", "N3")
def test_configuration_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Making a service tells the settings once, without secrets."""
    monkeypatch.setenv("SEARXNG_API_KEY", "canary")
    monkeypatch.setenv("SEARXNG_BASE_URL", "http://u:canary@h.example")

    create_service(Settings.load())

    told = [r.getMessage() for r in caplog.records if "settings" in r.getMessage()]
    assert len(told) == 1
    assert "SEARXNG_BASE_URL=http://h.example" in told[0]
    assert "canary" not in caplog.text


@pytest.mark.spec("B1")
def test_default_of_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the app, an unset backend means the chain of a first run, an unknown one
    SearXNG."""
    unset = create_service().provider
    monkeypatch.setenv("WEB_SEARCH_BACKEND", "altavista")

    assert (unset, create_service().provider) == (
        "searxng, ddg_html, stub",
        "searxng",
    )
