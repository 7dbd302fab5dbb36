"""
Check Host and Origin of each request, and send security headers with each response.

Independent of Chainlit; `ui.server.guard` adds it to Chainlit's server.
"""

import ipaddress
import re
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.server.page import PageTemplate
from ui.texts import page_language, text

_SAFE_METHODS: Final = frozenset({"GET", "HEAD"})
LOCAL: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
# The Content-Security-Policy is added to these: it depends on the page's scripts.
HEADERS: Final = {
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": (
        "camera=(), microphone=(), geolocation=(), payment=(), usb=(), "
        "display-capture=()"
    ),
    # By default Chromium looks up the host name of every link it shows.
    "x-dns-prefetch-control": "off",
}


@dataclass(frozen=True, slots=True)
class HostCheck:
    """The host names of this server."""

    hosts: frozenset[str]

    @classmethod
    def of(cls, names: Iterable[str]) -> "HostCheck":
        """Accept the local names and *names*, with or without ports."""
        return cls(LOCAL | {host_name(n) for n in names if n.strip()})

    def refusal(self, host: str, origin: str | None) -> str | None:
        """The reason to refuse a request; None if it is accepted."""
        if host_name(host) not in self.hosts:
            return "unknown host"
        # Without Origin no page sent it; `null` is a page that hides its origin.
        if origin is not None and not is_own(origin, host):
            return "foreign origin"
        return None


class SecurityHeaders:
    """Middleware: refuse unknown hosts and foreign origins, add security headers."""

    def __init__(self, app: ASGIApp, hosts: HostCheck, template: PageTemplate) -> None:
        self.app = app
        self.hosts = hosts
        self.template = template

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on to the app."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = MutableHeaders(scope=message)
                sent.update(HEADERS)
                sent["content-security-policy"] = self.template.policy
            await send(message)

        headers = Headers(scope=scope)
        is_safe = scope.get("method") in _SAFE_METHODS
        origin = None if is_safe else headers.get("origin")
        refusal = self.hosts.refusal(headers.get("host", ""), origin)
        if refusal is None:
            await self.app(scope, receive, send_secured)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        elif refusal == "unknown host":
            language = page_language(
                self.template.setting, headers.get("accept-language")
            )
            words = text("unknown_host", language) + "\n"
            await PlainTextResponse(words, 421)(scope, receive, send_secured)
        else:
            await PlainTextResponse(refusal, 403)(scope, receive, send_secured)


def host_name(host: str) -> str:
    """The name in a Host header, in lower case and without port."""
    name = host.strip().lower()
    if name.count(":") > 1 and not name.startswith("["):
        return f"[{name}]"
    return re.sub(r":[0-9]*$", "", name)


def is_own(origin: str, host: str) -> bool:
    """Tell if *origin* is a page of *host* itself."""
    scheme, _, authority = origin.lower().partition("://")
    port = {"http": ":80", "https": ":443"}.get(scheme)
    if port is None:
        return False
    return authority.removesuffix(port) == host.lower().removesuffix(port)


def is_uuid(value: object) -> bool:
    """Tell if *value* is a UUID of 36 characters, with hyphens."""
    try:
        return isinstance(value, str) and str(uuid.UUID(value)) == value.lower()
    except ValueError:
        return False


def is_local(host: str) -> bool:
    """Tell if a server bound to *host* can be reached from this machine only."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
