"""Each status of a server or its proxy gets its own error."""

from collections.abc import Iterator

import pytest
import respx
from support.searxng_pages import JSON_OFF

from websearch.config.address import BaseAddress
from websearch.engines import Searxng
from websearch.errors import SearchError
from websearch.models import SearchRequest
from websearch.network.client import Http


@pytest.fixture
def server() -> Iterator[respx.MockRouter]:
    """A server that a test tells what to answer."""
    with respx.mock(using="httpcore") as router:
        yield router


def searxng() -> Searxng:
    return Searxng(Http(), BaseAddress("http://searxng.test:8080"))


@pytest.mark.spec("B5", "B6", "H8")
@pytest.mark.parametrize(
    ("status", "code", "detail"),
    [
        (400, "InvalidInput", "http_400"),
        (401, "AuthError", "http_401"),
        (403, "AuthError", "http_403"),
        (404, "WebParseError", "http_404"),
        (405, "WebParseError", "not_searxng"),
        (414, "InvalidInput", "http_414"),
        (429, "WebBlocked", "http_429"),
        (500, "BadGateway", "http_500"),
        (502, "BadGateway", "http_502"),
        (503, "BadGateway", "http_503"),
        (504, "BadGateway", "http_504"),
        (301, "WebParseError", "redirect"),
        (308, "WebParseError", "redirect"),
        (204, "WebParseError", "not_searxng"),
    ],
)
async def test_statuses(
    server: respx.MockRouter, status: int, code: str, detail: str
) -> None:
    """Each status has its own error."""
    server.route().respond(status, html="<title>canary</title>")

    with pytest.raises(SearchError) as caught:
        await searxng().asearch(SearchRequest("q"))

    assert (caught.value.code, caught.value.detail_code) == (code, detail)
    assert "canary" not in str(caught.value)


@pytest.mark.spec("B6")
async def test_json_off(server: respx.MockRouter) -> None:
    """SearXNG's own 403 means that its JSON format is off."""
    server.route().respond(403, html=str(JSON_OFF.body))

    with pytest.raises(SearchError) as caught:
        await searxng().asearch(SearchRequest("q"))

    assert caught.value.detail_code == "json_disabled"


@pytest.mark.spec("B5")
async def test_retry_after(server: respx.MockRouter) -> None:
    """How long a limiter wants us to wait is kept."""
    server.route().respond(429, headers={"Retry-After": "42"})

    with pytest.raises(SearchError) as caught:
        await searxng().asearch(SearchRequest("q"))

    assert caught.value.retry_after == 42


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Invalid value zh_CN for parameter language", "the value of language"),
        ("canary", "refuses the request"),
    ],
)
async def test_refused_parameter(
    server: respx.MockRouter, said: str, shown: str
) -> None:
    """A refused parameter is named, without the rest of the server's words."""
    server.route().respond(400, json={"error": said})

    with pytest.raises(SearchError) as caught:
        await searxng().asearch(SearchRequest("q"))

    assert shown in str(caught.value)
    assert "canary" not in str(caught.value)
