"""Connections for the HTTP library by asyncio itself: a tenth less time a search."""

# ruff: noqa: ARG002  the signatures are the library's

import asyncio
import errno
import ipaddress
import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import httpcore

_HAPPY_EYEBALLS: Final = 0.25  # seconds until the other address family is tried too


class AsyncioBackend(httpcore.AsyncNetworkBackend):
    """Opens connections; their only time limit is the caller's deadline."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first address of *host* that answers."""
        with _raising(httpcore.ConnectError):
            try:
                reader, writer = await asyncio.open_connection(
                    host, port, happy_eyeballs_delay=_delay(host)
                )
            except OSError as error:
                raise _plain(error) from error
        return _Connection(reader, writer)


class _Connection(httpcore.AsyncNetworkStream):
    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._reader = reader
        self._writer = writer

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with _raising(httpcore.ReadError):
            return await self._reader.read(max_bytes)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        with _raising(httpcore.WriteError):
            self._writer.write(buffer)
            await self._writer.drain()

    async def aclose(self) -> None:
        # Not awaited: a server that never confirms the end must not hold a search.
        self._writer.close()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.AsyncNetworkStream:
        with _raising(httpcore.ConnectError):
            await self._writer.start_tls(ssl_context, server_hostname=server_hostname)
        return self

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":  # idle and readable: the server has hung up
            return self._reader.at_eof() or self._writer.is_closing()
        return self._writer.get_extra_info(info)


def _delay(host: str) -> float | None:
    """
    When to try the other address family beside the first; None: only after it.

    asyncio's race can forget a socket where it is cancelled as it ends. Where one
    address is all there is, or a refusal comes at once, nobody need race.
    """
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None if host == "localhost" else _HAPPY_EYEBALLS
    return None


def _plain(error: OSError) -> OSError:
    """
    What several addresses of a name have in common, for `localhost` above all.

    asyncio puts their errors into one text. Where one of them was refused, there is a
    machine, and no program on that port.
    """
    if error.errno is None and f"[Errno {errno.ECONNREFUSED}]" in str(error):
        return ConnectionRefusedError(errno.ECONNREFUSED, "refused")
    return error


@contextmanager
def _raising(kind: type[Exception]) -> Iterator[None]:
    try:
        yield
    except OSError as error:  # ssl.SSLError is one too
        raise kind from error
