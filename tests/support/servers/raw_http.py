"""Bytes of HTTP as a test writes them, and one request for them."""

from support.servers.loopback import Raw

from websearch.network.client import HttpClient
from websearch.network.response import Reply

HEAD = b"HTTP/1.1 200 X\r\nContent-Type: application/json\r\n"


def raw(*parts: bytes | float) -> Raw:
    """An answer of these bytes and pauses."""
    return lambda: iter(parts)


async def get(url: str) -> Reply:
    """The answer of *url* to a client of its own."""
    http = HttpClient()
    try:
        return await http.request("GET", url)
    finally:
        await http.aclose()
