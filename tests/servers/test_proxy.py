"""Web pages are read through the user's proxy."""

import ssl

import pytest
from support.loopback import Answer, Loopback, served
from support.proxied import BAIDU, DDG, search
from support.proxy import proxying

from websearch.config.address import BaseAddress
from websearch.errors import Timeout
from websearch.network.client import HttpClient

PAIR = "canary-user:canary-pass%2F"


@pytest.mark.parametrize(("name", "host"), [("ddg_html", DDG), ("baidu_html", BAIDU)])
async def test_search(
    page_engine: Loopback, routes: dict[str, int], name: str, host: str
) -> None:
    """A search goes to the engine through a tunnel, and nowhere else."""
    with proxying(routes) as proxy:
        found = await search(proxy.url, name)

    assert len(found.items) == 1
    assert proxy.asked == [f"{host}:443"]
    assert [request.headers["host"] for request in page_engine.requests] == [host]


@pytest.mark.spec("H7")
@pytest.mark.parametrize("name", ["ddg_html", "baidu_html"])
async def test_all_settings(
    page_engine: Loopback, routes: dict[str, int], name: str
) -> None:
    """Time limit, proxy and User-Agent of web.fetch hold for engines with a page."""
    page_engine.script = lambda _: lambda: iter([30.0])
    with (
        proxying(routes, credentials="u:p") as proxy,
        pytest.raises(Timeout, match="within 2 s"),
    ):
        await search(
            proxy.with_credentials("u:p"),
            name,
            WEB_FETCH_TIMEOUT_MS="2000",
            WEB_FETCH_USER_AGENT="Reader/1.0 (me@example.org)",
        )

    (request,) = page_engine.requests
    assert request.headers["user-agent"] == "Reader/1.0 (me@example.org)"
    assert proxy.credentials == ["u:p"]


async def test_tunnel_is_blind(routes: dict[str, int]) -> None:
    """The proxy hears a host name, and neither query nor User-Agent."""
    with proxying(routes) as proxy:
        await search(proxy.url, WEB_FETCH_USER_AGENT="canary/1.0")

    (head,) = proxy.heads
    assert "weather" not in head
    assert "canary" not in head


async def test_encrypted_proxy(
    routes: dict[str, int], page_tls: ssl.SSLContext
) -> None:
    """A proxy that is itself spoken to by TLS carries the engine's TLS inside."""
    with proxying(routes, credentials="u:p", tls=page_tls) as proxy:
        found = await search(proxy.with_credentials("u:p"))

    assert len(found.items) == 1


async def test_credentials(page_engine: Loopback, routes: dict[str, int]) -> None:
    """User and password of the address reach the proxy, and never the engine."""
    with proxying(routes, credentials="canary-user:canary-pass/") as proxy:
        await search(proxy.with_credentials(PAIR))

    assert proxy.credentials == ["canary-user:canary-pass/"]
    assert "proxy-authorization" not in page_engine.requests[0].headers


async def test_pool(routes: dict[str, int]) -> None:
    """Requests one after the other share one tunnel."""
    with proxying(routes) as proxy:
        http = HttpClient(proxy=BaseAddress(proxy.url))
        for _ in range(3):
            await http.request("GET", f"https://{DDG}/")
        await http.aclose()

    assert len(proxy.asked) == 1


async def test_plain_http() -> None:
    """A page without encryption is asked for by its whole address."""
    with served(lambda _: Answer("{}")) as server:
        routes = {"page.example:80": server.port}
        with proxying(routes, credentials="u:p") as proxy:
            http = HttpClient(proxy=BaseAddress.parse(proxy.with_credentials("u:p")))
            reply = await http.request(
                "GET", "http://page.example/x", params={"a": "1"}
            )
            await http.aclose()

    assert reply.status == 200
    assert proxy.asked == ["http://page.example/x?a=1"]
    assert server.requests[0].target == "/x?a=1"
