"""The server's outer shell: who may come in, and what the page may load.

Knows no Chainlit; `ui.harden` puts it around Chainlit's server.
"""

import base64
import hashlib
import ipaddress
import re
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from typing import Final

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.texts import text

_SAFE_METHODS: Final = frozenset({"GET", "HEAD"})
_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
_FOREIGN: Final = re.compile(
    r"""<(?:link|meta)\b[^>]*\b(?:href|content)\s*=\s*["']?(?:https?:)?//[^>]*>"""
    r"""|<script\b[^>]*\bsrc\s*=\s*["']?(?:https?:)?//[^>]*>\s*</script>""",
    re.IGNORECASE,
)
_INLINE: Final = re.compile(
    r"<script(?![^>]*\ssrc\s*=)[^>]*>(.*?)</script>", re.IGNORECASE | re.DOTALL
)

# Beside the policy, which depends on the page's inline scripts.
HEADERS: Final = {
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": (
        "camera=(), microphone=(), geolocation=(), payment=(), usb=(), "
        "display-capture=()"
    ),
    # Else Chromium looks up the name of every link it shows.
    "x-dns-prefetch-control": "off",
}


@dataclass(frozen=True, slots=True)
class Door:
    """The host names this server goes by."""

    hosts: frozenset[str]

    @classmethod
    def of(cls, names: Iterable[str]) -> "Door":
        """The local names and *names*, with or without ports."""
        return cls(_LOCAL | {host_name(n) for n in names if n.strip()})

    def refusal(self, host: str, origin: str | None) -> str | None:
        """Why a request may not come in; None where it may."""
        if host_name(host) not in self.hosts:
            return "unknown host"
        # No Origin: no page sent it. `null` is a page that hides where it is from.
        if origin is not None and not is_own(origin, host):
            return "foreign origin"
        return None


class Pages:
    """The shell as it is served, and the policy that fits it."""

    def __init__(self, language: str, template: Callable[[str], str]) -> None:
        self.language = language
        self.template = template
        self.policy = policy()

    def render(self, root_path: str) -> str:
        """Chainlit's shell, cleaned."""
        html = clean(self.template(root_path), language=self.language)
        self.policy = policy(html)
        return html


class Harden:
    """Refuses strangers, and writes the security headers on every HTTP answer."""

    def __init__(self, app: ASGIApp, door: Door, pages: Pages) -> None:
        self.app = app
        self.door = door
        self.pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or have the app answer it."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return

        async def harden(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = HEADERS | {"content-security-policy": self.pages.policy}
                message["headers"] = [
                    *message.get("headers", []),
                    *((k.encode(), v.encode()) for k, v in headers.items()),
                ]
            await send(message)

        headers = {k: v.decode("latin-1") for k, v in scope["headers"]}
        open_to_all = scope.get("method") in _SAFE_METHODS
        origin = None if open_to_all else headers.get(b"origin")
        refusal = self.door.refusal(headers.get(b"host", ""), origin)
        if refusal is None:
            await self.app(scope, receive, harden)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        elif refusal == "unknown host":
            language = self.pages.language or headers.get(b"accept-language", "")
            told = text("unknown_host", language) + "\n"
            await PlainTextResponse(told, 421)(scope, receive, harden)
        else:
            await PlainTextResponse(refusal, 403)(scope, receive, harden)


def host_name(host: str) -> str:
    """The name in a Host header: lower case, no port."""
    name = host.strip().lower()
    if name.count(":") > 1 and not name.startswith("["):
        return f"[{name}]"
    return re.sub(r":[0-9]*$", "", name)


def is_own(origin: str, host: str) -> bool:
    """Whether *origin* is the page that *host* itself serves."""
    scheme, _, place = origin.lower().partition("://")
    port = {"http": ":80", "https": ":443"}.get(scheme)
    if port is None:
        return False
    return place.removesuffix(port) == host.lower().removesuffix(port)


def is_uuid(value: object) -> bool:
    """Whether *value* is a UUID as a page writes it: 36 characters with hyphens."""
    try:
        return isinstance(value, str) and str(uuid.UUID(value)) == value.lower()
    except ValueError:
        return False


def is_local(host: str) -> bool:
    """Whether a server bound to *host* is out of reach for other machines."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def clean(html: str, *, language: str) -> str:
    """The shell in *language*, with nothing that loads from or names another host."""
    html = _FOREIGN.sub("", html)
    return re.sub(r"<html\b[^>]*>", f'<html lang="{escape(language)}">', html, count=1)


def policy(html: str = "") -> str:
    """Content-Security-Policy: our own host only; inline scripts of *html* by hash."""
    hashes = [_sha256(script) for script in _INLINE.findall(html)]
    rules = {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", *hashes]),
        "style-src": "'self' 'unsafe-inline'",  # Chainlit sets styles on elements
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",  # in Chromium the page's own WebSocket too
        "frame-src": "'none'",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _sha256(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
