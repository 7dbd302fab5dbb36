"""An HTTP transport that connects to checked addresses only."""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import httpcore
import httpx

from websearch.config import BaseAddress
from websearch.errors import WebBlocked
from websearch.fetch.address_policy import AddressPolicy
from websearch.network.client import Proxies

Resolve = Callable[[str, int], list[str]]
_SocketOptions = Iterable[httpcore.SOCKET_OPTION] | None

_CONNECT_SECONDS: Final = 2.0  # for each address but the last
_MOST_ADDRESSES: Final = 4
# asyncio's own executor is shared: ten stuck name servers would delay every thread.
_RESOLVERS: Final = ThreadPoolExecutor(8, thread_name_prefix="fetch-dns")


def resolve(host: str, port: int) -> list[str]:
    """Every address of a name."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """
    Resolve a name once, check every answer, connect to a checked address.

    Nobody resolves again between check and connection, so a name server that changes
    its answer gains nothing.
    The operator's own *proxy* is connected to unchecked.
    """

    def __init__(
        self,
        policy: AddressPolicy,
        *,
        proxy: tuple[str, int] | None = None,
        resolve: Resolve = resolve,
        backend: httpcore.AsyncNetworkBackend | None = None,
    ) -> None:
        self._policy = policy
        self._proxy = proxy
        self._resolve = resolve
        self._backend = backend or httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: _SocketOptions = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first checked address of *host* that answers."""

        async def connect(
            address: str, seconds: float | None
        ) -> httpcore.AsyncNetworkStream:
            return await self._backend.connect_tcp(
                address, port, seconds, local_address, socket_options
            )

        if (host, port) == self._proxy:
            return await connect(host, timeout)
        *others, last = (await self.checked(host, port))[:_MOST_ADDRESSES]
        for address in others:
            with contextlib.suppress(httpcore.ConnectError, httpcore.ConnectTimeout):
                return await connect(address, _CONNECT_SECONDS)
        return await connect(last, timeout)

    async def checked(self, host: str, port: int) -> list[str]:
        """All addresses of *host*, both families in turn, if all of them are public."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(_RESOLVERS, self._addresses, host, port)
        except OSError as error:
            raise httpcore.ConnectError("name resolution failed") from error
        for address in found:
            self._policy.check(host.rstrip("."), port, address)
        return sorted(found, key=_turn(found))

    async def check_before_proxy(self, host: str, port: int) -> None:
        """
        Check a name as far as this machine can resolve it.

        The proxy resolves it again: docs/security.md names this gap.
        """
        try:
            await self.checked(host, port)
        except httpcore.ConnectError:
            return  # only the proxy knows this name
        except WebBlocked as error:
            if error.detail_code != "fake_ip":
                raise

    def _addresses(self, host: str, port: int) -> list[str]:
        try:
            found = self._resolve(host, port)
        except UnicodeError:  # no name that could be written in a query
            found = []
        if not found:
            raise socket.gaierror
        return found

    async def sleep(self, seconds: float) -> None:
        """Wait, as the connection pool asks."""
        await asyncio.sleep(seconds)


def _turn(found: list[str]) -> Callable[[str], int]:
    """Sort key that takes the two families in turn."""
    fours = [address for address in found if ":" not in address]
    sixes = [address for address in found if ":" in address]
    order = {address: 2 * at for at, address in enumerate(fours)}
    order |= {address: 2 * at + 1 for at, address in enumerate(sixes)}
    return order.__getitem__


class GuardedTransport(httpx.AsyncBaseTransport):
    """
    httpx over a guarded connection pool, directly or through a proxy.

    The caller limits how many requests run at once: httpcore's own limit loses a
    connection where a request that waits for it is cancelled.
    """

    def __init__(
        self,
        policy: AddressPolicy,
        *,
        proxies: Proxies | None = None,
        resolve: Resolve = resolve,
        backend: httpcore.AsyncNetworkBackend | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._policy = policy
        self._proxies = proxies
        self._resolve = resolve
        self._connections = backend
        self._tls = tls or httpx.create_ssl_context()
        self._backend = self._guarded(None)
        self._pool = self._new_pool(None)

    def proxy_of(self, url: str) -> BaseAddress | None:
        """The proxy through which *url* is requested."""
        return self._proxies.of(url) if self._proxies else None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send *request*, unless its address may not be read."""
        target = self._policy.target(str(request.url))
        proxy = self.proxy_of(target.url)
        if proxy is None:
            return await _send(self._pool, request)
        await self._backend.check_before_proxy(target.host, target.port)
        # httpcore keeps a tunnel whose TLS handshake failed for ever, so the pool of
        # a tunnel ends with its request.
        pool = self._new_pool(proxy)
        try:
            return await _send(pool, request, own_pool=pool)
        except BaseException:
            await pool.aclose()
            raise

    async def aclose(self) -> None:
        """Close the connections."""
        await self._pool.aclose()

    def _new_pool(self, proxy: BaseAddress | None) -> httpcore.AsyncConnectionPool:
        return httpcore.AsyncConnectionPool(
            proxy=_httpcore_proxy(proxy) if proxy else None,
            ssl_context=self._tls,
            max_connections=None,
            max_keepalive_connections=8,
            keepalive_expiry=10,
            network_backend=self._guarded(proxy),
        )

    def _guarded(self, proxy: BaseAddress | None) -> GuardedBackend:
        return GuardedBackend(
            self._policy,
            proxy=(proxy.host, proxy.port) if proxy else None,
            resolve=self._resolve,
            backend=self._connections,
        )


async def _send(
    pool: httpcore.AsyncConnectionPool,
    request: httpx.Request,
    own_pool: httpcore.AsyncConnectionPool | None = None,
) -> httpx.Response:
    """Send *request* through *pool*; *own_pool* is closed with the response."""
    url = request.url
    with _httpx_errors(request):
        answer = await pool.handle_async_request(
            httpcore.Request(
                method=request.method,
                url=httpcore.URL(
                    scheme=url.raw_scheme,
                    host=url.raw_host,
                    port=url.port,
                    target=url.raw_path,
                ),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
    return httpx.Response(
        answer.status,
        headers=answer.headers,
        stream=_Body(answer, request, own_pool),
        extensions=answer.extensions,
    )


class _Body(httpx.AsyncByteStream):
    def __init__(
        self,
        answer: httpcore.Response,
        request: httpx.Request,
        own_pool: httpcore.AsyncConnectionPool | None,
    ) -> None:
        self._answer = answer
        self._request = request
        self._own_pool = own_pool

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _httpx_errors(self._request):
            async for part in self._answer.aiter_stream():
                yield part

    async def aclose(self) -> None:
        await self._answer.aclose()
        if self._own_pool:
            await self._own_pool.aclose()


@contextlib.contextmanager
def _httpx_errors(request: httpx.Request) -> Iterator[None]:
    """
    Raise httpcore's errors as httpx's, which have the same names.

    `Progress` reads the text of some, and shows none of it.
    """
    try:
        yield
    except (
        httpcore.TimeoutException,
        httpcore.NetworkError,
        httpcore.ProtocolError,
        httpcore.ProxyError,
        httpcore.UnsupportedProtocol,
    ) as error:
        twin: type[httpx.TransportError] = getattr(httpx, type(error).__name__)
        raise twin(str(error), request=request) from error


def _httpcore_proxy(proxy: BaseAddress) -> httpcore.Proxy:
    auth = (proxy.user or "", proxy.password or "") if proxy.has_credentials else None
    return httpcore.Proxy(proxy.url, auth=auth)
