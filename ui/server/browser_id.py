"""A random id in a cookie of each browser, by which it finds its report again."""

import re
import secrets
from collections.abc import Mapping
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE: Final = "websearch-browser"
_BYTES: Final = 32
_ATTRIBUTES: Final = f"Path=/; Max-Age={24 * 60 * 60}; HttpOnly; SameSite=Lax"
_ID: Final = re.compile(r"[\w-]{43}", re.ASCII)


def browser_id(environ: Mapping[str, Any] | None) -> str | None:
    """The id in the cookie of a connection; None without one."""
    return _found(str((environ or {}).get("HTTP_COOKIE", "")))


def id_in(request: Scope | None) -> str | None:
    """The id in the cookie of a request; None without one."""
    return _found(Headers(scope=request).get("cookie", "")) if request else None


def address(environ: Mapping[str, Any] | None) -> str:
    """The address a connection comes from; behind a proxy what the proxy says."""
    client = (environ or {}).get("asgi.scope", {}).get("client") or ("", 0)
    return str(client[0])


class BrowserId:
    """Middleware: give a browser its id with the page; no script can read it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the cookie to a page for a browser that has none."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        known = id_in(scope)

        async def send_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    # A known id is sent again: it is kept for longer.
                    value = f"{COOKIE}={known or secrets.token_urlsafe(_BYTES)}"
                    secure = "; Secure" if scope.get("scheme") == "https" else ""
                    headers.append("set-cookie", f"{value}; {_ATTRIBUTES}{secure}")
            await send(message)

        await self.app(scope, receive, send_id)


def _found(header: str) -> str | None:
    value = cookie_parser(header).get(COOKIE, "")
    return value if _ID.fullmatch(value) else None
