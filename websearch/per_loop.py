"""Keep one object for each event loop, as connections and tasks belong to theirs."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class PerLoop(Generic[T]):
    """Calls *make* once for each event loop, and keeps its result."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: dict[asyncio.AbstractEventLoop, T] = {}

    def get(self) -> T:
        """The object of the running loop; those of closed loops are forgotten."""
        loop = asyncio.get_running_loop()
        if loop not in self._made:
            # A list, because other threads may add loops meanwhile.
            for ended in [known for known in list(self._made) if known.is_closed()]:
                self._made.pop(ended, None)
            self._made[loop] = self._make()
        return self._made[loop]

    def known(self) -> T | None:
        """The object of the running loop, if there is one."""
        return self._made.get(asyncio.get_running_loop())

    def pop(self) -> T | None:
        """The object of the running loop, if there is one; the next is a new one."""
        return self._made.pop(asyncio.get_running_loop(), None)
