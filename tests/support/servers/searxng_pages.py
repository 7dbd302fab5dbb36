"""Answers in the shape of SearXNG's JSON, with made-up content."""

import json
from typing import Any
from urllib.parse import quote

from support.servers.loopback import Answer, Request

NO_QUERY = Answer('{"error": "No query"}', 400)
OK = Answer("OK", headers={"Content-Type": "text/plain; charset=utf-8"})
JSON_OFF = Answer(
    "<!doctype html>\n<html lang=en>\n<title>403 Forbidden</title>\n"
    "<h1>Forbidden</h1>\n<p>You don&#39;t have the permission to access the requested"
    " resource. It is either read-protected or not readable by the server.</p>\n",
    403,
    {"Content-Type": "text/html; charset=utf-8"},
)
LIMITED = Answer("Too Many Requests", 429, {"Content-Type": "text/html"})


def site(number: int) -> str:
    """The address of a result, also of other engines."""
    return f"https://site{number}.example.org/page"


def row(number: int = 1, **changes: Any) -> dict[str, Any]:
    """One result as SearXNG writes it."""
    return {
        "url": site(number),
        "title": f"Title {number}",
        "content": f"Content of page {number}.",
        "engine": "corpus",
        "engines": ["corpus"],
        "template": "default.html",
        "parsed_url": ["https", f"site{number}.example.org", "/page", "", "", ""],
        "positions": [number],
        "score": 1 / number,
        "category": "general",
        "publishedDate": None,
        **changes,
    }


def envelope(*rows: Any, unresponsive: Any = (), **changes: Any) -> dict[str, Any]:
    """A whole answer."""
    return {
        "query": "q",
        "results": list(rows),
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": [],
        "unresponsive_engines": list(unresponsive),
        **changes,
    }


def page(*rows: Any, **changes: Any) -> Answer:
    """A whole answer, as sent."""
    return Answer(json.dumps(envelope(*rows, **changes)))


def healthy(request: Request) -> Answer:
    """A SearXNG in good health."""
    match request.path:
        case "/healthz":
            return OK
        case "/config":
            return Answer('{"version": "2026.8.22", "engines": []}')
        case "/search" if "q" not in request.params:
            return NO_QUERY
        case "/search":
            return page(*(row(n) for n in range(1, 11)))
    return Answer("<html>not here</html>", 404, {"Content-Type": "text/html"})


def own_pages(request: Request) -> Answer:
    """A healthy SearXNG where each query finds three pages of its own."""
    query = request.params.get("q")
    if request.path != "/search" or query is None:
        return healthy(request)
    place = f"https://pages.example.org/{quote(query, safe='')}"
    rows = (row(n, title=f"{query} {n}", url=f"{place}/{n}") for n in (1, 2, 3))
    return page(*rows)
