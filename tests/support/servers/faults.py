"""Faulty SearXNG set-ups, each as a script for a loopback server."""

import json
from collections.abc import Mapping

from support.servers.loopback import Answer, Raw, Request, Script
from support.servers.searxng_pages import (
    JSON_OFF,
    LIMITED,
    NO_QUERY,
    OK,
    envelope,
    healthy,
    page,
    row,
)

HTML = {"Content-Type": "text/html; charset=utf-8"}
BLOCKED = [["brave", "too many requests"], ["duckduckgo", "CAPTCHA"]]
UNREACHED = [["bing", "timeout"], ["google cse", "HTTP connection error"]]


def always(answer: Answer) -> Script:
    """The same answer on every path."""
    return lambda _: answer


def searching(answer: Answer | Raw) -> Script:
    """In good health but for real searches."""

    def script(request: Request) -> Answer | Raw:
        is_search = request.path == "/search" and "q" in request.params
        return answer if is_search else healthy(request)

    return script


def under(prefix: str) -> Script:
    """In good health under a path prefix, nothing elsewhere."""

    def script(request: Request) -> Answer | Raw:
        if not request.path.startswith(prefix):
            return Answer("<html>nginx 404</html>", 404, HTML)
        inner = request.target.removeprefix(prefix)
        return healthy(Request(request.method, inner, request.headers, request.body))

    return script


def on_search(answer: Answer) -> Script:
    """This answer on /search, and OK from /healthz, as from SearXNG itself."""
    return lambda request: OK if request.path == "/healthz" else answer


def engines_of(*names: str) -> Answer:
    """A /config that lists engines."""
    listed = [{"name": name, "enabled": True} for name in names]
    return Answer(json.dumps({"version": "2026.8.22", "engines": listed}))


def finds_nothing(request: Request) -> Answer:
    """Alive, but no engine was asked."""
    if request.path == "/config":
        return engines_of("wikidata", "currency")
    return page() if "q" in request.params else NO_QUERY


def hangs_up() -> Raw:
    """Takes the connection and closes it."""
    return lambda: iter([])


def not_http() -> Raw:
    """Another protocol."""
    return lambda: iter([b"SSH-2.0-OpenSSH_9.2\r\n\r\n"])


SIGN_ON = Answer("", 302, {"Location": "https://sso.example.org/login?rd=/search"})
OTHER_APP = Answer("<html><title>Some app</title></html>", 200, HTML)
BAD_GATEWAY = Answer("<html>502 Bad Gateway</html>", 502, HTML)
PROXY_403 = Answer("Forbidden", 403, {"Server": "cloudflare", **HTML})
NO_CREDENTIALS = Answer("", 401, {"WWW-Authenticate": "Basic realm=search"})
SOME_FAILED = Answer(json.dumps(envelope(row(), unresponsive=UNREACHED)))

# What the doctor must say of each; the rest of the table needs more than a script.
FAULTS: Mapping[str, tuple[Script, str]] = {
    "healthy": (healthy, "healthy"),
    "json off": (on_search(JSON_OFF), "json_disabled"),
    "forbidden like Flask, but no SearXNG": (always(JSON_OFF), "forbidden"),
    "proxy forbids": (always(PROXY_403), "forbidden"),
    "limiter": (on_search(LIMITED), "limiter"),
    "limited by a proxy": (always(LIMITED), "too_many_requests"),
    "limiter at the search": (searching(LIMITED), "limiter"),
    "credentials": (always(NO_CREDENTIALS), "unauthorized"),
    "path": (always(Answer("<html>nginx 404</html>", 404, HTML)), "wrong_path"),
    "sign-on page": (always(SIGN_ON), "redirect"),
    "another web page": (always(OTHER_APP), "not_searxng"),
    "another JSON service": (always(Answer('{"status": "ok"}')), "not_searxng"),
    "another service's 400": (
        always(Answer('{"error": "bad request"}', 400)),
        "not_searxng",
    ),
    "another service's 200": (always(Answer('{"error": null}')), "not_searxng"),
    "400 without words": (always(Answer("", 400)), "not_searxng"),
    "bad gateway": (always(BAD_GATEWAY), "starting"),
    "server error": (always(Answer('{"error": "x"}', 500)), "server_error"),
    "search error": (searching(Answer('{"error": "x"}', 500)), "server_error"),
    "hangs up": (lambda _: hangs_up(), "disconnected"),
    "not http": (lambda _: not_http(), "not_http"),
    "bomb": (always(Answer("[" * 2_000_000)), "unreadable"),
    "engines blocked": (searching(page(unresponsive=BLOCKED)), "engines_blocked"),
    "engines unreached": (searching(page(unresponsive=UNREACHED)), "engines_failed"),
    "some engines failed": (searching(SOME_FAILED), "degraded"),
    "no engines": (finds_nothing, "no_results"),
    "refuses a parameter": (
        searching(Answer('{"error": "Invalid value x for parameter language"}', 400)),
        "query_refused",
    ),
}
