"""The SearXNG backend: what it sends, and what it makes of every kind of answer."""

import base64
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import respx
from support.servers.searxng_pages import envelope, row

from websearch.config.address import BaseAddress
from websearch.engines import Searxng
from websearch.models import SearchRequest
from websearch.network.client import HttpClient

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
