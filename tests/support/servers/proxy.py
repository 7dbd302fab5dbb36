"""A proxy on loopback: tunnels for https, plain requests for http, credentials."""

import asyncio
import base64
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from support.servers.loopback import listening


class Proxy:
    """A proxy: its address, its requests with credentials, its connections."""

    def __init__(self, routes: Mapping[str, int], credentials: str | None) -> None:
        self.asked: list[str] = []
        self.heads: list[str] = []
        self.credentials: list[str | None] = []
        self.scheme = "http"
        self.port = 0
        self.open = 0
        self._routes = routes
        self._wanted = credentials

    @property
    def url(self) -> str:
        return f"{self.scheme}://localhost:{self.port}"

    def with_credentials(self, pair: str) -> str:
        return self.url.replace("://", f"://{pair}@")

    async def serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.open += 1
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                method, target = self._noted(head)
                if (refusal := self._refusal()) is not None:
                    writer.write(refusal)
                    await writer.drain()
                elif method == "CONNECT":
                    return await self._tunnel(target, reader, writer)
                else:
                    return await self._forward(head, target, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client has gone
        except asyncio.CancelledError:
            writer.transport.abort()  # encryption would wait for a goodbye
            raise
        finally:
            self.open -= 1
            writer.close()
            with suppress(ConnectionError, ssl.SSLError):
                await writer.wait_closed()

    def _noted(self, head: bytes) -> tuple[str, str]:
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, _ = first.split(" ", 2)
        pairs = (line.partition(":") for line in lines if line)
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        scheme, _, given = headers.get("proxy-authorization", "").partition(" ")
        assert scheme in {"", "Basic"}
        self.asked.append(target)
        self.heads.append(head.decode("latin-1"))
        self.credentials.append(base64.b64decode(given).decode() if given else None)
        return method, target

    def _refusal(self) -> bytes | None:
        if self._wanted in {None, self.credentials[-1]}:
            return None
        return (
            b"HTTP/1.1 407 Proxy Authentication Required\r\n"
            b"Proxy-Authenticate: Basic realm=proxy\r\nContent-Length: 0\r\n\r\n"
        )

    async def _tunnel(
        self, target: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if target not in self._routes:
            writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
            return
        port = self._routes[target]
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await _both(reader, writer, far_reader, far_writer)

    async def _forward(
        self,
        head: bytes,
        target: str,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        parts = urlsplit(target)
        port = self._routes[f"{parts.hostname}:{parts.port or 80}"]
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        far_writer.write(head.replace(target.encode(), path.encode(), 1))
        await _both(reader, writer, far_reader, far_writer)


@contextmanager
def proxying(
    routes: Mapping[str, int],
    *,
    credentials: str | None = None,
    tls: ssl.SSLContext | None = None,
) -> Iterator[Proxy]:
    """A proxy that takes each `host:port` of *routes* to a port of 127.0.0.1."""
    proxy = Proxy(routes, credentials)
    proxy.scheme = "https" if tls else "http"
    with listening(proxy.serve, tls) as proxy.port:
        yield proxy


async def _both(
    near_reader: asyncio.StreamReader,
    near_writer: asyncio.StreamWriter,
    far_reader: asyncio.StreamReader,
    far_writer: asyncio.StreamWriter,
) -> None:
    """Carry bytes both ways until either side has gone, which ends the other."""
    await asyncio.gather(
        _carry(near_reader, far_writer), _carry(far_reader, near_writer)
    )


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while part := await reader.read(2**16):
            writer.write(part)
            await writer.drain()
    finally:
        writer.close()
