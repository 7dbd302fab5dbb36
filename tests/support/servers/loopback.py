"""A server on loopback that answers as a test says: real sockets, real HTTP, faults."""

import asyncio
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it arrived."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def params(self) -> dict[str, str]:
        """Query and form together, as SearXNG merges them."""
        pairs = parse_qsl(urlsplit(self.target).query, keep_blank_values=True)
        pairs += parse_qsl(self.body.decode("latin-1"), keep_blank_values=True)
        return dict(pairs)


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer, sent after *delay* seconds."""

    body: bytes | str = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0

    def encoded(self) -> bytes:
        body = self.body.encode() if isinstance(self.body, str) else self.body
        headers = {
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            **self.headers,
        }
        lines = [
            f"HTTP/1.1 {self.status} X",
            *(f"{k}: {v}" for k, v in headers.items()),
        ]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


# Bytes are written as they are, a number is a pause; then the server hangs up.
Raw = Callable[[], Iterator[bytes | float]]


def held_back(answer: Answer, until: threading.Event) -> Raw:
    """An answer that comes as soon as *until* is set."""

    def write() -> Iterator[bytes | float]:
        while not until.is_set():
            yield 0.02
        yield answer.encoded()

    return write


Script = Callable[[Request], "Answer | Raw"]
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Loopback:
    """The address of the server, and its requests."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.requests: list[Request] = []
        self.connections = 0
        self.most_at_once = 0
        self.writing = 0
        self._open = 0
        self.port = 0
        self.scheme = "http"

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"

    @property
    def queries(self) -> list[str]:
        return [r.params["q"] for r in self.requests if "q" in r.params]

    async def serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.connections += 1
        self._open += 1
        self.most_at_once = max(self.most_at_once, self._open)
        try:
            if await _speaks_tls(reader):
                writer.write(Answer(status=400).encoded())
                return
            async for request in _requests(reader):
                self.requests.append(request)
                answer = self.script(request)
                if not isinstance(answer, Answer):
                    self.writing += 1
                    try:
                        await _write(writer, answer())
                    finally:
                        self.writing -= 1
                    break
                await asyncio.sleep(answer.delay)
                writer.write(answer.encoded())
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client has gone: that is what many tests are about
        except asyncio.CancelledError:
            writer.transport.abort()  # closing would wait for what is buffered
            raise
        finally:
            self._open -= 1
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


@contextmanager
def served(script: Script, tls: ssl.SSLContext | None = None) -> Iterator[Loopback]:
    """Serve *script* on a free port of 127.0.0.1, from a thread of its own."""
    server = Loopback(script)
    server.scheme = "https" if tls else "http"
    with listening(server.serve, tls) as server.port:
        yield server


@contextmanager
def listening(serve: Serve, tls: ssl.SSLContext | None = None) -> Iterator[int]:
    """Call *serve* for each connection to a port of 127.0.0.1, which is yielded."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    starting = asyncio.start_server(serve, "127.0.0.1", 0, limit=2**20, ssl=tls)
    listener = asyncio.run_coroutine_threadsafe(starting, loop).result(10)
    try:
        yield listener.sockets[0].getsockname()[1]
    finally:
        asyncio.run_coroutine_threadsafe(_stop(listener), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


def serving(script: Script, scope: Any = "function") -> Any:
    """A fixture: a server that answers so."""

    @pytest.fixture(scope=scope)
    def server() -> Iterator[Loopback]:
        with served(script) as started:
            yield started

    return server


async def _stop(listener: asyncio.Server) -> None:
    listener.close()
    await asyncio.sleep(0)  # a connection that was just accepted gets its task
    while tasks := asyncio.all_tasks() - {asyncio.current_task()}:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _requests(reader: asyncio.StreamReader) -> AsyncIterator[Request]:
    while head := await _head(reader):
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, _ = first.split(" ", 2)
        pairs = (line.partition(":") for line in lines if line)
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        yield Request(method, target, headers, body)


async def _speaks_tls(reader: asyncio.StreamReader) -> bool:
    """Tell if a client starts TLS, which a plain server answers with 400."""
    first = await reader.read(1)
    reader._buffer[:0] = first  # put back: the stream has no way to peek
    return first == b"\x16"


async def _head(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return b""


async def _write(writer: asyncio.StreamWriter, parts: Iterator[bytes | float]) -> None:
    for part in parts:
        if isinstance(part, bytes):
            writer.write(part)
            await writer.drain()
        else:
            await asyncio.sleep(part)
