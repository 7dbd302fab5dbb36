"""Convert errors of the HTTP libraries to NetworkError, without their text."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any, Final

import httpx

from websearch.config.address import BaseAddress
from websearch.errors import NetworkError, Stage

# Errors of a port of the proxy where another protocol is served.
_OTHER_PROTOCOL: Final = frozenset({"cut_off", "disconnected", "not_http", "tls"})


class RequestCut(Exception):
    """The cause of a cancelled request: the stage that it had reached."""

    def __init__(self, stage: Stage, proxy: str) -> None:
        super().__init__(stage)
        self.stage = stage
        self.proxy = proxy


class Progress:
    """
    Follow one request by httpcore's trace events: its stage, and the server at fault.

    A new connection has passed the proxy if encryption with the server behind
    it begins, or if the proxy itself takes the request; a reused one always has.
    """

    def __init__(self, proxy: BaseAddress | None, url: str) -> None:
        self._stage = Stage.CONNECT
        self._proxy = proxy
        self._is_tunnel = url.startswith("https:")
        self._socket: Any = None

    async def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Process an event of httpcore; passed to it as the extension `trace`."""
        if event == "connection.connect_tcp.started" and self._proxy:
            self._stage = Stage.PROXY
        elif event == "connection.connect_tcp.complete":
            self._socket = info["return_value"]
        elif event == (
            "proxy.start_tls.started"
            if self._is_tunnel
            else "http11.send_request_headers.started"
        ):
            self._stage = Stage.CONNECT

    def begun(self, status: int) -> None:
        """Note that the response began; 407 to plain http comes from the proxy."""
        self._stage = Stage.RECEIVE
        if (
            status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED
            and self._proxy
            and not self._is_tunnel
        ):
            raise _refusal(self._proxy, status)

    @asynccontextmanager
    async def own_errors(self) -> AsyncIterator[None]:
        """Raise only our errors; foreign texts can contain addresses and keys."""
        try:
            yield
        except asyncio.CancelledError as error:
            if self._socket:  # httpcore leaves it open if a TLS handshake is cancelled
                await self._socket.aclose()
            proxy = self._proxy.url if self._proxy else ""
            raise error from RequestCut(self._stage, proxy)
        except (httpx.LocalProtocolError, httpx.InvalidURL):
            raise NetworkError(
                "The request can't be sent: a setting holds a character that HTTP "
                "forbids",
                detail_code="not_http",
            ) from None
        except httpx.TransportError as error:
            if self._proxy and isinstance(error, httpx.ProxyError):
                status = int(str(error).partition(" ")[0])
                raise _refusal(self._proxy, status) from None
            if self._stage is Stage.RECEIVE:
                raise NetworkError.of("cut_off") from None
            found = network_error(error)
            if self._proxy is None or self._stage is not Stage.PROXY:
                raise found from None
            is_other = found.detail_code in _OTHER_PROTOCOL
            raise NetworkError(
                f"The proxy can't be used: {str(found)[0].lower()}{str(found)[1:]}",
                detail_code="proxy_not_http" if is_other else "proxy_unreachable",
                facts={"proxy": self._proxy.url},
            ) from None


def network_error(error: Exception) -> NetworkError:
    """Our error for one of the HTTP libraries before an answer began."""
    causes: list[BaseException] = [error]
    for cause in causes:  # grows by the causes of each, and the members of its group
        members = cause.exceptions if isinstance(cause, BaseExceptionGroup) else ()
        for inner in (cause.__cause__, cause.__context__, *members):
            if inner is not None and inner not in causes:
                causes.append(inner)

    def caused_by(kind: type[BaseException]) -> bool:
        return any(isinstance(cause, kind) for cause in causes)

    if caused_by(socket.gaierror):
        return NetworkError.of("dns")
    if caused_by(ssl.SSLError):
        return NetworkError.of("tls")
    if caused_by(ConnectionRefusedError):
        return NetworkError.of("refused")
    hung_up = "disconnected" in str(error)
    if isinstance(error, httpx.RemoteProtocolError) and not hung_up:
        return NetworkError.of("not_http")
    if hung_up or isinstance(error, (httpx.ReadError, httpx.WriteError)):
        return NetworkError.of("disconnected")
    return NetworkError.of("unreachable")


def _refusal(proxy: BaseAddress, status: int) -> NetworkError:
    """Make the error for a proxy's response that refuses the connection."""
    if status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
        code, words = "proxy_auth", "The proxy wants other credentials"
    elif status < HTTPStatus.INTERNAL_SERVER_ERROR:
        code, words = "proxy_refuses", "The proxy refuses to connect us"
    else:
        code, words = "proxy_fails", "The proxy can't reach the server"
    facts = {"proxy": proxy.url, "status": str(status)}
    return NetworkError(f"{words} ({status})", detail_code=code, facts=facts)
