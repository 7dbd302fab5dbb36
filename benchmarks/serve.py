"""What the loopback servers share: free port, told to the parent, ended with it."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeAlias

Answer: TypeAlias = Callable[[str, asyncio.StreamWriter], Awaitable[bool]]

_GONE = (ConnectionError, asyncio.IncompleteReadError)


async def serve(answer: Answer) -> None:
    """
    Call *answer* with the target of each GET until standard input closes.

    It says whether the connection stays open.
    """

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(*_GONE):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                target = head.split(b" ", 2)[1].decode()
                if not await answer(target, writer):
                    break
                await writer.drain()
        writer.close()
        with suppress(*_GONE):
            await writer.wait_closed()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


def head(body_length: int, **headers: str) -> bytes:
    """The first lines of an answer of 200, as JSON."""
    lines = [
        "HTTP/1.1 200 OK",
        "Content-Type: application/json",
        f"Content-Length: {body_length}",
        *(f"{name.replace('_', '-')}: {text}" for name, text in headers.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
