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
_PAGE: Final = b"<body><div id=content_left><div><h3><a href=http://a.example>"


async def gzip_bomb(writer: Writer) -> bool:
    """Send 300 kB that decompress to 300 MB."""
    body = _bomb()
    writer.write(head(len(body), Content_Encoding="gzip") + body)
    return False


async def endless(writer: Writer) -> bool:
    """Send a body without an end, as fast as it is read."""
    writer.write(head(_HUGE) + b'{"results": [')
    while True:
        writer.write(b" " * 65_536)
        await writer.drain()


async def deep(writer: Writer) -> bool:
    """Send nested brackets, few enough to pass a limit on values."""
    body = b'{"results": ' + b"[" * 90_000 + b"]" * 90_000 + b"}"
    writer.write(head(len(body)) + body)
    return False


async def wide(writer: Writer) -> bool:
    """Send almost a megabyte of empty objects, which would take 25 MB of memory."""
    body = b'{"results": [' + b"{}," * 333_000 + b"{}]}"
    writer.write(head(len(body)) + body)
    return False


async def links(writer: Writer) -> bool:
    """Send a page with 3 MB of links, which take most memory for their size."""
    body = _PAGE + b"<a href=/>" * 295_000
    writer.write(head(len(body)) + body)
    return False


async def breaks(writer: Writer) -> bool:
    """Send a page with 3 MB of line breaks in the snippet of a result."""
    body = _PAGE + b"t</a></h3><p class=c-abstract>" + b"<br>" * 740_000
    writer.write(head(len(body)) + body)
    return False


async def packed(writer: Writer) -> bool:
    """Send a page with 3 MB of spaces, packed."""
    body = gzip.compress(_PAGE + b" " * 2_900_000)
    writer.write(head(len(body), Content_Encoding="gzip") + body)
    return False


async def too_short(writer: Writer) -> bool:
    """Send fewer bytes than Content-Length."""
    writer.write(head(_HUGE) + page())
    return False


async def too_long(writer: Writer) -> bool:
    """Send more bytes than Content-Length."""
    writer.write(head(100) + page())
    return False


async def drip(writer: Writer) -> bool:
    """Send single bytes with short pauses, which no read timeout catches."""
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
# For an engine whose pages may have 3 MB.
PAGES: Final[Mapping[str, Callable[[Writer], Awaitable[bool]]]] = {
    "endless": endless,
    "links": links,
    "breaks": breaks,
    "packed": packed,
}


async def main() -> None:
    """Serve until standard input closes; any other path is an ordinary search."""
    body = page()

    async def answer(target: str, writer: Writer) -> bool:
        kind = target.split("/")[1]
        if attack := KINDS.get(kind) or PAGES.get(kind):
            return await attack(writer)
        writer.write(head(len(body)) + body)
        return True

    _bomb()  # compressed before the first request
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
