"""Connections of a reader that lead nowhere, or to a port of this machine."""

from typing import Any

import httpcore


class Recorder(httpcore.AsyncNetworkBackend):
    """Notes where a connection was wanted, and opens none."""

    def __init__(self) -> None:
        self.wanted: list[tuple[str, int]] = []

    async def connect_tcp(self, host: str, port: int, *_: Any, **__: Any) -> Any:
        self.wanted.append((host, port))
        raise httpcore.ConnectError("recorded")


class Diverted(httpcore.AsyncNetworkBackend):
    """Leads every connection to a port of this machine."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def connect_tcp(self, _host: str, _port: int, *rest: Any) -> Any:
        return await httpcore.AnyIOBackend().connect_tcp("127.0.0.1", self._port, *rest)
