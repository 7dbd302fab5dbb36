"""The way through the user's proxy: its pool, its errors, and how far a request is."""

import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, Final

import httpcore

from websearch.config.address import BaseAddress
from websearch.errors import NetworkError
from websearch.network.errors import TRANSPORT_ERRORS, network_error

AT_PROXY: Final = "while waiting for the proxy at "

_WITHOUT_HTTP: Final = frozenset({"cut_off", "disconnected", "not_http", "tls"})


class Way:
    """
    A request on its way, which has come past the proxy or not yet.

    A connection that is used again has; a new one has where encryption with the server
    behind the proxy begins, or where the proxy itself takes the request.
    """

    def __init__(self, proxy: BaseAddress, url: str) -> None:
        self.is_at_proxy = False
        self._proxy = proxy
        self._is_tunnel = url.startswith("https:")

    @property
    def stage(self) -> str:
        """What a deadline cuts off at the proxy, in words."""
        return f"{AT_PROXY}{self._proxy.url}"

    async def trace(self, event: str, _info: Mapping[str, Any]) -> None:
        """Follow the events of the HTTP library."""
        if event == "connection.connect_tcp.started":
            self.is_at_proxy = True
        elif event == (
            "proxy.start_tls.started"
            if self._is_tunnel
            else "http11.send_request_headers.started"
        ):
            self.is_at_proxy = False

    @contextmanager
    def own_errors(self) -> Iterator[None]:
        """Tell what the proxy did from what the server behind it did."""
        try:
            yield
        except httpcore.ProxyError as error:
            status = str(error).partition(" ")[0]
            raise self._refusal(int(status)) from None  # its text is the proxy's
        except httpcore.LocalProtocolError:
            raise
        except TRANSPORT_ERRORS as error:
            if self.is_at_proxy:
                raise self._failure(network_error(error)) from None
            raise

    def check(self, status: int) -> None:
        """Where a proxy answers in place of the server, for plain http only."""
        if status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED and not self._is_tunnel:
            raise self._refusal(status)

    def _refusal(self, status: int) -> NetworkError:
        if status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
            code, words = "proxy_auth", "The proxy wants other credentials"
        elif status < HTTPStatus.INTERNAL_SERVER_ERROR:
            code, words = "proxy_refuses", "The proxy refuses to connect us"
        else:
            code, words = "proxy_fails", "The proxy can't reach the server"
        facts = {"proxy": self._proxy.url, "status": str(status)}
        return NetworkError(f"{words} ({status})", detail_code=code, facts=facts)

    def _failure(self, error: NetworkError) -> NetworkError:
        is_other = error.detail_code in _WITHOUT_HTTP
        return NetworkError(
            f"The proxy can't be used: {str(error)[0].lower()}{str(error)[1:]}",
            detail_code="proxy_not_http" if is_other else "proxy_unreachable",
            facts={"proxy": self._proxy.url},
        )


class ProxyPool(httpcore.AsyncHTTPProxy):
    """Connections through a proxy: a tunnel for https, plain requests for http."""

    def __init__(
        self, proxy: BaseAddress, *, ssl_context: ssl.SSLContext, **options: Any
    ) -> None:
        is_encrypted = proxy.url.startswith("https:")
        super().__init__(
            proxy.url,
            proxy_auth=_credentials(proxy),
            ssl_context=ssl_context,
            proxy_ssl_context=ssl_context if is_encrypted else None,
            **options,
        )

    def create_connection(
        self, origin: httpcore.Origin
    ) -> httpcore.AsyncConnectionInterface:
        """A connection that is gone once it has failed."""
        return _Mortal(super().create_connection(origin))


class _Mortal(httpcore.AsyncConnectionInterface):
    """
    A connection that closes where a request fails.

    The library keeps a tunnel for ever whose encryption failed or was given up.
    """

    def __init__(self, inner: httpcore.AsyncConnectionInterface) -> None:
        self._inner = inner
        self._has_failed = False

    async def handle_async_request(
        self, request: httpcore.Request
    ) -> httpcore.Response:
        try:
            return await self._inner.handle_async_request(request)
        except httpcore.ConnectionNotAvailable:
            raise  # another request has it
        except BaseException:
            self._has_failed = True
            await self._inner.aclose()
            raise

    async def aclose(self) -> None:
        await self._inner.aclose()

    def info(self) -> str:
        return self._inner.info()

    def can_handle_request(self, origin: httpcore.Origin) -> bool:
        return self._inner.can_handle_request(origin)

    def is_available(self) -> bool:
        return not self._has_failed and self._inner.is_available()

    def has_expired(self) -> bool:
        return self._inner.has_expired()

    def is_idle(self) -> bool:
        return self._inner.is_idle()

    def is_closed(self) -> bool:
        return self._has_failed or self._inner.is_closed()


def _credentials(proxy: BaseAddress) -> tuple[bytes, bytes] | None:
    if not proxy.has_credentials:
        return None
    return (proxy.user or "").encode(), (proxy.password or "").encode()
