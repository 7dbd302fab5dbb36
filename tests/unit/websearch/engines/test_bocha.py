"""Bocha: what is sent, and what becomes of every kind of answer."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr
from support.engine_pages import bocha_page, bocha_row, cuts, sent
from support.loopback import Answer, Loopback, served

from websearch.config.address import BaseAddress
from websearch.engines.bocha import Bocha, _item, _rows, _status
from websearch.errors import AuthError, SearchError, WebParseError
from websearch.models import SearchRequest, SearchResponse
from websearch.network.client import Http

PAGE = bocha_page(*(bocha_row(n) for n in range(1, 11)))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with served(lambda _: sent(PAGE)) as loopback:
        yield loopback


async def search(
    server: Loopback,
    query: str = "q",
    *,
    key: str | None = "canary-key",
    top_k: int = 10,
    path: str = "",
    **options: Any,
) -> SearchResponse:
    address = BaseAddress.parse(server.url + path)
    backend = Bocha(Http(), address, SecretStr(key) if key else None, top_k=top_k)
    try:
        return await backend.asearch(SearchRequest(query, **options))
    finally:
        await backend.aclose()


async def answered(answer: Answer) -> SearchResponse:
    with served(lambda _: answer) as server:
        return await search(server)


def asked(server: Loopback) -> dict[str, Any]:
    return dict(json.loads(server.requests[0].body))


@pytest.mark.spec("J3")
@pytest.mark.parametrize("path", ["", "/", "/v1/web-search"])
async def test_request(server: Loopback, path: str) -> None:
    """The key goes in its header, a Chinese search arrives as it is."""
    await search(server, "北京 天气", path=path)

    (request,) = server.requests
    assert (request.method, request.target) == ("POST", "/v1/web-search")
    assert request.headers["authorization"] == "Bearer canary-key"
    assert request.headers["content-type"] == "application/json"
    assert asked(server) == {
        "query": "北京 天气",
        "freshness": "noLimit",
        "summary": False,
        "count": 10,
    }


async def test_options(server: Loopback) -> None:
    """Time range, site and summary are passed on."""
    await search(server, time_range="week", site_filter="a.example", need_summary=True)

    form = asked(server)
    assert (form["freshness"], form["include"], form["summary"]) == (
        "oneWeek",
        "a.example",
        True,
    )


@pytest.mark.parametrize(
    ("top_k", "wanted", "count"),
    [(10, 3, 10), (4, 3, 4), (3, 9, 9), (3, 10, 10), (4, 6, 6), (50, 10, 50)],
)
async def test_count(server: Loopback, top_k: int, wanted: int, count: int) -> None:
    """The setting says how many at least; a search that wants more asks for more."""
    await search(server, top_k=top_k, max_results=wanted)

    assert asked(server)["count"] == count


async def test_results(server: Loopback) -> None:
    """Results come in Bocha's order, with their dates."""
    response = await search(server)

    first = response.items[0]
    assert len(response.items) == 10
    assert (first.title, first.snippet) == ("标题 1", "摘要 1")
    assert first.published_at == "2026-03-01T10:00:00+00:00"


async def test_summary() -> None:
    """A summary takes the place of the snippet."""
    page = bocha_page(bocha_row(summary="长摘要"))

    assert (await answered(sent(page))).items[0].snippet == "长摘要"


@pytest.mark.parametrize(
    "data",
    [bocha_page(), {"code": 200, "data": {"webPages": None}}],
    ids=["no rows", "null"],
)
async def test_empty(data: Any) -> None:
    """No rows are no results."""
    assert (await answered(sent(data))).items == []


async def test_missing_key(server: Loopback) -> None:
    """Without a key nothing is sent."""
    with pytest.raises(AuthError, match="BOCHA_API_KEY") as caught:
        await search(server, key=None)

    assert caught.value.detail_code == "missing_key"
    assert not server.connections


@pytest.mark.spec("H8")
@pytest.mark.parametrize("place", ["status", "body", "body as text"])
@pytest.mark.parametrize(
    ("status", "code", "detail"),
    [
        (400, "InvalidInput", "http_400"),
        (401, "AuthError", "bad_key"),
        (403, "AuthError", "quota_exhausted"),
        (404, "WebProviderError", "http_404"),
        (429, "WebBlocked", "http_429"),
        (500, "BadGateway", "http_500"),
    ],
)
async def test_statuses(status: int, code: str, detail: str, place: str) -> None:
    """Each status has its error, wherever it is told, in our words alone."""
    body = {"code": str(status) if "text" in place else status, "message": "canary"}

    with pytest.raises(SearchError, match="Bocha") as caught:
        await answered(sent(body, status if place == "status" else 200))

    error = caught.value
    assert (error.code, error.detail_code) == (code, detail)
    assert error.provider == "bocha"
    assert "canary" not in f"{error!r} {error.facts} {error.as_dict()}"


@pytest.mark.parametrize("cut", range(20))
async def test_cut(cut: int) -> None:
    """An answer that broke off is an error that names the engine."""
    with pytest.raises(WebParseError, match="Bocha"):
        await answered(Answer(cuts(str(sent(PAGE).body).encode())[cut]))


@pytest.mark.parametrize(
    "data",
    [
        [],
        {},
        {"code": 200},
        {"code": None, "data": {}},
        {"code": 200, "data": {}},
        {"code": 200, "data": {"webPages": []}},
        {"code": 200, "data": {"webPages": {"value": None}}},
        bocha_page(1, None, {"url": 3}),
    ],
    ids=str,
)
async def test_unexpected(data: Any) -> None:
    """An envelope or rows of another shape are an error that names the engine."""
    with pytest.raises(WebParseError, match="Bocha"):
        await answered(sent(data))


@given(row=st.fixed_dictionaries(dict.fromkeys(bocha_row(summary=""), JSON)))
def test_any_row(row: dict[str, Any]) -> None:
    """Whatever the fields of a row hold, it is an item of texts or none."""
    item = _item(row)

    assert item is None or {type(item.title), type(item.url), type(item.snippet)} == {
        str
    }


@given(data=st.dictionaries(st.sampled_from(["code", "data", "x"]), JSON))
def test_any_envelope(data: dict[str, Any]) -> None:
    """Whatever an envelope holds, it has status and rows or is refused."""
    with suppress(WebParseError):
        assert 200 <= _status(data) < 600
    with suppress(WebParseError):
        rows = _rows(data)
        assert rows == [] or rows == data["data"]["webPages"]["value"]
