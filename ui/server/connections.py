"""
What a connection may cost: time for its headers, its number for each address.

`H11Protocol` is uvicorn's, which has neither limit; `install` puts ours in its place.
"""

import logging
import resource
import time
from asyncio import TimerHandle, Transport
from typing import Final

import h11
from uvicorn.protocols.http import auto
from uvicorn.protocols.http.h11_impl import H11Protocol

from ui.server.headers import is_local

HEADER_SECONDS: Final = 10.0
# An office behind one address has many tabs; a flood leaves room for others.
MOST_OF_AN_ADDRESS: Final = 300
_MOST_FILES: Final = 65_536
_OUT_OF_FILES: Final = "out of system resource"
_FLOOD_SECONDS: Final = 60.0


def install() -> None:
    """Limit the connections of the server that starts next in this process."""
    auto.AutoHTTPProtocol = LimitedProtocol
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    logging.getLogger("asyncio").addFilter(OncePerMinute())


def is_installed() -> bool:
    """Tell if the server in this process starts with our limits."""
    return auto.AutoHTTPProtocol is LimitedProtocol


class LimitedProtocol(H11Protocol):
    """One connection of the server."""

    _late: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Close a connection of an address that has too many."""
        super().connection_made(transport)
        address = self.client[0] if self.client else "localhost"
        peers = [getattr(other, "client", None) for other in self.connections]
        count = sum(1 for peer in peers if peer and peer[0] == address)
        # A proxy whose word about addresses is taken has those of all visitors.
        trusted = [n.strip() for n in str(self.config.forwarded_allow_ips).split(",")]
        is_proxy = is_local(address) or "*" in trusted or address in trusted
        if count > MOST_OF_AN_ADDRESS and not is_proxy:
            transport.abort()
        else:
            self._watch()

    def data_received(self, data: bytes) -> None:
        """Read on; headers that have begun must come to their end."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the time limit, too."""
        super().connection_lost(exc)
        self._unwatch()

    def _watch(self) -> None:
        if self.conn.their_state is not h11.IDLE:
            self._unwatch()
        elif self._late is None:
            self._late = self.loop.call_later(HEADER_SECONDS, self.transport.abort)

    def _unwatch(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class OncePerMinute(logging.Filter):
    """Lets asyncio complain of missing files once a minute, not 20,000 times."""

    _next = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell if *record* is to be logged."""
        if _OUT_OF_FILES not in record.getMessage():
            return True
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + _FLOOD_SECONDS
        return True
