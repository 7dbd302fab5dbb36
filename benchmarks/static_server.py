"""A SearXNG that only repeats itself: ready pages, and 308 from / as it does."""

import asyncio
from itertools import cycle
from typing import Final

from benchmarks.page import page
from benchmarks.serve import head, serve

# Python remembers the last 128 addresses it took apart. More than those go round, or
# it would flatter a client that takes addresses apart.
_PAGES: Final = 32


async def main() -> None:
    """Serve until standard input closes."""
    bodies = [page(number) for number in range(_PAGES)]
    answers = cycle([head(len(body)) + body for body in bodies])

    async def answer(target: str, writer: asyncio.StreamWriter) -> bool:
        is_root = target.startswith(("/?", "/ "))
        writer.write(_elsewhere(target) if is_root else next(answers))
        return True

    await serve(answer)


def _elsewhere(target: str) -> bytes:
    """Where a real SearXNG sends a search that was sent to its start page."""
    return (
        "HTTP/1.1 308 Permanent Redirect\r\nContent-Length: 0\r\n"
        f"Location: /search{target[1:]}\r\n\r\n"
    ).encode()


if __name__ == "__main__":
    asyncio.run(main())
