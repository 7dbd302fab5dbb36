"""The network of web.fetch, which connects to checked addresses only."""

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from typing import Final

import httpcore
import httpx

from websearch.config import BaseAddress
from websearch.errors import WebBlocked
from websearch.fetch.address_policy import AddressPolicy
from websearch.network.client import Proxies, tls_context

Resolve = Callable[[str, int], list[str]]
_SocketOptions = Iterable[httpcore.SOCKET_OPTION] | None

_CONNECT_SECONDS: Final = 2.0  # for each address but the last
_MOST_ADDRESSES: Final = 4
# asyncio's own executor is shared: ten stuck name servers would delay every thread.
_RESOLVERS: Final = ThreadPoolExecutor(8, thread_name_prefix="fetch-dns")


def resolve(host: str, port: int) -> list[str]:
    """Every address of a name."""
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))


class Guard(httpcore.AsyncNetworkBackend):
    """
    Resolve a name once, check every answer, connect to a checked address.

    Nobody resolves again between check and connection, so a name server that changes
    its answer gains nothing.
    The operator's own *proxies* are connected to unchecked, over *connections*.
    """

    def __init__(
        self,
        policy: AddressPolicy,
        proxies: Proxies | None = None,
        *,
        resolve: Resolve = resolve,
        connections: httpcore.AsyncNetworkBackend | None = None,
    ) -> None:
        self.policy = policy
        self.connections = connections or httpcore.AnyIOBackend()
        self._proxies = proxies
        self._resolve = resolve

    def proxy_of(self, url: str) -> BaseAddress | None:
        """The proxy through which *url* is requested."""
        return self._proxies.of(url) if self._proxies else None

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
            return await self.connections.connect_tcp(
                address, port, seconds, local_address, socket_options
            )

        *others, last = (await self.checked(host, port))[:_MOST_ADDRESSES]
        for address in others:
            with contextlib.suppress(httpcore.ConnectError, httpcore.ConnectTimeout):
                return await connect(address, _CONNECT_SECONDS)
        return await connect(last, timeout)

    async def checked(self, host: str, port: int) -> list[str]:
        """All addresses of *host*, both families in turn, if all of them are public."""
        loop, answer = asyncio.get_running_loop(), list[str]()
        try:
            with contextlib.suppress(UnicodeError):  # a name that no query can hold
                answer = await loop.run_in_executor(
                    _RESOLVERS, self._resolve, host, port
                )
            if not answer:
                raise socket.gaierror
        except OSError as error:
            raise httpcore.ConnectError("name resolution failed") from error
        for address in answer:
            self.policy.check(host.rstrip("."), port, address)
        fours = [address for address in answer if ":" not in address]
        sixes = [address for address in answer if ":" in address]
        pairs = zip_longest(fours, sixes)
        return [address for pair in pairs for address in pair if address]

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


class GuardedTransport(httpx.AsyncBaseTransport):
    """
    The connections of one page: directly, or through the proxy of its address.

    They end with the page: httpcore keeps a tunnel whose TLS handshake failed for ever.
    """

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._pools: dict[BaseAddress | None, _Pool] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send *request*, unless its address may not be read."""
        target = self._guard.policy.target(str(request.url))
        proxy = self._guard.proxy_of(target.url)
        if proxy:
            await self._guard.check_before_proxy(target.host, target.port)
        if proxy not in self._pools:
            self._pools[proxy] = _Pool(self._guard, proxy)
        return await self._pools[proxy].handle_async_request(request)

    async def aclose(self) -> None:
        """Close the connections."""
        for pool in self._pools.values():
            await pool.aclose()


class _Pool(httpx.AsyncHTTPTransport):
    """
    httpx's own transport over a pool of ours.

    httpx's constructor, which takes no network, would only make a pool that connects
    unchecked. Should httpx rename `_pool`, nothing is connected at all.
    """

    def __init__(self, guard: Guard, proxy: BaseAddress | None) -> None:
        auth = None
        if proxy and proxy.has_credentials:
            auth = (proxy.user or "", proxy.password or "")
        self._pool = httpcore.AsyncConnectionPool(
            proxy=httpcore.Proxy(proxy.url, auth=auth) if proxy else None,
            ssl_context=tls_context(),
            # A pool with a proxy connects to nothing else.
            network_backend=guard.connections if proxy else guard,
        )
