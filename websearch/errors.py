"""
The errors of a search: one class for each cause that a user can act on.

| code | retryable | means | detail codes |
| --- | --- | --- | --- |
| `InvalidInput` | no | the request is wrong; nothing useful can be sent | `query_too_long`, `http_400`, `http_414`, `http_422` |
| `ToolNotFound` | no | the contract has no tool of that name | |
| `Timeout` | yes | no complete answer within the time limit | `browser_slow`, `proxy_silent` |
| `WebBlocked` | no | the engine took us for a robot, or too many requests were sent | `captcha_required`, `consent_required`, `js_required`, `http_403`, `http_429`, `quota_exhausted`, `rate_limited`, `user_agent_refused` |
| `WebParseError` | no | an answer came, but not one that can be read | `not_searxng`, `not_json`, `redirect`, `http_2xx`, `http_3xx`, `http_404`, `http_422`, `too_large`, `too_deep`, `bad_encoding`, `unexpected_page`, `no_such_page`, `cut_off`, `page_too_slow`, `page_too_heavy`, `page_unreadable` |
| `NetworkError` | yes | the server, or the proxy before it, could not be reached, or hung up | `refused`, `dns`, `tls`, `unreachable`, `disconnected`, `cut_off`, `not_http`, `proxy_unreachable`, `proxy_not_http`, `proxy_auth`, `proxy_refuses`, `proxy_fails` |
| `AuthError` | no | credentials are missing or refused | `http_401`, `http_403`, `json_disabled`, `missing_key`, `bad_key`, `quota_exhausted` |
| `BadGateway` | yes | the server, or every engine behind it, failed | `http_5xx`, `engines_failed` |
| `WebProviderError` | no | a backend failed in a way not listed here | `redirect`, `http_4xx`, `worker_failed`, `browser_missing`, `browser_driver_missing`, `browser_path`, `browser_failed`, `browser_crashed`, `too_many_redirects` |

`SearchError` is the root and is never raised itself.
Messages contain no foreign text, which can contain addresses, keys and queries.
"""  # noqa: E501  a table row is one line

from collections.abc import Iterable, Mapping
from copy import copy
from enum import StrEnum
from typing import Any, ClassVar, Final, NamedTuple, Self

_UNREACHED: Final = {
    "dns": "The host name is not known",
    "tls": "No TLS connection came about",
    "refused": "Nothing listens on that port",
    "not_http": "The server does not speak HTTP",
    "disconnected": "The server hung up",
    "cut_off": "The server hung up in the middle of its answer",
    "unreachable": "The server can't be reached",
}


class EngineFailure(NamedTuple):
    """An engine behind a metasearch server that gave no results, and why."""

    engine: str
    reason: str


class SearchError(Exception):
    """A search that brought no results because something went wrong."""

    code: ClassVar[str] = "WebProviderError"  # a class below has its name
    retryable: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        if SearchError in cls.__bases__:  # a class below one of these is of its kind
            cls.code = cls.__name__

    def __init__(
        self,
        message: str,
        *,
        detail_code: str | None = None,
        provider: str | None = None,
        retry_after: float | None = None,
        engines: Iterable[EngineFailure] = (),
        facts: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.detail_code = detail_code
        self.provider = provider
        self.retry_after = retry_after
        self.engines = tuple(engines)
        self.facts = dict(facts or {})  # facts of the server's answer, for the advice

    @property
    def full_code(self) -> str:
        """Code and detail code, for messages and logs."""
        return f"{self.code} ({self.detail_code})" if self.detail_code else self.code

    def copy(self, message: str | None = None, **changes: Any) -> Self:
        """A copy with *changes*, without the traceback, which holds memory."""
        twin = copy(self)
        twin.args = (message or str(self),)
        twin.facts = dict(self.facts)
        for name, value in changes.items():
            setattr(twin, name, value)
        return twin

    def as_dict(self) -> dict[str, Any]:
        """The error object of the command line and of the tool contract."""
        return {
            "type": self.code,
            "message": str(self),
            "detail_code": self.detail_code,
            "retryable": self.retryable,
            "provider": self.provider,
        }


class InvalidInput(SearchError):
    """The request is wrong; nothing useful can be sent."""


class ToolNotFound(SearchError):
    """The contract has no tool of that name."""


class Stage(StrEnum):
    """The stage of a request at its timeout."""

    START = "while the browser starts"
    CONNECT = "while connecting or waiting for the answer to begin"
    PROXY = "while waiting for the proxy"
    RECEIVE = "while receiving the answer"


class Timeout(SearchError):
    """No complete answer within the time limit."""

    retryable = True

    def __init__(
        self, message: str, *, stage: Stage | None = None, **details: Any
    ) -> None:
        super().__init__(message, **details)
        self.stage = stage


class WebBlocked(SearchError):
    """The engine took us for a robot, or too many requests were sent."""


class WebParseError(SearchError):
    """An answer came, but not one that can be read."""


class NetworkError(SearchError):
    """The server could not be reached, or hung up."""

    retryable = True

    @classmethod
    def of(cls, detail_code: str) -> Self:
        """The error of a server, not of a proxy, in our words."""
        return cls(_UNREACHED[detail_code], detail_code=detail_code)


class AuthError(SearchError):
    """Credentials are missing or refused."""


class BadGateway(SearchError):
    """The server, or every engine behind it, failed."""

    retryable = True


class WebProviderError(SearchError):
    """A backend failed in a way not listed here."""
