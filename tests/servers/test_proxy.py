"""Web pages are read through the user's proxy, whose faults are told as its own."""

import asyncio
import socket
import ssl

import pytest
from support.doctor import told
from support.search.counting import until
from support.servers.loopback import Answer, Loopback, Raw, Script, served
from support.servers.proxied import BAIDU, DDG, failure, pages, search
from support.servers.proxy import proxying

from websearch.config.address import BaseAddress
from websearch.config.settings import Settings
from websearch.doctor import adiagnose, adiagnose_reading
from websearch.errors import NetworkError, SearchError, Timeout
from websearch.factory import create_reader
from websearch.network.client import HttpClient

PAIR = "canary-user:canary-pass%2F"
LIMIT = {"WEB_FETCH_TIMEOUT_MS": "2000"}


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


async def read(settings: Settings) -> SearchError:
    """The error of a page that is read through the proxy."""
    reader = create_reader(settings)
    try:
        with pytest.raises(SearchError) as caught:
            await reader.aread("https://page.example/")
    finally:
        await reader.aclose()
    return caught.value


FAULTS: dict[str, tuple[Answer | Raw, str]] = {
    "407": (Answer(status=407), "proxy_auth"),
    "403": (Answer(status=403), "proxy_refuses"),
    "302": (
        Answer(status=302, headers={"Location": "https://x.example"}),
        "proxy_refuses",
    ),
    "502": (Answer(status=502), "proxy_fails"),
    "hangs up": (lambda: iter([]), "proxy_not_http"),
    "breaks off": (lambda: iter([b"HTTP/1.1 200"]), "proxy_not_http"),
    "socks": (lambda: iter([b"\x05\xff canary"]), "proxy_not_http"),
    "silent": (lambda: iter([30.0]), "proxy_silent"),
}


@pytest.mark.parametrize(("answer", "detail"), FAULTS.values(), ids=FAULTS)
async def test_faults(trusted: None, answer: Answer | Raw, detail: str) -> None:
    """
    A search, a page and both doctors tell a fault of the proxy as the proxy's.

    Nobody quotes the proxy, or shows its credentials.
    """
    with served(lambda _: answer) as proxy:
        address = proxy.url.replace("://", "://canary-user:canary-pass@")
        error = await failure(address, WEB_FETCH_TIMEOUT_MS="400")
        assert len(proxy.requests) <= 1
        settings = Settings.model_validate(
            {"WEB_FETCH_PROXY": address, "WEB_FETCH_TIMEOUT_MS": "400"}
        )
        page = await read(settings)
        diagnosis = await adiagnose(settings, backend="ddg_html")
        reading = await adiagnose_reading(settings)

    is_silent = detail == "proxy_silent"
    assert error.detail_code == detail
    assert "proxy" in str(error)
    assert error.facts["proxy"] == proxy.url
    assert page.detail_code == ("page_slow" if is_silent else detail)
    assert diagnosis.main.cause == ("proxy_unreachable" if is_silent else detail)
    assert told(diagnosis)[0] == "reachable failed"
    # The doctor asks for an address of the proxy's own: any answer shows that it works.
    works = detail in {"proxy_refuses", "proxy_fails"}
    assert reading.main.cause == ("reading_proxied" if works else "reading_no_proxy")
    for language in ("zh-CN", "en-US"):
        for main in (diagnosis.main, reading.main):
            assert proxy.url in main.advice(language).cause
            assert "…" not in main.advice(language).cause
        printed = f"{diagnosis.as_dict(language)}{reading.as_dict(language)}"
        assert "canary" not in f"{printed}{error}{error.facts}{page}"


async def test_wrong_credentials_for_http() -> None:
    """A response of the proxy in place of the page is reported as the proxy's."""
    with proxying({}, credentials="u:p") as proxy:
        http = HttpClient(proxy=BaseAddress(proxy.url))
        with pytest.raises(NetworkError) as caught:
            await http.request("GET", "http://page.example/")
        await http.aclose()

    assert caught.value.detail_code == "proxy_auth"


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


@pytest.mark.parametrize(
    ("script", "code", "tunnels"),
    [
        (lambda _: lambda: iter([30.0]), "Timeout", 1),
        # Asked once more, through a new tunnel.
        (lambda _: lambda: iter([]), "NetworkError (disconnected)", 2),
    ],
    ids=["silent", "hangs up"],
)
async def test_engine_at_fault(
    routes: dict[str, int],
    page_engine: Loopback,
    script: Script,
    code: str,
    tunnels: int,
) -> None:
    """An engine that fails behind a good proxy is not the proxy's fault."""
    page_engine.script = script
    with proxying(routes) as proxy:
        error = await failure(proxy.url, **LIMIT)

    assert (error.full_code, len(proxy.asked)) == (code, tunnels)


async def test_untrusted_engine(page_tls: ssl.SSLContext) -> None:
    """A certificate that nobody trusts is the engine's fault, whoever carries it."""
    with (
        served(pages, tls=page_tls) as engine,
        proxying({f"{DDG}:443": engine.port}) as proxy,
    ):
        error = await failure(proxy.url)

    assert error.detail_code == "tls"
    assert engine.requests == []


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


async def test_engine_behind_it(routes: dict[str, int], page_engine: Loopback) -> None:
    """The doctor asks through the proxy, and tells an engine's failure as its own."""
    with proxying(routes) as proxy:
        settings = Settings.model_validate({"WEB_FETCH_PROXY": proxy.url, **LIMIT})
        works = await adiagnose(settings, backend="ddg_html")
        page_engine.script = lambda _: Answer(status=500)
        fails = await adiagnose(settings, backend="ddg_html")

    assert works.main.cause == "engine_works"
    assert fails.main.cause == "engine_fails"
    assert proxy.asked
