"""The HTTP client of all engines: pooled, limited in bytes, with our errors only."""

import asyncio
import logging
import os
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import (  # type: ignore[attr-defined]  # typeshed lacks the last
    getproxies,
    proxy_bypass,
    proxy_bypass_environment,
)

import httpx

from websearch.config.address import BaseAddress, is_loopback, without_credentials
from websearch.config.settings import USER_AGENT
from websearch.errors import NetworkError
from websearch.network.errors import Progress
from websearch.network.response import Reply, read_reply
from websearch.per_loop import PerLoop

MAX_BYTES: Final = 1_000_000
MAX_CONNECTIONS: Final = 32
KEEPALIVE_SECONDS: Final = 10  # servers close idle connections after 15
_PORTS: Final = {"http": 80, "https": 443}

_RETRY_PAUSE: Final = 0.2
_BUSY: Final = (502, 503)
# Those of httpx and httpcore are ours, the others those of the model's client.
_LOGGERS: Final = (
    "httpx",
    "httpx2",
    *(
        f"{library}.{name}"
        for library in ("httpcore", "httpcore2")
        for name in ("connection", "http11", "http2", "proxy", "socks")
    ),
)


class Proxies:
    """The proxy that is *chosen* for all requests, else those of the environment."""

    def __init__(self, chosen: BaseAddress | None = None) -> None:
        self._chosen = chosen
        self._environment = {} if chosen else getproxies()

    def of(self, url: str) -> BaseAddress | None:
        """
        The proxy for *url*; NetworkError if the environment names no HTTP proxy.

        The environment's is for no loopback address, and for no host in NO_PROXY.
        """
        if self._chosen:
            return self._chosen
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
        found = self._environment.get(parts.scheme) or self._environment.get("all")
        excluded = self._environment.get("no", "").split(",")
        if not found or is_loopback(host) or "*" in map(str.strip, excluded):
            return None
        # As many write them: *.example.org, https://example.org.
        plain = [one.strip().rpartition("://")[2].removeprefix("*") for one in excluded]
        server = f"{host}:{port}"
        named = proxy_bypass_environment(server, {"no": ",".join(plain)})
        if named or proxy_bypass(server):
            return None
        address = found if "://" in found else f"http://{found}"
        try:
            return BaseAddress.parse(address)
        except ValueError:
            raise NetworkError(
                "The proxy can't be used: the environment names no HTTP proxy",
                detail_code="proxy_not_http",
                facts={"proxy": without_credentials(address)},
            ) from None


class HttpClient:
    """
    Send requests, without any redirect; the caller holds the deadline around them.

    They go through *proxy*, or else through the proxy that the environment names,
    which is never used for loopback addresses.
    """

    def __init__(
        self,
        *,
        proxy: BaseAddress | None = None,
        user_agent: str = USER_AGENT,
    ) -> None:
        self._proxies = Proxies(proxy)
        headers = {"User-Agent": user_agent, "Accept-Encoding": "gzip"}
        self._pools = PerLoop(lambda: _Pool(headers))
        silence_http_logs()

    async def request(
        self, method: str, url: str, *, max_bytes: int = MAX_BYTES, **content: Any
    ) -> Reply:
        """
        Send a request with httpx's arguments: headers, and params, data or json.

        It is sent once more if no response had begun, or if a proxy was busy.
        WebParseError for an answer above *max_bytes*.
        """
        try:
            reply = await self._once(method, url, max_bytes, content)
        except NetworkError as error:
            if error.detail_code != "disconnected":
                raise
            return await self._once(method, url, max_bytes, content)
        if reply.status in _BUSY and reply.retry_after is None:
            await asyncio.sleep(_RETRY_PAUSE)
            return await self._once(method, url, max_bytes, content)
        return reply

    async def aclose(self) -> None:
        """Close the connections of the running loop."""
        if pool := self._pools.pop():
            await pool.aclose()

    async def _once(
        self, method: str, url: str, max_bytes: int, content: Mapping[str, Any]
    ) -> Reply:
        proxy = self._proxies.of(url)
        progress = Progress(proxy, url)
        trace = {"trace": progress.trace}
        async with (
            progress.own_errors(),
            self._pools.get().client(proxy) as client,
            client.stream(method, url, extensions=trace, **content) as response,
        ):
            progress.begun(response.status_code)
            return await read_reply(response, max_bytes)


class _Pool:
    """
    The connections of one loop: directly, and through each proxy.

    The limit of concurrent requests is ours. If a request is cancelled while it waits
    for httpcore's own limit, a connection is lost, in the end all of them.
    """

    def __init__(self, headers: Mapping[str, str]) -> None:
        self._headers = headers
        self._places = asyncio.Semaphore(MAX_CONNECTIONS)
        self._clients: dict[BaseAddress | None, _Client] = {}

    @asynccontextmanager
    async def client(
        self, proxy: BaseAddress | None
    ) -> AsyncIterator[httpx.AsyncClient]:
        """The client for one request through *proxy*, once a slot is free."""
        async with self._places:
            if proxy not in self._clients:
                self._clients[proxy] = _Client(proxy, self._headers)
            client = self._clients[proxy]
            client.requests += 1
            try:
                yield client.http
            except BaseException:
                # httpcore keeps a tunnel whose TLS handshake failed for ever, so the
                # next request gets a new client.
                if proxy and self._clients.get(proxy) is client:
                    del self._clients[proxy]
                raise
            finally:
                client.requests -= 1
                if not client.requests and self._clients.get(proxy) is not client:
                    await client.http.aclose()

    async def aclose(self) -> None:
        """Close every connection."""
        for client in self._clients.values():
            await client.http.aclose()


class _Client:
    """A client of httpx for a proxy or none, with the number of its requests."""

    def __init__(self, proxy: BaseAddress | None, headers: Mapping[str, str]) -> None:
        through = None
        if proxy:
            pair = (proxy.user or "", proxy.password or "")
            tls = tls_context() if proxy.url.startswith("https:") else None
            auth = pair if proxy.has_credentials else None
            through = httpx.Proxy(proxy.url, auth=auth, ssl_context=tls)
        self.requests = 0
        self.http = httpx.AsyncClient(
            headers=headers,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            proxy=through,
            verify=tls_context(),
            timeout=None,  # noqa: S113  the caller sets the deadline
            trust_env=False,  # we read it, so that an error can name the proxy
            limits=httpx.Limits(
                max_connections=None,
                max_keepalive_connections=MAX_CONNECTIONS // 2,
                keepalive_expiry=KEEPALIVE_SECONDS,
            ),
        )


def tls_context() -> ssl.SSLContext:
    """httpx's TLS context, with the certificates that the environment names."""
    return _tls_of(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@cache
def _tls_of(_file: str | None, _directory: str | None) -> ssl.SSLContext:
    """Make a context once: reading the certificates takes 20 ms of CPU."""
    try:
        return httpx.create_ssl_context()
    except OSError:
        raise NetworkError(
            "The certificates that SSL_CERT_FILE names can't be read", detail_code="tls"
        ) from None


def silence_http_logs() -> None:
    """
    Drop the logs of the HTTP libraries, which contain addresses, queries and keys.

    The filter applies at every level; adding it again has no effect.
    """
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_drop)


def _drop(_: logging.LogRecord) -> bool:
    return False
