"""A hostile server: the first part of the path chooses the attack."""

import asyncio
import gzip
import io
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Final, TypeAlias

from benchmarks.servers.protocol import head, serve
from benchmarks.servers.searxng import page

Writer: TypeAlias = asyncio.StreamWriter

_MB: Final = 1_000_000
_HUGE: Final = 10_000 * _MB


async def gzip_bomb(writer: Writer) -> bool:
    """300 kB that unpack to 300 MB."""
    body = _bomb()
    writer.write(head(len(body), Content_Encoding="gzip") + body)
    return False


async def endless(writer: Writer) -> bool:
    """A body without an end, as fast as it is read."""
    writer.write(head(_HUGE) + b'{"results": [')
    while True:
        writer.write(b" " * 65_536)
        await writer.drain()


async def deep(writer: Writer) -> bool:
    """Brackets within brackets, few enough to pass a count of values."""
    body = b'{"results": ' + b"[" * 90_000 + b"]" * 90_000 + b"}"
    writer.write(head(len(body)) + body)
    return False


async def wide(writer: Writer) -> bool:
    """Almost a megabyte of empty objects, which would become 25 MB in memory."""
    body = b'{"results": [' + b"{}," * 333_000 + b"{}]}"
    writer.write(head(len(body)) + body)
    return False


async def too_short(writer: Writer) -> bool:
    """More bytes promised than come."""
    writer.write(head(_HUGE) + page())
    return False


async def too_long(writer: Writer) -> bool:
    """Fewer bytes promised than come."""
    writer.write(head(100) + page())
    return False


async def drip(writer: Writer) -> bool:
    """A byte now and then, so that no single wait is ever long."""
    writer.write(head(len(page())))
    for byte in page():
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.05)
    return False


KINDS: Final[Mapping[str, Callable[[Writer], Awaitable[bool]]]] = {
    "gzip-bomb": gzip_bomb,
    "endless": endless,
    "deep": deep,
    "wide": wide,
    "too-short": too_short,
    "too-long": too_long,
    "drip": drip,
}


async def main() -> None:
    """Serve until standard input closes; any other path is an ordinary search."""
    body = page()

    async def answer(target: str, writer: Writer) -> bool:
        kind = target.split("/")[1]
        if kind in KINDS:
            return await KINDS[kind](writer)
        writer.write(head(len(body)) + body)
        return True

    _bomb()  # packed before anybody waits for it
    await serve(answer)


@cache
def _bomb() -> bytes:
    packed = io.BytesIO()
    with gzip.open(packed, "wb") as file:
        file.write(b'{"results": [')
        for _ in range(300):
            file.write(b" " * _MB)
    return packed.getvalue()


if __name__ == "__main__":
    asyncio.run(main())
