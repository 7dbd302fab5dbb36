"""An engine that is not asked while it rests."""

import asyncio
import math
import time

from websearch.engines.base import Backend
from websearch.errors import SearchError, Timeout
from websearch.models import SearchRequest, SearchResponse
from websearch.routing.cooldown import Health
from websearch.routing.deadline import ask, budget


class Rested:
    """
    An engine that is left alone while it rests.

    It keeps to its request's time, so that a time-out is its own and remembered.
    *limit* is the time an engine has where the request has more. With *only_blocks*
    it rests where it refused us, not where it is down: there is no other to ask.
    """

    def __init__(
        self,
        backend: Backend,
        health: Health,
        *,
        limit: float | None = None,
        only_blocks: bool = False,
    ) -> None:
        self.name = backend.name
        self._backend = backend
        self._health = health
        self._limit = limit
        self._only_blocks = only_blocks

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Search, unless the engine rests; raises nothing but SearchError."""
        rest = self._health.resting(self.name)
        if rest and (rest.is_block or not self._only_blocks):
            raise rest.error(self.name, self._health.clock())
        seconds = min(budget(request), self._limit or math.inf)
        started = time.monotonic()
        try:
            response = await ask(self._backend, request, seconds)
        except asyncio.CancelledError:
            if time.monotonic() - started >= seconds:  # cut off by a busy loop
                self._health.failed(self.name, Timeout("cut off"))
            raise
        except SearchError as error:
            self._health.failed(self.name, error)
            raise
        self._health.succeeded(self.name)
        return response

    async def aclose(self) -> None:
        """Close what the engine holds."""
        await self._backend.aclose()
