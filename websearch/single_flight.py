"""Equal calls at the same time share one outcome."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

from websearch.errors import SearchError

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """Runs one of several equal calls, and gives its outcome to all."""

    def __init__(self) -> None:
        # For each event loop: one that is blocked does not delay the others.
        self._flights: dict[Hashable, asyncio.Future[T | SearchError | None]] = {}

    async def run(
        self, key: Hashable, call: Callable[[], Awaitable[T]]
    ) -> tuple[T, bool]:
        """Return the result of *call*, or of an equal one that runs; True for that."""
        key = (id(asyncio.get_running_loop()), key)
        while (flight := self._flights.get(key)) is not None:
            outcome = await asyncio.shield(flight)
            if isinstance(outcome, SearchError):
                raise outcome.copy()
            if outcome is not None:
                return outcome, True
            # That call was cancelled or defective, which is no reason for this one.
        flight = asyncio.get_running_loop().create_future()
        self._flights[key] = flight
        outcome = None
        try:
            outcome = await call()
        except SearchError as error:
            outcome = error
            raise
        else:
            return outcome, False
        finally:
            del self._flights[key]
            flight.set_result(outcome)
