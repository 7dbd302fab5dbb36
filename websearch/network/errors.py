"""Where the errors of the HTTP library end: each becomes one of ours."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

import httpcore

from websearch.errors import NetworkError

TRANSPORT_ERRORS = (
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.ProxyError,
    httpcore.TimeoutException,
    httpcore.UnsupportedProtocol,
    httpcore.ConnectionNotAvailable,
)


@contextmanager
def own_errors() -> Iterator[None]:
    """Map foreign errors; their texts can hold addresses, keys and queries."""
    try:
        yield
    except httpcore.RemoteProtocolError as error:
        raise network_error(error) from None  # its text holds lines of the answer
    except httpcore.LocalProtocolError:
        raise NetworkError(
            "The request can't be sent: a setting holds a character that HTTP forbids",
            detail_code="not_http",
        ) from None  # its text holds the header, and so the key
    except TRANSPORT_ERRORS as error:
        raise network_error(error) from error


@contextmanager
def begun() -> Iterator[None]:
    """An answer that breaks off after it began must not be asked for again."""
    try:
        yield
    except TRANSPORT_ERRORS as error:
        raise NetworkError(
            "The server hung up in the middle of its answer", detail_code="cut_off"
        ) from error


def network_error(error: Exception) -> NetworkError:
    """What kept a request from its answer, told by what led to *error*."""
    causes = list(_causes(error))

    def caused_by(*kinds: type[BaseException]) -> bool:
        return any(isinstance(cause, kinds) for cause in causes)

    if caused_by(socket.gaierror):
        return NetworkError("The host name is not known", detail_code="dns")
    if caused_by(ssl.SSLError):
        return NetworkError("No TLS connection came about", detail_code="tls")
    if caused_by(ConnectionRefusedError):
        return NetworkError("Nothing listens on that port", detail_code="refused")
    if isinstance(error, httpcore.RemoteProtocolError):
        if "disconnected" in str(error):
            return NetworkError("The server hung up", detail_code="disconnected")
        return NetworkError("The server does not speak HTTP", detail_code="not_http")
    if isinstance(error, (httpcore.ReadError, httpcore.WriteError)):
        return NetworkError("The server hung up", detail_code="disconnected")
    return NetworkError("The server can't be reached", detail_code="unreachable")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error, what led to it, and the members of groups on the way."""
    todo: list[BaseException] = [error]
    seen: set[int] = set()
    while todo:
        current = todo.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        todo += [e for e in (current.__cause__, current.__context__) if e is not None]
        if isinstance(current, BaseExceptionGroup):
            todo += current.exceptions
