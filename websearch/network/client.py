"""The one door to the network: pooled, bounded in bytes, raising only our errors."""

import asyncio
import json
import ssl
from collections.abc import Mapping
from contextlib import nullcontext
from functools import cache
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import httpcore

from websearch.config.address import BaseAddress
from websearch.config.settings import USER_AGENT
from websearch.errors import NetworkError
from websearch.network.errors import begun, own_errors
from websearch.network.inflate import ENCODINGS, Inflater
from websearch.network.proxy import ProxyPool, Way
from websearch.network.redact import hush_http_logs
from websearch.network.response import Reply
from websearch.network.sockets import AsyncioBackend

MAX_BYTES: Final = 1_000_000
MAX_CONNECTIONS: Final = 32
KEEPALIVE_SECONDS: Final = 10  # servers hang up after 15

_RETRY_PAUSE: Final = 0.2
_BUSY: Final = (502, 503)
_FORM: Final = {"Content-Type": "application/x-www-form-urlencoded"}
_JSON: Final = {"Content-Type": "application/json"}


class Http:
    """
    Send requests; whoever searches holds the deadline around them.

    They go through *proxy* where there is one; the environment's is not read.
    """

    def __init__(
        self,
        *,
        max_bytes: int = MAX_BYTES,
        proxy: BaseAddress | None = None,
        user_agent: str = USER_AGENT,
    ) -> None:
        self._max_bytes = max_bytes
        self._proxy = proxy
        self._user_agent = user_agent
        # Connections belong to the loop that opened them.
        self._pools: dict[asyncio.AbstractEventLoop, _Pool] = {}
        hush_http_logs()

    async def get(
        self,
        url: str,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """GET *url*; no redirect is followed."""
        target = f"{url}?{urlencode(params)}" if params else url
        return await self._send("GET", target, headers or {}, None)

    async def post_form(
        self,
        url: str,
        *,
        form: Mapping[str, str],
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """POST a form to *url*; no redirect is followed."""
        body = urlencode(form).encode("ascii")
        return await self._send("POST", url, {**_FORM, **(headers or {})}, body)

    async def post_json(
        self,
        url: str,
        *,
        data: Mapping[str, Any],
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """POST *data* as JSON to *url*; no redirect is followed."""
        body = json.dumps(data).encode("ascii")
        return await self._send("POST", url, {**_JSON, **(headers or {})}, body)

    async def aclose(self) -> None:
        """Close the connections of the running loop."""
        if pool := self._pools.pop(asyncio.get_running_loop(), None):
            await pool.connections.aclose()

    async def _send(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None
    ) -> Reply:
        """Try once more only where no answer had begun, or a proxy was busy."""
        sent = {
            "Host": urlsplit(url).netloc,
            "User-Agent": self._user_agent,
            "Accept-Encoding": ENCODINGS,
            **headers,
        }
        try:
            reply = await self._once(method, url, sent, body)
        except NetworkError as error:
            if error.detail_code != "disconnected":
                raise
            return await self._once(method, url, sent, body)
        if reply.status in _BUSY and reply.retry_after is None:
            await asyncio.sleep(_RETRY_PAUSE)
            return await self._once(method, url, sent, body)
        return reply

    async def _once(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None
    ) -> Reply:
        stage = "while connecting or waiting for the answer to begin"
        pool = self._pool()
        way = Way(self._proxy, url) if self._proxy else None
        try:
            with own_errors(), way.own_errors() if way else nullcontext():
                async with (
                    pool.places,
                    pool.connections.stream(
                        method,
                        url,
                        headers=[*headers.items()],
                        content=body,
                        extensions={"trace": way.trace} if way else None,
                    ) as response,
                ):
                    stage = "while receiving the answer"
                    if way:
                        way.check(response.status)
                    return await self._read(response)
        except asyncio.CancelledError as error:
            # The holder of the deadline says where time ran out.
            error.add_note(way.stage if way and way.is_at_proxy else stage)
            raise

    async def _read(self, response: httpcore.Response) -> Reply:
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in response.headers
        }
        inflate = Inflater(headers.get("content-encoding", ""), self._max_bytes)
        with begun():
            parts = [inflate(chunk) async for chunk in response.aiter_stream()]
        inflate.close()
        return Reply(response.status, headers, b"".join(parts))

    def _pool(self) -> "_Pool":
        loop = asyncio.get_running_loop()
        if loop not in self._pools:
            # A loop that has ended took its connections with it.
            for ended in [known for known in self._pools if known.is_closed()]:
                del self._pools[ended]
            self._pools[loop] = _Pool(self._proxy)
        return self._pools[loop]


class _Pool:
    """
    The connections of one loop, and the places for requests at the same time.

    The library could keep the limit itself, but where a request is cancelled while it
    waits, it hands out a connection that never starts, and in the end has none left.
    """

    def __init__(self, proxy: BaseAddress | None) -> None:
        self.places = asyncio.Semaphore(MAX_CONNECTIONS)
        options: dict[str, Any] = {
            "max_connections": None,
            "max_keepalive_connections": MAX_CONNECTIONS // 2,
            "keepalive_expiry": KEEPALIVE_SECONDS,
            "network_backend": AsyncioBackend(),
            "ssl_context": _tls(),
        }
        self.connections = (
            ProxyPool(proxy, **options)
            if proxy
            else httpcore.AsyncConnectionPool(**options)
        )


@cache
def _tls() -> ssl.SSLContext:
    """Made once: reading the certificates takes 20 ms of CPU."""
    return httpcore.default_ssl_context()
