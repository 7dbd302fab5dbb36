"""The one language of the page: that of the setting, else that of the browser."""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from starlette.types import ASGIApp, Receive, Scope, Send

AUTO: Final = "auto"

# Set by public/page.js: not every browser names its language to a socket.
_COOKIE: Final = re.compile(r"(?:^|;)\s*websearch-language=([\w-]{2,35})")
_ASKING: Final = ("/project/translations", "/project/settings")


def known(tag: str | None) -> str:
    """The language for a browser's *tag*: any but English reads Chinese."""
    return "en-US" if (tag or "").lower().startswith("en") else "zh-CN"


def spoken(setting: str, tag: str | None) -> str:
    """The language to speak: the setting's, else the browser's."""
    return known(tag) if setting == AUTO else setting


def of_browser(environ: Mapping[str, Any]) -> str:
    """What the page's script said of its browser, else what its headers say."""
    said = _COOKIE.search(str(environ.get("HTTP_COOKIE", "")))
    return said[1] if said else str(environ.get("HTTP_ACCEPT_LANGUAGE", ""))


class OneLanguage:
    """
    Asks Chainlit for its words in the language of ours, where the browser chooses.

    Else it would answer a French browser in French, and one from Hong Kong in English.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request as if the browser had named a language that we speak."""
        if scope["type"] == "http" and scope["path"].endswith(_ASKING):
            asked = dict(parse_qsl(scope["query_string"].decode("latin-1")))
            asked["language"] = known(asked.get("language"))
            scope = {**scope, "query_string": urlencode(asked).encode()}
        await self.app(scope, receive, send)
