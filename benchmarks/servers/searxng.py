"""
A SearXNG that repeats made-up pages of results, as large as real ones.

An argument delays each answer by that many seconds.
"""

import asyncio
import json
import sys
from itertools import cycle
from typing import Any, Final
from urllib.parse import urlsplit

from benchmarks.servers.protocol import head, serve

COUNT: Final = 10

# Python caches the last 128 addresses it has split. The pages contain more,
# or a client that splits addresses would seem faster than it is.
_PAGES: Final = 32
_WORDS = (
    "Made-up text about bridges, clocks and rivers, long enough for a snippet. "
    "Nobody wrote it, and it says nothing; a bench wants its length only. "
)


async def main(delay: float) -> None:
    """Serve until standard input closes."""
    bodies = [page(number) for number in range(_PAGES)]
    answers = cycle([head(len(body)) + body for body in bodies])

    async def answer(_target: str, writer: asyncio.StreamWriter) -> bool:
        if delay:
            await asyncio.sleep(delay)
        writer.write(next(answers))
        return True

    await serve(answer)


def page(number: int = 0) -> bytes:
    """Ten results in ASCII-escaped JSON, about 8 kB; no page shares an address."""
    return json.dumps(
        {
            "query": "bridges and clocks",
            "results": [_result(number, rank) for rank in range(1, COUNT + 1)],
            "answers": [],
            "corrections": [],
            "infoboxes": [],
            "suggestions": ["bridges of the world", "clock towers"],
            "unresponsive_engines": [],
        }
    ).encode()


def _result(page_number: int, rank: int) -> dict[str, Any]:
    host = f"site{rank}.example.org"
    url = f"https://{host}/articles/{page_number}/bridges-and-clocks"
    return {
        "url": url,
        "title": f"Article {rank}: bridges & clocks 桥与钟",
        "content": _WORDS * 2,
        "engine": "corpus",
        "template": "default.html",
        "parsed_url": [*urlsplit(url), ""],
        "img_src": "",
        "thumbnail": "",
        "priority": "",
        "engines": ["corpus"],
        "positions": [rank],
        "score": 1 / rank,
        "category": "general",
        "publishedDate": "2026-08-01T12:30:00",
    }


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else 0))
