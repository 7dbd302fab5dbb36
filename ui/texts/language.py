"""Choose the language of the page: that of the setting, or of the browser."""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from text.language import supported

AUTO: Final = "auto"

# The language of the page, set by public/page.js: not every browser sends
# Accept-Language with a WebSocket.
_COOKIE: Final = re.compile(r"(?:^|;)\s*websearch-language=([\w-]{2,35})")
_TRANSLATED: Final = ("/project/translations", "/project/settings")


def page_language(setting: str, tag: str | None) -> str:
    """The language of the setting; `auto` follows the browser's language *tag*."""
    return supported(tag) if setting == AUTO else setting


def browser_tag(environ: Mapping[str, Any]) -> str:
    """The browser's language tag from the page's cookie, else from its headers."""
    cookie = _COOKIE.search(str(environ.get("HTTP_COOKIE", "")))
    return cookie[1] if cookie else str(environ.get("HTTP_ACCEPT_LANGUAGE", ""))


def requested_tag(headers: Headers) -> str:
    """The browser's language tag in the *headers* of a request."""
    return browser_tag(
        {
            "HTTP_COOKIE": headers.get("cookie", ""),
            "HTTP_ACCEPT_LANGUAGE": headers.get("accept-language", ""),
        }
    )


class BrowserLanguage:
    """
    Middleware: request Chainlit's own texts in the language of ours.

    Otherwise Chainlit shows French to a French browser, beside our English.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Replace the requested language by that of the page."""
        if scope["type"] == "http" and scope["path"].endswith(_TRANSLATED):
            query = dict(parse_qsl(scope["query_string"].decode("latin-1")))
            tag = requested_tag(Headers(scope=scope))
            query["language"] = page_language(AUTO, tag)
            scope = {**scope, "query_string": urlencode(query).encode()}
        await self.app(scope, receive, send)
