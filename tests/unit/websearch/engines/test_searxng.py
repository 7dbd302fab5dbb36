"""The SearXNG backend: what it sends, and what it makes of every kind of answer."""

import base64
import json
import logging
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import respx
from hypothesis import given
from hypothesis import strategies as st
from support.servers.searxng_pages import envelope, row

from websearch.config.address import BaseAddress
from websearch.engines import Searxng
from websearch.engines.searxng import read, status_error
from websearch.errors import EngineFailure, SearchError
from websearch.models import SearchRequest
from websearch.network.client import HttpClient, Reply

SERVER = "http://searxng.test:8080"


def searxng(address: str = SERVER, **options: Any) -> Searxng:
    return Searxng(HttpClient(), BaseAddress.parse(address), **options)


@pytest.fixture
def route() -> Iterator[respx.Route]:
    """A server that answers every search with one result."""
    with respx.mock(assert_all_called=False, using="httpcore") as router:
        yield router.route().respond(json=envelope(row()))


async def sent(route: respx.Route, query: str = "q", **options: Any) -> httpx.Request:
    request = options.pop("request", None) or SearchRequest(query)
    await searxng(**options).asearch(request)
    return route.calls.last.request


@pytest.mark.spec("B3")
async def test_parameters(route: respx.Route) -> None:
    """A search asks /search for JSON, in English where the server speaks itself."""
    request = await sent(route)

    assert (request.method, request.url.path) == ("GET", "/search")
    assert dict(request.url.params) == {
        "q": "q",
        "format": "json",
        "locale": "en",
        "timeout_limit": "4.50",
    }


# For query, set language and country: the tag that is sent, and what the reader reads.
LANGUAGES = {
    ("weather", "auto", None): (None, "en-US,en;q=0.9"),
    ("天気とは", "auto", None): (None, "ja-JP,ja;q=0.9,en;q=0.5"),
    ("날씨", "auto", None): (None, "ko-KR,ko;q=0.9,en;q=0.5"),
    ("weather", "zh-CN", None): ("zh-CN", "zh-CN,zh;q=0.9,en;q=0.5"),
    ("weather", "zh_Hans_CN", None): ("zh-CN", "zh-CN,zh;q=0.9,en;q=0.5"),
    ("weather", "zh-Hant", None): ("zh-TW", "zh-TW,zh;q=0.9,en;q=0.5"),
    ("weather", "DE", None): ("de", "de,en;q=0.5"),
    ("天气", "all", None): ("all", "zh-CN,zh;q=0.9,en;q=0.5"),
    # A country changes the language to its own form of it, where it has one.
    ("weather", "auto", "US"): ("en-US", "en-US,en;q=0.9"),
    ("weather", "auto", "de"): ("de-DE", "de-DE,de;q=0.9,en;q=0.5"),
    ("weather", "auto", "CH"): ("de-CH", "de-CH,de;q=0.9,en;q=0.5"),
    ("weather", "fr", "CH"): ("fr-CH", "fr-CH,fr;q=0.9,en;q=0.5"),
    ("weather", "en-US", "GB"): ("en-GB", "en-GB,en;q=0.9"),
    ("weather", "zh_CN", "TW"): ("zh-TW", "zh-TW,zh;q=0.9,en;q=0.5"),
    ("weather", "zh-Hant", "HK"): ("zh-HK", "zh-HK,zh;q=0.9,en;q=0.5"),
    ("天气", "auto", "CN"): ("zh-CN", "zh-CN,zh;q=0.9,en;q=0.5"),
    ("天氣", "auto", "HK"): ("zh-HK", "zh-HK,zh;q=0.9,en;q=0.5"),
    ("天気 東京", "auto", "JP"): ("ja-JP", "ja-JP,ja;q=0.9,en;q=0.5"),
    # It does not where its language is another one, or unknown.
    ("天气", "auto", "US"): (None, "zh-CN,zh;q=0.9,en;q=0.5"),
    ("날씨", "auto", "JP"): (None, "ko-KR,ko;q=0.9,en;q=0.5"),
    ("weather", "en", "CN"): ("en", "en"),
    ("weather", "all", "US"): ("all", "en-US,en;q=0.9"),
    ("weather", "auto", "AQ"): (None, "en-US,en;q=0.9"),
    ("weather", "zh-CN", "AQ"): ("zh-CN", "zh-CN,zh;q=0.9,en;q=0.5"),
}


@pytest.mark.spec("B8")
@pytest.mark.parametrize(("query", "language", "country"), LANGUAGES)
async def test_language(
    route: respx.Route, query: str, language: str, country: str | None
) -> None:
    """A set language is sent as a tag SearXNG takes; auto follows the script."""
    request = SearchRequest(query, country=country)

    asked = await sent(route, request=request, language=language)

    tag, accept = LANGUAGES[query, language, country]
    assert asked.url.params.get("language") == tag
    assert asked.headers["accept-language"] == accept


@pytest.mark.parametrize(
    ("locale", "tag"), [("fr", "fr"), ("all", "all"), ("auto", "de-AT")]
)
async def test_locale_before_country(route: respx.Route, locale: str, tag: str) -> None:
    """A language that the request names is left as it is; `auto` names none."""
    request = SearchRequest("q", locale=locale, country="AT")

    asked = await sent(route, request=request)

    assert asked.url.params["language"] == tag


@pytest.mark.parametrize(
    ("budget", "limit"), [(1, "0.10"), (100, "0.10"), (600, "0.30")]
)
async def test_time_limit_is_never_nothing(
    route: respx.Route, budget: int, limit: str
) -> None:
    """The server gets a time limit above 0, which would make it ban its engines."""
    request = await sent(route, request=SearchRequest("q", budget_ms=budget))

    assert request.url.params["timeout_limit"] == limit


@pytest.mark.spec("B1")
async def test_prefix(route: respx.Route) -> None:
    """A path prefix of the base address is kept."""
    request = await sent(route, address="https://s.test/searxng/")

    assert str(request.url).startswith("https://s.test/searxng/search?")


def basic(pair: str) -> str:
    return "Basic " + base64.b64encode(pair.encode()).decode()


@pytest.mark.spec("B1")
@pytest.mark.parametrize(
    ("address", "key", "expected"),
    [
        (SERVER, None, None),
        (SERVER, "token", "Bearer token"),
        ("http://user:p%40ss@s.test", None, basic("user:p@ss")),
        ("http://用户:密@s.test", "token", basic("用户:密")),
    ],
)
async def test_credentials(
    route: respx.Route, address: str, key: str | None, expected: str | None
) -> None:
    """A key is sent as bearer token, credentials of the address as basic auth."""
    request = await sent(route, address=address, key=key)

    assert request.headers.get("authorization") == expected
    assert "user" not in str(request.url)


def dump(body: Any) -> bytes:
    return json.dumps(body).encode()


def answer(*rows: Any, **changes: Any) -> Reply:
    return Reply(200, {}, dump(envelope(*rows, **changes)))


@pytest.mark.spec("B3")
def test_fields() -> None:
    """Title, address, snippet, engine, date and score are read, with either date."""
    newer = row(2, pubdate="2026-08-02 12:30:00")
    del newer["publishedDate"]
    reply = answer(row(publishedDate="2026-08-01T12:30:00"), newer)

    item, other = read(SearchRequest("q"), reply).items

    assert (item.title, item.url) == ("Title 1", "https://site1.example.org/page")
    assert (item.snippet, item.engine) == ("Content of page 1.", "corpus")
    assert (item.published_at, item.score) == ("2026-08-01T12:30:00", 1.0)
    assert other.published_at == "2026-08-02T12:30:00"


@pytest.mark.spec("B3")
def test_old_server() -> None:
    """The answer of an old searx is read: counter, plain answers, localised date."""
    old = {
        "url": "https://a.example/",
        "pretty_url": "https://a.example/",
        "title": "Old",
        "content": "c",
        "publishedDate": "3 minutes ago",
    }
    reply = answer(old, number_of_results=0, answers=["plain"])

    (item,) = read(SearchRequest("q"), reply).items

    assert (item.title, item.published_at, item.score) == ("Old", None, None)


@pytest.mark.spec("B7")
def test_malformed_rows(caplog: pytest.LogCaptureFixture) -> None:
    """Rows that can't be read are skipped and counted in the log; the rest is used."""
    rows = [None, 7, "x", [], {}, {"url": None}, {"url": 3}, row(2)]

    found = read(SearchRequest("q"), answer(*rows)).items

    assert [item.title for item in found] == ["Title 2"]
    assert "Skipped 7 malformed results of 8" in caplog.text


@pytest.mark.spec("N3")
def test_echoes() -> None:
    """A server that repeats query or key in its reasons has them hidden."""
    rows = [["eng canary", "boom canary Bearer secret"], ["slow", "timeout"]]
    request = SearchRequest("canary")

    with pytest.raises(SearchError) as caught:
        read(request, answer(unresponsive=rows), ("Bearer secret",))

    assert "slow (timeout)" in str(caught.value)
    assert "canary" not in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.spec("N6")
def test_flood() -> None:
    """Only the first hundred of many rows are read, and only so many failed engines
    are told."""
    failed = [[f"engine{n}", "timeout"] for n in range(900)]
    reply = answer(*(row(n) for n in range(1, 3_000)), unresponsive=failed)

    response = read(SearchRequest("q"), reply)

    assert (len(response.items), len(response.errors[0].engines)) == (100, 50)


@pytest.mark.spec("B7")
@pytest.mark.parametrize(
    "changes",
    [
        {"title": None},
        {"title": 5, "content": ["x"]},
        {"score": "high", "engine": 1},
        {"score": True, "publishedDate": 20260801},
        {"score": 10**400},
    ],
)
def test_odd_fields(changes: dict[str, Any]) -> None:
    """A row with odd fields keeps its good ones."""
    (item,) = read(SearchRequest("q"), answer(row(**changes))).items

    assert item.url == "https://site1.example.org/page"
    assert item.score is None or item.score == 1.0


@pytest.mark.spec("B5")
@pytest.mark.parametrize(
    ("reasons", "code", "detail"),
    [
        (["CAPTCHA"], "WebBlocked", "captcha_required"),
        (["Suspended: CAPTCHA", "timeout"], "WebBlocked", "captcha_required"),
        (["access denied"], "WebBlocked", "http_403"),
        (["Suspended: too many requests"], "WebBlocked", "http_429"),
        (["timeout"], "BadGateway", "engines_failed"),
        (["HTTP connection error", "unexpected crash"], "BadGateway", "engines_failed"),
        (["暂停服务: HTTP 连接错误"], "BadGateway", "engines_failed"),
    ],
)
def test_engines_failed(reasons: list[str], code: str, detail: str) -> None:
    """No results because engines failed is a failure that names engines and reasons."""
    rows = [[f"engine{n}", reason] for n, reason in enumerate(reasons)]

    with pytest.raises(SearchError) as caught:
        read(SearchRequest("q"), answer(unresponsive=rows))

    assert (caught.value.code, caught.value.detail_code) == (code, detail)
    assert caught.value.engines == tuple(EngineFailure(*pair) for pair in rows)
    assert all(reason in str(caught.value) for reason in reasons)


@pytest.mark.spec("H4")
def test_partial_failure() -> None:
    """Results beside failed engines are an answer that tells of the failures."""
    reply = answer(row(), unresponsive=[["brave", "timeout"], ["brave", "timeout"]])

    response = read(SearchRequest("q"), reply)

    assert len(response.items) == 1
    (error,) = response.errors
    assert error.engines == (EngineFailure("brave", "timeout"),)


@pytest.mark.parametrize(
    "rows",
    [None, "x", [None, 3, [], [None]], [["a"]], [["a\x00<b>b</b>", "x" * 500, "z"]]],
)
def test_odd_engine_lists(rows: Any) -> None:
    """An odd list of failed engines spoils nothing."""
    body = {"results": [row()], "unresponsive_engines": rows}
    reply = Reply(200, {}, dump(body))

    assert len(read(SearchRequest("q"), reply).items) == 1


@pytest.mark.spec("B5")
@pytest.mark.parametrize(
    ("body", "kind", "detail"),
    [
        (b"<html><title>Sign in</title>", "text/html; charset=utf-8", "not_searxng"),
        (b'{"status": "ok"}', "application/json", "not_searxng"),
        (b'{"results": {}}', "application/json", "not_searxng"),
        (b"[]", "application/json", "not_searxng"),
        (b"null", "application/json", "not_searxng"),
        (b"", "application/json", "not_json"),
        (b'{"results": [', "application/json", "not_json"),
    ],
)
def test_other_programs(body: bytes, kind: str, detail: str) -> None:
    """200 from another program is told, not taken for an empty result."""
    reply = Reply(200, {"content-type": kind}, body)

    with pytest.raises(SearchError) as caught:
        read(SearchRequest("q"), reply)

    assert caught.value.code == "WebParseError"
    assert caught.value.detail_code == detail


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@pytest.mark.spec("B7")
@given(
    st.fixed_dictionaries({}, optional=dict.fromkeys(row(), JSON)),
    st.fixed_dictionaries({}, optional=dict.fromkeys(envelope(), JSON)),
)
def test_any_json(result: dict[str, Any], changes: dict[str, Any]) -> None:
    """Whatever stands in the fields, there is an answer or one of our errors."""
    logging.disable(logging.WARNING)
    body = {**envelope(result, row()), **changes}
    reply = Reply(200, {}, dump(body))
    try:
        response = read(SearchRequest("q"), reply)
    except SearchError:
        return
    finally:
        logging.disable(logging.NOTSET)

    assert all(isinstance(item.title, str) for item in response.items)


STATUSES = {
    400: "InvalidInput http_400",
    401: "AuthError http_401",
    403: "AuthError http_403",
    404: "WebParseError http_404",
    414: "InvalidInput http_414",
    429: "WebBlocked http_429",
    **{number: f"BadGateway http_{number}" for number in (500, 502, 503, 504)},
    **dict.fromkeys((301, 308), "WebParseError redirect"),
    **dict.fromkeys((204, 405), "WebParseError not_searxng"),
}


@pytest.mark.spec("B5", "B6", "H8")
@pytest.mark.parametrize("status", STATUSES)
def test_statuses(status: int) -> None:
    """Each status has its own error, with the server's Retry-After."""
    error = status_error(Reply(status, {"retry-after": "42"}, b"<title>canary</title>"))

    assert error is not None
    assert f"{error.code} {error.detail_code}" == STATUSES[status]
    assert error.retry_after == 42
    assert "canary" not in str(error)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Invalid value zh_CN for parameter language", "the value of language"),
        ("canary", "refuses the request"),
    ],
)
def test_refused_parameter(said: str, shown: str) -> None:
    """A refused parameter is named, without the rest of the server's words."""
    error = status_error(Reply(400, {}, dump({"error": said})))

    assert shown in str(error)
    assert "canary" not in str(error)
