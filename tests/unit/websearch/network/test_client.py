"""The door to the network holds against broken and hostile servers."""

import asyncio
import gc
import gzip
import socket
from collections.abc import AsyncIterator
from contextlib import nullcontext

import pytest
from support.search.counting import until
from support.servers.loopback import Answer, served
from support.servers.raw_http import HEAD, get, raw

from websearch.errors import NetworkError
from websearch.network.client import MAX_BYTES, MAX_CONNECTIONS, HttpClient


@pytest.fixture
async def http() -> AsyncIterator[HttpClient]:
    client = HttpClient()
    yield client
    await client.aclose()


async def test_headers() -> None:
    """Requests say truthfully who asks, and ask only for packings we undo."""
    with served(lambda _: Answer("{}")) as server:
        await get(server.url)

    headers = server.requests[0].headers
    assert headers["user-agent"].startswith("websearch-chat/")
    assert headers["accept-encoding"] == "gzip"


@pytest.mark.parametrize("members", [1, 3])
async def test_packed(members: int) -> None:
    """A packed answer is unpacked, also one packed in several pieces."""
    text = b'{"a": 12345}'
    cuts = range(0, len(text), len(text) // members)
    packed = b"".join(gzip.compress(text[c : c + len(text) // members]) for c in cuts)
    answer = Answer(packed, headers={"Content-Encoding": "gzip"})
    with served(lambda _: answer) as server:
        assert (await get(server.url)).json() == {"a": 12345}


@pytest.mark.parametrize(
    "padding", [bytes(1), bytes(1000), b"\x1f", b"\x1f\x00", b"\x00\x1f\x8b", b"junk"]
)
@pytest.mark.parametrize("is_split", [False, True])
async def test_padded(padding: bytes, *, is_split: bool) -> None:
    """Bytes after a complete gzip member are dropped where they begin no other."""
    members = gzip.compress(b"[1,") + gzip.compress(b"2]")
    body = [members + padding]
    if is_split:
        body = [bytes([byte]) for byte in members + padding[:50]]
    head = HEAD + b"Content-Encoding: gzip\r\nConnection: close\r\n\r\n"
    with served(lambda _: raw(head, *body)) as server:
        assert (await get(server.url)).json() == [1, 2]


@pytest.mark.spec("I8", "N6")
async def test_redirects() -> None:
    """A redirect is an answer, never followed: not even an endless one costs more."""
    answer = Answer(status=302, headers={"Location": "/again"})
    with served(lambda _: answer) as server:
        reply = await get(server.url)

    assert (reply.status, len(server.requests)) == (302, 1)


async def test_no_cookies(http: HttpClient) -> None:
    """A server can't mark its visitors: no cookie is kept or sent."""
    answer = Answer("{}", headers={"Set-Cookie": "id=1; Path=/"})
    with served(lambda _: answer) as server:
        await http.request("GET", server.url)
        await http.request("GET", server.url)

    assert "cookie" not in server.requests[1].headers


async def test_pool(http: HttpClient) -> None:
    """Requests one after the other share one connection."""
    with served(lambda _: Answer("{}")) as server:
        for _ in range(5):
            await http.request("GET", server.url)

    assert server.connections == 1


@pytest.mark.spec("N6")
async def test_cancelled_bursts(http: HttpClient) -> None:
    """Bursts of searches that are given up leave the way free for the next one."""
    slow = Answer("{}", delay=0.5)
    with served(lambda _: slow) as server:
        for _ in range(3):
            burst = [
                asyncio.create_task(http.request("GET", server.url)) for _ in range(100)
            ]
            await asyncio.sleep(0.05)
            for task in burst:
                task.cancel()
            await asyncio.gather(*burst, return_exceptions=True)
        server.script = lambda _: Answer('{"a": 1}')
        async with asyncio.timeout(5):
            replies = await asyncio.gather(
                *(http.request("GET", server.url) for _ in range(40))
            )

    assert [reply.status for reply in replies] == [200] * 40


async def test_places(http: HttpClient) -> None:
    """No more than so many requests run at once; the others wait, and are not lost."""
    with served(lambda _: Answer("{}", delay=0.05)) as server:
        await asyncio.gather(*(http.request("GET", server.url) for _ in range(80)))

    assert len(server.requests) == 80
    assert 2 <= server.most_at_once <= MAX_CONNECTIONS


@pytest.mark.spec("B5")
@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://127.0.0.1:{closed}", "refused"),
        ("http://no-such-host.invalid/", "dns"),
        ("https://127.0.0.1:{plain}", "tls"),
    ],
)
async def test_no_connection(url: str, code: str) -> None:
    """A closed port, an unknown name and a port without TLS are told apart."""
    with served(lambda _: Answer("{}")) as plain:
        with served(lambda _: Answer("{}")) as closed:
            pass
        with pytest.raises(NetworkError) as caught:
            await get(url.format(closed=closed.port, plain=plain.port))

    assert caught.value.detail_code == code


async def test_silent_tls(http: HttpClient) -> None:
    """Connections whose TLS handshake is given up are closed, and not by chance."""
    ended = []

    async def say_nothing(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        while await reader.read(1_000):
            pass
        ended.append(writer)
        writer.close()

    server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    gc.disable()  # it would find most of them some day
    try:
        for _ in range(5):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await http.request("GET", url)
        await until(lambda: len(ended) == 5)
    finally:
        gc.enable()
    server.close()


@pytest.mark.spec("B5", "G4")
async def test_refused_on_both_families(monkeypatch: pytest.MonkeyPatch) -> None:
    """`localhost` with two addresses is refused as one: asyncio words it otherwise."""
    with served(lambda _: Answer("{}")) as server:
        port = server.port

    async def both(*_: object, **__: object) -> list[tuple[object, ...]]:
        tcp = (socket.SOCK_STREAM, socket.IPPROTO_TCP, "")
        return [
            (socket.AF_INET6, *tcp, ("::1", port, 0, 0)),
            (socket.AF_INET, *tcp, ("127.0.0.1", port)),
        ]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", both)
    with pytest.raises(NetworkError) as caught:
        await get(f"http://localhost:{port}")

    assert caught.value.detail_code == "refused"


@pytest.mark.parametrize(
    ("status", "headers", "tries"),
    [
        (502, {}, 2),
        (503, {}, 2),
        (503, {"Retry-After": "120"}, 1),
        (500, {}, 1),
        (429, {}, 1),
        (None, {}, 2),
    ],
)
async def test_retry(status: int | None, headers: dict[str, str], tries: int) -> None:
    """A busy proxy that names no time, and a connection that closes before any answer,
    are tried once more, and only once; a refusal or a fault is not."""
    answer = Answer("{}", status, headers) if status else raw()
    failing = nullcontext() if status else pytest.raises(NetworkError)
    with served(lambda _: answer) as server, failing:
        reply = await get(server.url)

    assert len(server.requests) == tries
    if headers:
        assert reply.retry_after == 120


@pytest.mark.spec("N6")
async def test_cap_is_exact() -> None:
    """A body of just the largest size still passes."""
    with served(lambda _: Answer(b'"' + b"a" * (MAX_BYTES - 2) + b'"')) as server:
        assert len((await get(server.url)).body) == MAX_BYTES
