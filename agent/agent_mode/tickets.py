"""Turns taken in the order they were asked for, whichever work ends first."""

import asyncio
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Lock


class Ticket:
    """A place in the line; those before it come first, also where they fail."""

    def __init__(self) -> None:
        self.is_over = False
        self.called: Future[None] = Future()

    async def turn(self) -> None:
        """Wait until everybody before has had his turn."""
        if not self.called.done():
            await asyncio.wrap_future(self.called)

    def wait(self) -> None:
        """The same in a thread; on an event loop's own thread nobody waits."""
        if not _on_a_loop():
            self.called.result()


class Tickets:
    """A line of any number of tasks and threads."""

    def __init__(self) -> None:
        self._line: deque[Ticket] = deque()
        self._lock = Lock()

    @contextmanager
    def take(self) -> Iterator[Ticket]:
        """The next place, from now until the end of the block."""
        mine = Ticket()
        # It can't be cancelled then: who gives up waiting leaves by the block's end.
        mine.called.set_running_or_notify_cancel()
        with self._lock:
            self._line.append(mine)
        self._call()
        try:
            yield mine
        finally:
            mine.is_over = True
            self._call()

    def _call(self) -> None:
        """It is the turn of the first who has not left; a later one never overtakes."""
        with self._lock:
            while self._line and self._line[0].is_over:
                self._line.popleft()
            if self._line and not self._line[0].called.done():
                self._line[0].called.set_result(None)


def _on_a_loop() -> bool:
    """Whether waiting here would keep those from their work that we wait for."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
