"""Convert errors of the browser and of its driver to ours, without their text."""

import re
from typing import Final

from websearch.errors import NetworkError, SearchError, WebParseError, WebProviderError

_NET: Final = re.compile(r"net::(ERR_[A-Z0-9_]+)")
# Beginnings of Chromium's names for failures of the network; the first match is used.
_NETWORK: Final = {
    "ERR_NAME_": "dns",
    "ERR_CONNECTION_REFUSED": "refused",
    "ERR_CERT_": "tls",
    "ERR_SSL_": "tls",
    "ERR_CONNECTION_RESET": "disconnected",
    "ERR_CONNECTION_CLOSED": "disconnected",
    "ERR_EMPTY_RESPONSE": "disconnected",
    "ERR_INCOMPLETE_": "cut_off",
    "ERR_CONTENT_LENGTH_": "cut_off",
    "ERR_INVALID_HTTP_RESPONSE": "not_http",
}
_PROXY: Final = {
    "ERR_PROXY_CONNECTION_FAILED": ("proxy_unreachable", "The proxy can't be reached"),
    "ERR_PROXY_AUTH": ("proxy_auth", "The proxy wants other credentials"),
    "ERR_TUNNEL_CONNECTION_FAILED": ("proxy_refuses", "The proxy refuses to connect"),
    "ERR_PROXY_": ("proxy_not_http", "The proxy can't be used"),
}


def failure(text: str, proxy: str | None = None) -> SearchError:
    """The error that the driver's message *text* stands for; it is not kept."""
    network = _NET.search(text)
    if network is None:  # the browser runs on, and has not shown the page
        if "Page crashed" in text:
            return crashed()
        message = "The page led elsewhere before it was read"
        if "Download is starting" in text:
            message = "The address holds a file and no page"
        return WebParseError(message, detail_code="page_unreadable")
    name = network[1]
    for beginning, (code, words) in _PROXY.items():
        if proxy and name.startswith(beginning):
            return NetworkError(words, detail_code=code, facts={"proxy": proxy})
    for beginning, code in _NETWORK.items():
        if name.startswith(beginning):
            return NetworkError.of(code)
    if name == "ERR_TOO_MANY_REDIRECTS":
        return WebProviderError(
            "The page redirects without end", detail_code="too_many_redirects"
        )
    return NetworkError.of("unreachable")


def crashed() -> WebProviderError:
    """The error of a browser, or of its page, that ended in the middle."""
    return WebProviderError(
        "The browser ended in the middle of the page; it starts again at the next use",
        detail_code="browser_crashed",
    )
