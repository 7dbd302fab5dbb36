"""Serve GET requests on a free port, printed for the parent, until stdin closes."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeAlias

Answer: TypeAlias = Callable[[str, asyncio.StreamWriter], Awaitable[bool]]
Talk: TypeAlias = Callable[
    [asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]
]

_GONE = (ConnectionError, asyncio.IncompleteReadError)


async def serve(answer: Answer) -> None:
    """Call *answer* with the target of each GET; it returns False to disconnect."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            request = await reader.readuntil(b"\r\n\r\n")
            target = request.split(b" ", 2)[1].decode()
            if not await answer(target, writer):
                break
            await writer.drain()

    await listen(talk)


async def listen(talk: Talk) -> None:
    """Answer each connection by *talk*, which may fail if the client disconnects."""

    async def connected(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with suppress(*_GONE):
            await talk(reader, writer)
        writer.close()
        with suppress(*_GONE):
            await writer.wait_closed()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


def head(body_length: int, **headers: str) -> bytes:
    """The first lines of a 200 response with a JSON body."""
    lines = [
        "HTTP/1.1 200 OK",
        "Content-Type: application/json",
        f"Content-Length: {body_length}",
        *(f"{name.replace('_', '-')}: {text}" for name, text in headers.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
