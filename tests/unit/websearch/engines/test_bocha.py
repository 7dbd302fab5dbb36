"""Bocha: its settings."""

import pytest
from support.search.asked_engine import form
from support.search.engine_pages import bocha_page, sent
from support.servers.loopback import Request, served

from websearch.config.settings import Settings
from websearch.engines import Bocha
from websearch.models import SearchRequest
from websearch.network.client import HttpClient


async def requested(wanted: int = 10, **settings: str) -> Request:
    """The request of a search for *wanted* results under these settings."""
    with served(lambda _: sent(bocha_page())) as server:
        url = server.url + settings.pop("path", "")
        known = Settings(BOCHA_API_KEY="key", BOCHA_BASE_URL=url, **settings)
        bocha = Bocha.from_settings(known, HttpClient())
        await bocha.asearch(SearchRequest("q", max_results=wanted))
        await bocha.aclose()
    return server.requests[0]


@pytest.mark.spec("H6")
@pytest.mark.parametrize("path", ["", "/", "/v1/web-search"])
async def test_address(path: str) -> None:
    """BOCHA_BASE_URL is taken with and without the path of the API."""
    request = await requested(path=path)

    assert request.target == "/v1/web-search"
    assert request.headers["authorization"] == "Bearer key"


@pytest.mark.spec("H6")
@pytest.mark.parametrize(("top_k", "wanted", "count"), [(4, 3, 4), (3, 9, 9)])
async def test_count(top_k: int, wanted: int, count: int) -> None:
    """The setting says how many at least; a search that wants more asks for more."""
    request = await requested(wanted, BOCHA_TOP_K_DEFAULT=str(top_k))

    assert form(request)["count"] == count
