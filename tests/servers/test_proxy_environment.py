"""The proxy of the environment serves as users of httpx expect, but not loopback."""

from collections.abc import Iterator
from contextlib import nullcontext, suppress

import pytest
from support.servers.loopback import Answer, Loopback, served, serving
from support.servers.proxied import DDG, pages, search
from support.servers.proxy import Proxy, proxying

from websearch.config.address import BaseAddress
from websearch.config.settings import Settings
from websearch.doctor.diagnose import adiagnose
from websearch.errors import NetworkError
from websearch.factory import create_service
from websearch.network.client import HttpClient
from websearch.network.response import Reply

HOST = "page.example"


page = serving(lambda _: Answer("{}"))


@pytest.fixture
def proxy(page: Loopback) -> Iterator[Proxy]:
    """A proxy that knows one host, which no name server knows."""
    with proxying({f"{HOST}:80": page.port}) as started:
        yield started


async def get(url: str = f"http://{HOST}/", **options: BaseAddress) -> Reply:
    http = HttpClient(**options)
    try:
        return await http.request("GET", url)
    finally:
        await http.aclose()


@pytest.mark.parametrize(
    ("name", "scheme"),
    [
        ("HTTP_PROXY", "http://"),
        ("http_proxy", "http://"),
        ("ALL_PROXY", "http://"),
        ("HTTP_PROXY", ""),  # `host:port` means an HTTP proxy
    ],
)
async def test_http(
    monkeypatch: pytest.MonkeyPatch, proxy: Proxy, name: str, scheme: str
) -> None:
    """A host that is not this machine is asked through the proxy of the environment."""
    monkeypatch.setenv(name, proxy.url.replace("http://", scheme))

    assert (await get()).status == 200
    assert proxy.asked == [f"http://{HOST}/"]


@pytest.mark.parametrize("name", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
async def test_https(
    monkeypatch: pytest.MonkeyPatch, routes: dict[str, int], name: str
) -> None:
    """An engine is asked through a tunnel where WEB_FETCH_PROXY is not set."""
    with proxying(routes, credentials="u:p") as proxy:
        monkeypatch.setenv(name, proxy.with_credentials("u:p"))
        service = create_service(backend="ddg_html")
        found = await service.asearch("weather")
        await service.aclose()

    assert len(found.items) == 1
    assert proxy.asked == [f"{DDG}:443"]


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "127.8.8.8", "[::1]", "localhost.", "app.localhost"],
)
async def test_loopback(
    monkeypatch: pytest.MonkeyPatch, page: Loopback, proxy: Proxy, host: str
) -> None:
    """This machine is never asked through it, by none of its names."""
    for name in ("HTTP_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, proxy.url)

    with suppress(NetworkError):  # not every system resolves all of them
        await get(f"http://{host}:{page.port}/")

    assert proxy.asked == []
    assert page.requests or host not in {"127.0.0.1", "localhost"}


@pytest.mark.parametrize(
    ("hosts", "is_direct"),
    [
        (HOST, True),
        ("x.example, .example", True),
        ("*.example", True),
        (f"http://{HOST}", True),
        (f"*.x{HOST}", False),
        ("*", True),
        ("x.example, *", True),
        (f"{HOST}:80", True),
        (f"::1, {HOST.upper()}", True),
        (f"{HOST}:8080", False),
        (f"x{HOST}:80", False),
        (f"{HOST}:x", False),
        ("::1,:80,[::1", False),
        ("", False),
    ],
)
async def test_no_proxy(
    monkeypatch: pytest.MonkeyPatch, proxy: Proxy, hosts: str, is_direct: bool
) -> None:
    """Hosts that NO_PROXY names are asked directly, on the port that it names."""
    monkeypatch.setenv("HTTP_PROXY", proxy.url)
    monkeypatch.setenv("NO_PROXY", hosts)

    with pytest.raises(NetworkError) if is_direct else nullcontext():
        await get()  # only the proxy knows the host

    assert proxy.asked == ([] if is_direct else [f"http://{HOST}/"])


async def test_own_setting_first(
    monkeypatch: pytest.MonkeyPatch, routes: dict[str, int]
) -> None:
    """WEB_FETCH_PROXY goes before the environment, and before NO_PROXY."""
    with proxying(routes) as ours, proxying(routes) as other:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "https_proxy"):
            monkeypatch.setenv(name, other.url)
        monkeypatch.setenv("NO_PROXY", "*")
        await search(ours.url)

    assert (len(ours.asked), other.asked) == (1, [])


async def test_no_http_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A SOCKS proxy can't be used; it is named without its credentials."""
    monkeypatch.setenv("ALL_PROXY", "socks5://canary:canary@127.0.0.1:7891")

    with pytest.raises(NetworkError) as caught:
        await get()

    assert caught.value.detail_code == "proxy_not_http"
    assert caught.value.facts["proxy"].endswith("@127.0.0.1:7891")
    assert "canary" not in f"{caught.value}{caught.value.facts}"


async def test_doctor(monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor names such a proxy where it keeps us from SearXNG."""
    with served(pages) as proxy:
        pass
    monkeypatch.setenv("HTTP_PROXY", proxy.url)
    settings = Settings.model_validate({"SEARXNG_BASE_URL": "http://searx.example"})

    diagnosis = await adiagnose(settings, backend="searxng")

    assert diagnosis.main.cause == "proxy_unreachable"
    assert f"SearXNG is asked through the proxy {proxy.url}" in (
        diagnosis.main.advice("en-US").cause
    )
