"""A proxy for a page of the browser, which connects to checked addresses only."""

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Self

import httpcore

from websearch.config import BaseAddress
from websearch.errors import SearchError, Timeout, WebParseError
from websearch.fetch.address_policy import AddressPolicy, Target
from websearch.fetch.guard import Guard
from websearch.network.client import tls_context
from websearch.network.errors import network_error

_MOST_HEAD: Final = 32_000
_HEAD_SECONDS: Final = 10.0
_CONNECT_SECONDS: Final = 10.0
_PIECE: Final = 65_536
_MOST_CONNECTIONS: Final = 200
_MOST_BYTES: Final = 10_000_000
_UNREACHABLE: Final = (httpcore.NetworkError, httpcore.TimeoutException, OSError)

# Headers between the browser and us; the next hop gets our own.
_HOP: Final = (b"connection:", b"keep-alive:", b"proxy-")
_REFUSED: Final = (
    b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
)
_OPENED: Final = b"HTTP/1.1 200 OK\r\n\r\n"


@dataclass(frozen=True, slots=True)
class _Request:
    """The head of a request to a proxy."""

    method: str
    target: Target
    headers: list[bytes]

    @classmethod
    def parse(cls, head: bytes, policy: AddressPolicy) -> Self:
        """Read the head; ValueError if it is none, SearchError if it is refused."""
        first, *headers = head.rstrip(b"\r\n").split(b"\r\n")
        method, place, _ = first.decode("ascii").split(" ")
        if method == "CONNECT":
            scheme = "https" if place.endswith(":443") else "http"
            place = f"{scheme}://{place}/"
        return cls(method, policy.target(place), headers)

    @property
    def is_tunnel(self) -> bool:
        return self.method == "CONNECT"

    @property
    def body_size(self) -> int:
        """Bytes of the body; ValueError where the head does not tell."""
        for line in self.headers:
            name, _, value = line.partition(b":")
            if name.lower() == b"transfer-encoding":
                raise ValueError("a body of unknown length")
            if name.lower() == b"content-length":
                return int(value)
        return 0

    def head(self, proxy: BaseAddress | None) -> bytes:
        """The head for the server, or for the operator's *proxy* before it."""
        if self.is_tunnel:
            name = self.target.host
            host = f"[{name}]" if ":" in name else name
            host += f":{self.target.port}"
            lines = [f"CONNECT {host} HTTP/1.1".encode(), f"Host: {host}".encode()]
        else:
            url = self.target.url
            place = url if proxy else "/" + url.split("/", 3)[3]
            kept = [line for line in self.headers if not line.lower().startswith(_HOP)]
            lines = [f"{self.method} {place} HTTP/1.1".encode(), *kept]
            lines.append(b"Connection: close")
        if proxy and proxy.has_credentials:
            pair = f"{proxy.user or ''}:{proxy.password or ''}".encode()
            lines.append(b"Proxy-Authorization: Basic " + base64.b64encode(pair))
        return b"\r\n".join(lines) + b"\r\n\r\n"


class GuardedProxy:
    """
    All connections of one page go through here: documents, scripts, web sockets.

    Their addresses are checked as those of `web.fetch`, and their bytes are counted.
    *start* is the address of the page: a public page never leads inward.
    """

    def __init__(self, guard: Guard, start: Target) -> None:
        self._guard = guard
        self._start = start
        self._bytes_left = _MOST_BYTES
        self._connections_left = _MOST_CONNECTIONS
        self._tasks: set[asyncio.Task[None]] = set()
        self._has_begun = False  # the server of the page was reached
        self.failure: SearchError | None = None  # of the document, or of its size

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[BaseAddress]:
        """Serve on loopback, at the address that is yielded."""
        server = await asyncio.start_server(
            self._accept, "127.0.0.1", 0, limit=_MOST_HEAD, backlog=64
        )
        port = server.sockets[0].getsockname()[1]
        try:
            yield BaseAddress(f"http://127.0.0.1:{port}")
        finally:
            server.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        if task is None:
            return
        self._tasks.add(task)
        try:
            await self._answer(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # the browser hung up, or sent no request
        except asyncio.CancelledError:
            pass  # the page is closed; asyncio would log a cancelled handler
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _answer(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        async with asyncio.timeout(_HEAD_SECONDS):
            head = await reader.readuntil(b"\r\n\r\n")
        request = None
        try:
            request = _Request.parse(head, self._guard.policy)
            self._guard.policy.check_redirect(self._start, request.target)
            self._connections_left -= 1
            if self._connections_left < 0:
                raise ValueError("too many connections")
            if (body_size := request.body_size) > self._bytes_left:
                raise ValueError("too large")
            stream, proxy = await self._connect(request.target)
        except (SearchError, ValueError, *_UNREACHABLE) as error:
            self._note(request, error)
            writer.write(_REFUSED)
            await writer.drain()
            return
        self._has_begun = self._has_begun or self._is_start(request.target)
        try:
            if request.is_tunnel and proxy is None:
                writer.write(_OPENED)
            else:  # a proxy's own answer tells the browser whether the tunnel is open
                await stream.write(request.head(proxy))
            if request.is_tunnel:
                await self._both_ways(reader, writer, stream)
            else:
                await self._send(reader, stream, body_size)
                writer.write(await _closing_head(stream))
                await self._receive(stream, writer)
        except httpcore.NetworkError:
            pass  # the server hung up
        finally:
            await stream.aclose()

    def _is_start(self, target: Target) -> bool:
        start = self._start
        return (target.host, target.port) == (start.host, start.port)

    async def _connect(
        self, target: Target
    ) -> tuple[httpcore.AsyncNetworkStream, BaseAddress | None]:
        """A checked connection: to the server, or to the operator's proxy before it."""
        proxy = self._guard.proxy_of(target.url)
        if proxy is None:
            stream = await self._guard.connect_tcp(
                target.host, target.port, _CONNECT_SECONDS
            )
            return stream, None
        await self._guard.check_before_proxy(target.host, target.port)
        stream = await self._guard.connections.connect_tcp(
            proxy.host, proxy.port, _CONNECT_SECONDS
        )
        if proxy.url.startswith("https:"):
            stream = await stream.start_tls(tls_context(), proxy.host, _CONNECT_SECONDS)
        return stream, proxy

    async def _both_ways(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        stream: httpcore.AsyncNetworkStream,
    ) -> None:
        """Pass bytes in both directions until one side ends."""
        ways = [
            asyncio.create_task(self._send(reader, stream, _MOST_BYTES)),
            asyncio.create_task(self._receive(stream, writer)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _send(
        self,
        reader: asyncio.StreamReader,
        stream: httpcore.AsyncNetworkStream,
        left: int,
    ) -> None:
        while left and (piece := await reader.read(min(left, _PIECE))):
            self._count(piece)
            left -= len(piece)
            await stream.write(piece)

    async def _receive(
        self, stream: httpcore.AsyncNetworkStream, writer: asyncio.StreamWriter
    ) -> None:
        while piece := await stream.read(_PIECE):
            self._count(piece)
            writer.write(piece)
            await writer.drain()

    def _count(self, piece: bytes) -> None:
        self._bytes_left -= len(piece)
        if self._bytes_left < 0:
            self.failure = self.failure or WebParseError(
                "The page loads too much.", detail_code="page_too_large"
            )
            raise ConnectionAbortedError

    def _note(self, request: _Request | None, error: Exception) -> None:
        """Keep the failure of the document; of what comes later the page has less."""
        if request is None or self._has_begun or not self._is_start(request.target):
            return
        if isinstance(error, httpcore.TimeoutException):
            error = Timeout("The page did not come in time.", detail_code="page_slow")
        known = error if isinstance(error, SearchError) else network_error(error)
        self.failure = self.failure or known


async def _closing_head(stream: httpcore.AsyncNetworkStream) -> bytes:
    """
    Read the beginning of an answer, and set `Connection: close` in its head.

    The browser then opens a new connection for its next request, which is checked.
    """
    begun = b""
    while b"\r\n\r\n" not in begun:
        piece = await stream.read(_PIECE)
        begun += piece
        if not piece or len(begun) > _MOST_HEAD + _PIECE:
            raise ConnectionAbortedError
    head, _, rest = begun.partition(b"\r\n\r\n")
    lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(_HOP)]
    return b"\r\n".join([*lines, b"Connection: close", b"", rest])
