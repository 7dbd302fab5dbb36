"""The proxy of a rendered page: checked connections, directly or by the operator's."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from support.pages.pages_web import HTML
from support.servers.loopback import Answer, Loopback, serving
from support.servers.proxy import proxying

from websearch.config import AllowedHosts, BaseAddress
from websearch.fetch.address_policy import AddressPolicy
from websearch.fetch.guard import Guard
from websearch.fetch.guarded_proxy import GuardedProxy
from websearch.network.client import Proxies

PUBLIC = "http://93.184.215.14/"


web = serving(lambda _: Answer("the page", 200, HTML))


def only_numbers(host: str, _port: int) -> list[str]:
    """A name server that knows no name."""
    if not host[0].isdigit():
        raise socket.gaierror
    return [host]


def guard_for(
    web: Loopback, start: str = "", proxies: Proxies | None = None
) -> GuardedProxy:
    policy = AddressPolicy(AllowedHosts.parse(f"127.0.0.1:{web.port}"))
    target = policy.target(start or web.url)
    return GuardedProxy(Guard(policy, proxies, resolve=only_numbers), target)


@asynccontextmanager
async def asked(guard: GuardedProxy, head: str) -> AsyncIterator[tuple[bytes, str]]:
    """The beginning of the answer to *head*, and to a request in the tunnel."""
    async with guard.serve() as address:
        reader, writer = await asyncio.open_connection(address.host, address.port)
        writer.write(f"{head}\r\n\r\n".encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        inside = b""
        if head.startswith("CONNECT") and b" 200 " in answer:
            writer.write(b"GET /inside HTTP/1.1\r\nHost: x\r\n\r\n")
            inside = await reader.readuntil(b"the page")
        yield answer, inside.decode()
        writer.close()


async def test_tunnel(web: Loopback) -> None:
    """A tunnel leads to an address that may be read."""
    head = f"CONNECT 127.0.0.1:{web.port} HTTP/1.1"
    async with asked(guard_for(web), head) as (_, inside):
        assert inside.endswith("the page")


async def test_one_request_a_connection(web: Loopback) -> None:
    """A request without TLS reaches the server as one that no other follows."""
    head = f"GET {web.url}/a?b=c HTTP/1.1\r\nProxy-Connection: keep-alive"
    async with asked(guard_for(web), head) as (answer, _):
        assert b"connection: close" in answer.lower()

    (request,) = web.requests
    assert request.target == "/a?b=c"
    assert request.headers["connection"] == "close"
    assert "proxy-connection" not in request.headers


@pytest.mark.parametrize(
    "head",
    [
        "CONNECT 127.0.0.1:1 HTTP/1.1",
        "CONNECT 10.0.0.1:443 HTTP/1.1",
        "CONNECT [::1]:443 HTTP/1.1",
        "GET http://localhost/ HTTP/1.1",
        "GET http://169.254.169.254/latest HTTP/1.1",
        "GET /page HTTP/1.1",
        "GET file:///etc/passwd HTTP/1.1",
        "nonsense",
    ],
)
async def test_refused(web: Loopback, head: str) -> None:
    """Everything else is refused, and nothing is connected."""
    async with asked(guard_for(web), head) as (answer, _):
        assert answer.startswith(b"HTTP/1.1 403 ")


async def test_body_of_unknown_length(web: Loopback) -> None:
    """A body whose end is not told is refused: another request could hide in it."""
    head = f"POST {web.url}/ HTTP/1.1\r\nTransfer-Encoding: chunked"
    async with asked(guard_for(web), head) as (answer, _):
        assert answer.startswith(b"HTTP/1.1 403 ")
    assert web.requests == []


async def test_public_page_never_leads_inward(web: Loopback) -> None:
    """A host that only the operator may name is closed to the page of another."""
    guard = guard_for(web, PUBLIC)
    async with asked(guard, f"GET {web.url}/ HTTP/1.1") as (answer, _):
        assert answer.startswith(b"HTTP/1.1 403 ")
    assert web.connections == 0


@pytest.mark.parametrize("method", ["CONNECT", "GET"])
async def test_through_the_proxy_of_the_operator(web: Loopback, method: str) -> None:
    """A site that only the operator's proxy knows is reached through it."""
    site = "site.example:80"
    place = site if method == "CONNECT" else f"http://{site}/a"
    with proxying({site: web.port}, credentials="me:secret") as proxy:
        address = BaseAddress.parse(proxy.with_credentials("me:secret"))
        guard = guard_for(web, PUBLIC, Proxies(address))
        async with asked(guard, f"{method} {place} HTTP/1.1") as (answer, _):
            assert b" 200 " in answer
        assert proxy.credentials == ["me:secret"]
