"""Bocha: what is sent, and what becomes of every kind of answer."""

import json
from functools import partial
from typing import Any

import pytest
from support.asked_engine import answered as answered_by
from support.engine_pages import bocha_page, bocha_row, sent
from support.loopback import Loopback

from websearch.config.settings import Settings
from websearch.engines import Bocha
from websearch.errors import SearchError, WebParseError
from websearch.models import SearchRequest, SearchResponse
from websearch.network.client import HttpClient

PAGE = bocha_page(*(bocha_row(n) for n in range(1, 11)))
ANSWER = sent(PAGE)
DAY = "2024-07-22T09:00:00"

answered = partial(answered_by, "bocha")


async def search(
    server: Loopback,
    query: str = "q",
    *,
    path: str = "",
    top_k: int = 10,
    **options: Any,
) -> SearchResponse:
    settings = Settings(
        BOCHA_API_KEY="canary-key",
        BOCHA_BASE_URL=server.url + path,
        BOCHA_TOP_K_DEFAULT=top_k,
    )
    bocha = Bocha.from_settings(settings, HttpClient())
    try:
        return await bocha.asearch(SearchRequest(query, **options))
    finally:
        await bocha.aclose()


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
    [(4, 3, 4), (3, 9, 9), (50, 10, 50)],
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
    assert first.published_at == "2026-03-01T10:00:00+08:00"


async def test_dates() -> None:
    """The Z of the day of crawling stands for UTC+8, as Bocha's document says."""
    crawled = [bocha_row(dateLastCrawled=day) for day in (f"{DAY}Z", DAY, 5)]
    published = [bocha_row(datePublished=day) for day in (f"{DAY}Z", f"{DAY}+08:00")]

    response = await answered(sent(bocha_page(*crawled, *published)))

    dates = [item.published_at for item in response.items]
    assert dates[:3] == [f"{DAY}+08:00", DAY, None]
    assert dates[3:] == [f"{DAY}+00:00", f"{DAY}+08:00"]


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


STATUSES = {
    400: ("InvalidInput", "http_400"),
    401: ("AuthError", "bad_key"),
    403: ("AuthError", "quota_exhausted"),
    404: ("WebProviderError", "http_404"),
    429: ("WebBlocked", "http_429"),
    500: ("BadGateway", "http_500"),
}


@pytest.mark.spec("H8")
@pytest.mark.parametrize("place", ["status", "body", "body as text"])
@pytest.mark.parametrize("status", STATUSES)
async def test_statuses(status: int, place: str) -> None:
    """Each status has its error, wherever it is told, in our words alone."""
    body = {"code": str(status) if "text" in place else status, "message": "canary"}

    with pytest.raises(SearchError, match="Bocha") as caught:
        await answered(sent(body, status if place == "status" else 200))

    error = caught.value
    assert (error.code, error.detail_code) == STATUSES[status]
    assert error.provider == "bocha"
    assert "canary" not in f"{error!r} {error.facts} {error.as_dict()}"


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
