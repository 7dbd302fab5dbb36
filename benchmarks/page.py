"""Made-up pages of results, in the shape and size that SearXNG sends."""

import json
from typing import Any, Final
from urllib.parse import urlsplit

COUNT: Final = 10

_WORDS = (
    "Made-up text about bridges, clocks and rivers, long enough for a snippet. "
    "Nobody wrote it, and it says nothing; a bench wants its length only. "
)


def page(number: int = 0) -> bytes:
    """Ten results in ASCII-escaped JSON, about 8 kB; no page shares an address."""
    return json.dumps(
        {
            "query": "bridges and clocks",
            "results": [_row(number, place) for place in range(1, COUNT + 1)],
            "answers": [],
            "corrections": [],
            "infoboxes": [],
            "suggestions": ["bridges of the world", "clock towers"],
            "unresponsive_engines": [],
        }
    ).encode()


def _row(page_number: int, place: int) -> dict[str, Any]:
    host = f"site{place}.example.org"
    url = f"https://{host}/articles/{page_number}/bridges-and-clocks"
    return {
        "url": url,
        "title": f"Article {place}: bridges & clocks 桥与钟",
        "content": _WORDS * 2,
        "engine": "corpus",
        "template": "default.html",
        "parsed_url": [*urlsplit(url), ""],
        "img_src": "",
        "thumbnail": "",
        "priority": "",
        "engines": ["corpus"],
        "positions": [place],
        "score": 1 / place,
        "category": "general",
        "publishedDate": "2026-08-01T12:30:00",
    }
