"""Faults of a proxy are reported as its own, and those of an engine are not."""

import asyncio
import socket
import ssl

import pytest
from support.counting import until
from support.loopback import Answer, Loopback, Raw, served
from support.proxied import BAIDU, DDG, failure, pages
from support.proxy import proxying

from websearch.config.address import BaseAddress
from websearch.errors import NetworkError, Timeout
from websearch.network.client import HttpClient


@pytest.mark.parametrize("pair", ["", "u:wrong@"], ids=["none", "wrong"])
async def test_wrong_credentials(routes: dict[str, int], pair: str) -> None:
    """A proxy that wants other credentials is told as that, and asked once."""
    with proxying(routes, credentials="u:p") as proxy:
        error = await failure(proxy.url.replace("://", f"://{pair}"))

    assert isinstance(error, NetworkError)
    assert error.detail_code == "proxy_auth"
    assert str(error) == "DuckDuckGo: The proxy wants other credentials (407)"
    assert len(proxy.asked) == 1


async def test_wrong_credentials_for_http() -> None:
    """A response of the proxy in place of the page is reported as the proxy's."""
    with proxying({}, credentials="u:p") as proxy:
        http = HttpClient(proxy=BaseAddress(proxy.url))
        with pytest.raises(NetworkError) as caught:
            await http.request("GET", "http://page.example/")
        await http.aclose()

    assert caught.value.detail_code == "proxy_auth"


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        (Answer(status=403), "proxy_refuses"),
        (Answer(status=405), "proxy_refuses"),
        (
            Answer(status=302, headers={"Location": "https://x.example"}),
            "proxy_refuses",
        ),
        (Answer(status=502), "proxy_fails"),
        (Answer(status=503), "proxy_fails"),
        (lambda: iter([]), "proxy_not_http"),
        (lambda: iter([b"HTTP/1.1 200"]), "proxy_not_http"),
        (lambda: iter([b"\x05\xff canary"]), "proxy_not_http"),
    ],
    ids=["403", "405", "302", "502", "503", "hangs up", "breaks off", "socks"],
)
async def test_faults(trusted: None, answer: Answer | Raw, detail: str) -> None:
    """Faults of the proxy are never reported as the engine's, nor quoted."""
    with served(lambda _: answer) as proxy:
        error = await failure(proxy.url)

    assert error.detail_code == detail
    assert "proxy" in str(error)
    assert "canary" not in str(error)
    assert error.facts["proxy"] == proxy.url
    assert len(proxy.requests) == 1


@pytest.mark.parametrize(
    ("address", "detail", "words"),
    [
        ("http://127.0.0.1:{closed}", "proxy_unreachable", "nothing listens on that"),
        ("http://no-such-proxy.invalid:7890", "proxy_unreachable", ""),
        ("https://127.0.0.1:{plain}", "proxy_not_http", ""),
    ],
    ids=["down", "unknown name", "no encryption"],
)
async def test_no_proxy(trusted: None, address: str, detail: str, words: str) -> None:
    """A wrong address of a proxy is told as that."""
    with served(pages) as plain:
        with served(pages) as closed:
            pass
        error = await failure(address.format(closed=closed.port, plain=plain.port))

    assert error.detail_code == detail
    assert words in str(error)


async def test_silent(trusted: None) -> None:
    """A proxy that says nothing costs the time limit, and is named at its end."""
    with served(lambda _: lambda: iter([30.0])) as proxy:
        error = await failure(proxy.url, WEB_FETCH_TIMEOUT_MS="200")

    assert isinstance(error, Timeout)
    assert error.detail_code == "proxy_silent"
    assert error.facts["proxy"] == proxy.url


async def test_silent_engine(routes: dict[str, int], page_engine: Loopback) -> None:
    """An engine that says nothing behind a good proxy is not the proxy's fault."""
    page_engine.script = lambda _: lambda: iter([30.0])
    with proxying(routes) as proxy:
        error = await failure(proxy.url, WEB_FETCH_TIMEOUT_MS="2000")

    assert isinstance(error, Timeout)
    assert error.detail_code is None


async def test_untrusted_engine(page_tls: ssl.SSLContext) -> None:
    """A certificate that nobody trusts is the engine's fault, whoever carries it."""
    with (
        served(pages, tls=page_tls) as engine,
        proxying({f"{DDG}:443": engine.port}) as proxy,
    ):
        error = await failure(proxy.url)

    assert error.detail_code == "tls"
    assert engine.requests == []


async def test_hang_up_of_the_engine(
    routes: dict[str, int], page_engine: Loopback
) -> None:
    """An engine that hangs up is asked once more, through a new tunnel."""
    page_engine.script = lambda _: lambda: iter([])
    with proxying(routes) as proxy:
        error = await failure(proxy.url)

    assert error.detail_code == "disconnected"
    assert len(proxy.asked) == 2


async def test_nothing_is_left(trusted: None) -> None:
    """Tunnels whose encryption failed, or was given up, are closed."""
    with (
        served(pages) as plain,
        served(lambda _: Answer()) as other,
        socket.create_server(("127.0.0.1", 0)) as silent,
        proxying(
            {f"{DDG}:443": plain.port, f"{BAIDU}:443": silent.getsockname()[1]}
            | {"page.example:80": other.port}
        ) as proxy,
    ):
        http = HttpClient(proxy=BaseAddress(proxy.url))
        await http.request("GET", "http://page.example/")
        with pytest.raises(NetworkError):
            await http.request("GET", f"https://{DDG}/")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await http.request("GET", f"https://{BAIDU}/")
        await until(lambda: proxy.open == 0)
        await http.aclose()

    assert proxy.asked == ["http://page.example/", f"{DDG}:443", f"{BAIDU}:443"]


async def test_failure_beside_a_request(
    routes: dict[str, int], page_engine: Loopback
) -> None:
    """A tunnel that fails leaves those alone through which others still ask."""
    page_engine.script = lambda _: Answer("late", delay=0.4)
    with proxying(routes) as proxy:
        http = HttpClient(proxy=BaseAddress(proxy.url))
        under_way = asyncio.create_task(http.request("GET", f"https://{DDG}/"))
        await until(lambda: bool(page_engine.requests))
        with pytest.raises(NetworkError):
            await http.request("GET", "https://unknown.example/")
        reply = await under_way
        await until(lambda: proxy.open == 0)
        await http.aclose()

    assert reply.text == "late"
