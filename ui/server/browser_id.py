"""A random id in a cookie of each browser, by which it finds its report again."""

import re
import secrets
from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE: Final = "websearch-browser"
_BYTES: Final = 32
_SECONDS: Final = 24 * 60 * 60
_ID: Final = re.compile(r"[\w-]{43}", re.ASCII)


def browser_id(environ: Mapping[str, Any] | None) -> str | None:
    """The id in the cookie of a connection; None without one."""
    return _found(str((environ or {}).get("HTTP_COOKIE", "")))


class BrowserId:
    """Middleware: give a browser its id with the page; no script can read it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the cookie to a page for a browser that has none."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        known = _found(headers.get(b"cookie", b"").decode("latin-1"))

        async def send_id(message: Message) -> None:
            is_start = message["type"] == "http.response.start"
            if is_start and _is_page(message):  # a known one is kept for longer
                is_secure = scope.get("scheme") == "https"
                cookie = _cookie(known or _new_id(), is_secure=is_secure)
                message["headers"] = [*message["headers"], (b"set-cookie", cookie)]
            await send(message)

        await self.app(scope, receive, send_id)


def _found(header: str) -> str | None:
    value = cookie_parser(header).get(COOKIE, "")
    return value if _ID.fullmatch(value) else None


def _is_page(message: Message) -> bool:
    types = [v for k, v in message.get("headers", []) if k.lower() == b"content-type"]
    return any(value.startswith(b"text/html") for value in types)


def _new_id() -> str:
    return secrets.token_urlsafe(_BYTES)


def _cookie(found: str, *, is_secure: bool) -> bytes:
    value = f"{COOKIE}={found}; Path=/; Max-Age={_SECONDS}"
    secure = "; Secure" if is_secure else ""
    return f"{value}; HttpOnly; SameSite=Lax{secure}".encode()
