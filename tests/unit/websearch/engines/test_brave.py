"""Brave: what is sent, and what becomes of every kind of answer."""

from typing import Any

import pytest
from support.asked_engine import asked
from support.engine_pages import brave_error, brave_page, brave_row, sent
from support.loopback import Loopback

from websearch.errors import SearchError, WebParseError
from websearch.models import SearchItem

search, answered = asked("brave")

PAGE = brave_page(*(brave_row(n) for n in range(1, 11)))
ANSWER = sent(PAGE)


async def test_request(server: Loopback) -> None:
    """The key goes in its header, the search in the address."""
    await search(server)

    (request,) = server.requests
    assert request.headers["x-subscription-token"] == "canary-key"
    assert request.params == {
        "q": "q",
        "count": "10",
        "text_decorations": "false",
        "result_filter": "web",
        "country": "ALL",
    }


@pytest.mark.spec("J3")
@pytest.mark.parametrize(
    ("options", "country", "language"),
    [
        ({"query": "北京天气"}, "CN", "zh-hans"),
        ({"locale": "zh-TW"}, "TW", "zh-hant"),
        ({"locale": "zh"}, "ALL", "zh-hans"),
        ({"locale": "ja"}, "ALL", "jp"),
        ({"locale": "pt-BR"}, "BR", "pt-br"),
        ({"locale": "en-GB"}, "GB", "en-gb"),
        ({"locale": "fa"}, "ALL", None),
        ({"country": "AQ"}, "ALL", None),
        ({"locale": "all", "country": "US"}, "US", None),
    ],
    ids=str,
)
async def test_language(
    server: Loopback, options: dict[str, Any], country: str, language: str | None
) -> None:
    """Language and country are sent as Brave knows them, or not at all."""
    await search(server, **options)

    params = server.requests[0].params
    assert (params["country"], params.get("search_lang")) == (country, language)


async def test_options(server: Loopback) -> None:
    """Time range and site are passed on."""
    await search(server, time_range="year", site_filter="docs.example.org")

    params = server.requests[0].params
    assert (params["q"], params["freshness"]) == ("q site:docs.example.org", "py")


@pytest.mark.parametrize("query", ["x" * 401, "x " * 51], ids=["long", "wordy"])
async def test_too_long(server: Loopback, query: str) -> None:
    """A query that Brave would refuse is not sent."""
    with pytest.raises(SearchError) as caught:
        await search(server, query)

    assert caught.value.detail_code == "query_too_long"
    assert not server.requests


async def test_results(server: Loopback) -> None:
    """Results come in Brave's order, with their dates."""
    response = await search(server)

    assert len(response.items) == 10
    assert response.items[0] == SearchItem(
        "Title 1",
        "https://site1.example.org/page",
        "About <strong>page</strong> 1.",  # the normaliser's work
        "brave",
        published_at="2026-03-01T10:00:00",
    )


@pytest.mark.parametrize(
    "data",
    [brave_page(), {"type": "search"}, {"type": "search", "web": None}],
    ids=["no rows", "no web", "null"],
)
async def test_empty(data: Any) -> None:
    """Brave leaves out what it did not find."""
    assert (await answered(sent(data))).items == []


@pytest.mark.spec("H8")
@pytest.mark.parametrize("shape", ["error", "errors"])
@pytest.mark.parametrize(
    ("status", "word", "code", "detail"),
    [
        (401, "X", "AuthError", "bad_key"),
        (403, "X", "AuthError", "bad_key"),
        (404, "SUBSCRIPTION_NOT_FOUND", "AuthError", "bad_key"),
        (404, "X", "WebProviderError", "http_404"),
        (422, "SUBSCRIPTION_TOKEN_INVALID", "AuthError", "bad_key"),
        (422, "VALIDATION", "InvalidInput", "http_422"),
        (429, "RATE_LIMITED", "WebBlocked", "http_429"),
        (429, "QUOTA_LIMITED", "WebBlocked", "quota_exhausted"),
        (500, "X", "BadGateway", "http_500"),
        (302, "X", "WebProviderError", "redirect"),
    ],
)
async def test_statuses(
    status: int, word: str, code: str, detail: str, shape: str
) -> None:
    """Each status and word has its error, in our words alone."""
    with pytest.raises(SearchError, match="Brave") as caught:
        await answered(sent(brave_error(word, key=shape), status))

    error = caught.value
    assert (error.code, error.detail_code) == (code, detail)
    assert not error.retryable or code == "BadGateway"
    assert "canary" not in f"{error!r} {error.facts} {error.as_dict()}"


@pytest.mark.parametrize(
    "data",
    [
        [],
        {},
        None,
        {"type": "search", "web": []},
        {"type": "search", "web": {}},
        {"type": "search", "web": {"results": {}}},
        brave_page(1, None, {"url": 3}),
    ],
    ids=str,
)
async def test_unexpected(data: Any) -> None:
    """An envelope or rows of another shape are an error that names the engine."""
    with pytest.raises(WebParseError, match="Brave") as caught:
        await answered(sent(data))

    assert caught.value.provider == "brave"


async def test_malformed_rows(caplog: pytest.LogCaptureFixture) -> None:
    """Rows that can't be read are counted, not repeated."""
    rows = [brave_row(), "canary", {"title": "canary"}, brave_row(2, title=["canary"])]

    response = await answered(sent(brave_page(*rows)))

    assert [item.title for item in response.items] == ["Title 1", ""]
    assert "skipped 2 malformed results of 4" in caplog.text
    assert "canary" not in caplog.text
