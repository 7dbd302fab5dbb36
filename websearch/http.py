"""The one door to the network: pooled, bounded in bytes, raising only our errors."""

import asyncio
import json
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final
from urllib.parse import urlencode, urlsplit
from weakref import WeakKeyDictionary

import httpcore

from websearch.errors import NetworkError, WebParseError
from websearch.http_errors import begun, own_errors
from websearch.inflate import ENCODINGS, Inflater
from websearch.redact import hush_http_logs
from websearch.sockets import AsyncioBackend

MAX_BYTES: Final = 1_000_000
# Brackets and commas bound the number of values: a megabyte of `{},` would become
# 25 MB of dictionaries. A page of results has a few thousand.
MAX_JSON_MARKS: Final = 100_000
USER_AGENT: Final = "websearch-chat/0.1"

_RETRY_PAUSE: Final = 0.2
_BUSY: Final = (502, 503)
_FORM: Final = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete answer: status, headers by lower-case name, the unpacked body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def media_type(self) -> str:
        """Content type without parameters, lower case."""
        kind = self.headers.get("content-type", "")
        return kind.partition(";")[0].strip().lower()

    @property
    def text(self) -> str:
        """The body as text, for looking at it only."""
        return self.body.decode("utf-8", "replace")

    @property
    def retry_after(self) -> float | None:
        """Seconds the server asks to wait, where it says so as a number."""
        value = self.headers.get("retry-after", "")
        return float(value) if re.fullmatch("[0-9]{1,6}", value) else None

    def json(self) -> Any:
        """The body as JSON; WebParseError where it is none, or too deep or wide."""
        marks = self.body.count(b",") + self.body.count(b"[") + self.body.count(b"{")
        if marks > MAX_JSON_MARKS:
            raise WebParseError(
                f"The answer holds over {MAX_JSON_MARKS} values",
                detail_code="too_large",
            )
        try:
            return json.loads(self.body)
        except RecursionError:
            raise WebParseError(
                "The answer is nested too deep", detail_code="too_deep"
            ) from None
        except ValueError:
            kind = self.media_type if self.media_type.isascii() else ""
            raise WebParseError(
                f"The answer is not JSON but {kind or 'of no type'}",
                detail_code="not_json",
            ) from None


class Http:
    """Send requests; whoever searches holds the deadline around them."""

    def __init__(self, *, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        # Connections belong to the loop that opened them.
        self._pools: WeakKeyDictionary[
            asyncio.AbstractEventLoop, httpcore.AsyncConnectionPool
        ] = WeakKeyDictionary()
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

    async def aclose(self) -> None:
        """Close the connections of the running loop."""
        if pool := self._pools.pop(asyncio.get_running_loop(), None):
            await pool.aclose()

    async def _send(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None
    ) -> Reply:
        """Try once more only where no answer had begun, or a proxy was busy."""
        sent = {
            "Host": urlsplit(url).netloc,
            "User-Agent": USER_AGENT,
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
        try:
            with own_errors():
                async with self._pool().stream(
                    method, url, headers=[*headers.items()], content=body
                ) as response:
                    stage = "while receiving the answer"
                    return await self._read(response)
        except asyncio.CancelledError as error:
            error.add_note(stage)  # the holder of the deadline says where time ran out
            raise

    async def _read(self, response: httpcore.Response) -> Reply:
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in response.headers
        }
        inflate = Inflater(headers.get("content-encoding", ""), self._max_bytes)
        with begun():
            parts = [inflate(chunk) async for chunk in response.aiter_stream()]
        return Reply(response.status, headers, b"".join(parts))

    def _pool(self) -> httpcore.AsyncConnectionPool:
        loop = asyncio.get_running_loop()
        pool = self._pools.get(loop)
        if pool is None:
            pool = self._pools[loop] = httpcore.AsyncConnectionPool(
                ssl_context=_tls(),
                max_connections=32,
                max_keepalive_connections=16,
                keepalive_expiry=10,
                network_backend=AsyncioBackend(),
            )
        return pool


@cache
def _tls() -> ssl.SSLContext:
    """Made once: reading the certificates takes 20 ms of CPU."""
    return httpcore.default_ssl_context()
