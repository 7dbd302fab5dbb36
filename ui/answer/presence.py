"""The page that an answer is for: away for a moment, or for good."""

import asyncio
from typing import Final

import chainlit as cl
from chainlit.server import sio

RECONNECT_SECONDS: Final = 0.5  # until Chainlit has greeted the page that is back
AWAY_SECONDS: Final = 120  # a page that is loaded anew never comes back


class Presence:
    """Whether anybody reads the answer that is being written."""

    def __init__(self) -> None:
        self._socket = _socket()
        self._seen = _now()
        self._greet_at: float | None = None

    async def is_gone(self) -> bool:
        """True once nobody has been there for long; greets who comes back."""
        now, socket = _now(), _socket()
        if sio.manager.is_connected(socket, "/"):
            self._seen = now
        if socket != self._socket:
            self._socket, self._greet_at = socket, now + RECONNECT_SECONDS
        if self._greet_at is not None and now >= self._greet_at:
            self._greet_at = None
            # Chainlit tells a page that is back that nothing runs: it could not stop.
            await cl.context.emitter.task_start()
        return now - self._seen > AWAY_SECONDS


def _socket() -> str:
    return str(getattr(cl.context.session, "socket_id", ""))


def _now() -> float:
    return asyncio.get_running_loop().time()
