"""What the status of an answer means: SearXNG, its proxy, or another program."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from websearch.errors import (
    AuthError,
    BadGateway,
    InvalidInput,
    SearchError,
    WebBlocked,
    WebParseError,
)
from websearch.network.response import Reply

_PARAMETER = re.compile(r"for parameter ([a-z_]{1,20})")
# Flask's own page for abort(403): SearXNG sends it where a format is not enabled.
_READ_PROTECTED = b"It is either read-protected or not readable by the server."


def status_error(reply: Reply) -> SearchError | None:
    """The error that the status of an answer stands for; None for 200."""
    status = reply.status
    if status == HTTPStatus.OK:
        return None
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return _error(BadGateway, reply, f"The server answered {status}")
    if is_redirect(reply):
        return WebParseError(
            "The server sends us elsewhere, which is not followed",
            detail_code="redirect",
            facts=reply.facts(),
        )
    if is_json_off(reply):
        return AuthError(
            "SearXNG is running, but its JSON format is not enabled",
            detail_code="json_disabled",
            facts=reply.facts(),
        )
    if known := _STATUSES.get(status):
        return _error(known[0], reply, known[1])
    return not_searxng(reply)


def _error(kind: type[SearchError], reply: Reply, message: str) -> SearchError:
    return kind(
        message.format(parameter=_parameter(reply)),
        detail_code=f"http_{reply.status}",
        retry_after=reply.retry_after,
        facts=reply.facts(),
    )


_STATUSES: Final[Mapping[int, tuple[type[SearchError], str]]] = {
    400: (InvalidInput, "SearXNG refuses the request{parameter}"),
    401: (AuthError, "A proxy in front of SearXNG wants other credentials"),
    403: (AuthError, "A proxy or firewall in front of SearXNG refuses the request"),
    404: (WebParseError, "Nothing is there: the path of the base address is wrong"),
    414: (InvalidInput, "The query is too long for a proxy in front of SearXNG"),
    429: (WebBlocked, "Too many requests: the limiter of SearXNG or a proxy is on"),
}


def not_searxng(reply: Reply) -> WebParseError:
    """The error for an answer that no SearXNG would give."""
    kind = "a web page" if reply.media_type == "text/html" else "something else"
    return WebParseError(
        f"The server answered {reply.status} with {kind}, not as SearXNG does",
        detail_code="not_searxng",
        facts=reply.facts(),
    )


def is_json_off(reply: Reply) -> bool:
    """Whether a 403 is SearXNG's own, for a format that is not enabled."""
    return reply.status == HTTPStatus.FORBIDDEN and _READ_PROTECTED in reply.body


def is_redirect(reply: Reply) -> bool:
    """Whether the server sends us elsewhere."""
    return reply.status in {301, 302, 303, 307, 308}


def _parameter(reply: Reply) -> str:
    """The parameter that SearXNG names; the rest of its words may hold the query."""
    match = _PARAMETER.search(reply.text[:1_000])
    return f": the value of {match[1]}" if match else ""
