"""The tool contract: one shape out, strict arguments in, known tools only."""

import contextlib
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.command import error_of, run
from support.search.engines import FakeEngine

from websearch.errors import BadGateway, InvalidInput, WebBlocked
from websearch.factory import create_service
from websearch.models import SearchItem, SearchRequest, SearchResponse
from websearch.service import SearchService
from websearch.tool_contract import (
    SEARCH_SCHEMA,
    BuiltinProvider,
    ContractArguments,
    StubProvider,
    WebProvider,
    items_of,
)

SHAPE = {"title", "url", "snippet", "provider", "rank", "source", "published_at"}
UNKNOWN = "web.canary"

# What JSON can hold, with the numbers that Python's reader lets through.
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


def _web() -> WebProvider:
    return WebProvider(create_service(backend="stub"))


@pytest.mark.spec("H1", "H2", "H4")
@pytest.mark.parametrize("make", [_web, BuiltinProvider, StubProvider])
def test_one_shape(make: Any) -> None:
    """Every provider gives the one shape, with ranks from 1."""
    provider: WebProvider = make()

    result = provider.call({"query": "q"})

    assert set(result) == {"items", "provider_meta", "errors"}
    assert all(set(item) == SHAPE for item in result["items"])
    assert [item["rank"] for item in result["items"]] == [1, 2, 3]
    provider.close()


@pytest.mark.spec("H3")
@pytest.mark.parametrize(
    ("twins", "reserved", "expected"),
    [
        ({"count": 3, "freshness": "day", "lang": "de"}, {}, (3, "day", "de")),
        (
            {"count": 3, "freshness": "day", "lang": "de"},
            {"max_results": 4, "time_range": "year", "locale": "fr"},
            (4, "year", "fr"),
        ),
        ({"count": None}, {"locale": None}, (10, None, None)),
    ],
    ids=["twins", "both", "null"],
)
def test_arguments(
    twins: dict[str, Any], reserved: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    """Two names of one thing mean the same, and the reserved one comes first."""
    arguments = {"query": "q", "country": "de", **twins, **reserved}

    request = ContractArguments.parse(arguments).request()

    assert (request.max_results, request.time_range, request.locale) == expected
    assert request.country == "DE"


@pytest.mark.spec("H3", "H8", "N3")
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"query": 5}, "query must be text"),
        ({"query": None}, "query is missing"),
        ({"count": 11}, "count must be a whole number from 1 to 10"),
        ({"count": True}, "count must be a whole number from 1 to 10"),
        ({"max_results": "3"}, "max_results must be a whole number from 1 to 10"),
        ({"country": "\u4e2d\u56fd"}, "country must be a country code of two letters"),
        ({"freshness": "24h"}, "freshness must be day, week, month or year"),
        ({"lang": "\ud83d"}, "lang must be a language tag such as zh-CN"),
        ({"site_filter": "a b"}, "site_filter must be a host name"),
        ({"need_summary": "yes"}, "need_summary must be true or false"),
        ({"trace_id": "a b"}, "trace_id must be 1 to 128 visible ASCII characters"),
        ({"budget_ms": 0}, "budget_ms must be a whole number above 0"),
        ({"canary": 1, 5: 2}, "2 arguments are unknown; known: query, count, country"),
        ({"count": "canary"}, "count must be a whole number from 1 to 10"),
        ({"query": ["canary"]}, "query must be text"),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_refusals(wrong: dict[Any, Any], message: str) -> None:
    """An error has our own message and the caller's name of the argument; neither it
    nor what lies behind it repeats what was given."""
    with pytest.raises(InvalidInput) as caught:
        ContractArguments.parse({"query": "q", **wrong})

    assert str(caught.value).startswith(message)
    assert "canary" not in str(caught.value)
    assert caught.value.__context__ is None


@given(st.dictionaries(st.sampled_from([*ContractArguments.model_fields, "x"]), JSON))
def test_contract_never_breaks(arguments: dict[str, Any]) -> None:
    """Whatever a caller sends is a request or an InvalidInput."""
    with contextlib.suppress(InvalidInput):
        request = ContractArguments.parse(arguments).request()
        assert 1 <= request.max_results <= 10


async def test_reserved_arguments_reach_the_backend() -> None:
    """Reserved arguments are passed on, and the trace id is returned."""
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

    result = await provider.acall({"query": "q", **reserved})

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

    result = await provider.acall({"query": "q"})

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


@pytest.mark.spec("H3")
def test_schema() -> None:
    """The schema has every field of a request, and other names of three of them; it
    tells what is needed, and the limits of each argument."""
    properties = SEARCH_SCHEMA["properties"]
    fields = set(SearchRequest.__dataclass_fields__) - {"session"}  # the service's

    assert set(properties) == fields | {"lang", "count", "freshness"}
    assert SEARCH_SCHEMA["required"] == ["query"]
    assert SEARCH_SCHEMA["additionalProperties"] is False
    assert (properties["query"]["type"], properties["query"]["minLength"]) == (
        "string",
        1,
    )
    for name in ("count", "max_results"):
        assert (properties[name]["minimum"], properties[name]["maximum"]) == (1, 10)
    for name in ("freshness", "time_range"):
        assert properties[name]["enum"] == ["day", "week", "month", "year"]
    for name, field in properties.items():
        assert len(field["description"]) > 20, name
        assert field["type"] in {"string", "integer", "boolean"}, name


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

    result = BuiltinProvider().call({"query": "q"})

    assert result["provider_meta"]["provider_name"] == "stub"
    assert ("altavista" in caplog.text and "is not taken" in caplog.text) is warned


@pytest.mark.spec("H2")
def test_items_of() -> None:
    """The items of the one shape are found, and those of a bare list, with a warning
    that it is deprecated; anything else is refused."""
    assert items_of({"items": [1]}) == [1]
    with pytest.warns(DeprecationWarning, match="deprecated"):
        assert items_of([{"url": "u"}]) == [{"url": "u"}]
    for wrong in ({}, {"items": None}, "x", None):
        with pytest.raises(InvalidInput):
            items_of(wrong)


@pytest.mark.spec("H8")
@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((UNKNOWN, "{}"), "ToolNotFound", "known are: web.search, web.fetch"),
        (("web.search", "not json"), "InvalidInput", "must be a JSON object"),
        (("web.search", "[1]"), "InvalidInput", "must be a JSON object"),
        (("web.search", ""), "InvalidInput", "must be a JSON object"),
        (("web.search", "[" * 100_000), "InvalidInput", "must be a JSON object"),
        (("web.search", "{}"), "InvalidInput", "query is missing"),
        (("web.search", '{"query": "\\ud83d"}'), "InvalidInput", "query is empty"),
        (("web.search", '{"query": "q", "x": 1}'), "InvalidInput", "unknown; known"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_errors_of_the_command(words: tuple[str, str], code: str, message: str) -> None:
    """Whatever is wrong with a call, the command prints the error as JSON, exit 1."""
    done = run("call", *words)

    error = error_of(done)
    assert done.returncode == 1
    assert set(error) == {"type", "message", "detail_code", "retryable", "provider"}
    assert error["type"] == code
    assert message in error["message"]
    assert "canary" not in done.stdout + done.stderr
