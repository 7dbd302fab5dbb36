"""Connections belong to the event loop that opened them."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from websearch.per_loop import PerLoop


async def known(things: PerLoop[object]) -> object:
    return things.get()


def test_ended_loops_are_dropped() -> None:
    """Many short loops leave nothing behind."""
    made: list[object] = []
    things: PerLoop[object] = PerLoop(lambda: made.append(object()))
    for _ in range(5):
        asyncio.run(known(things))

    assert len(made) == 5
    assert len(things._made) == 1


class InterruptedLoop(asyncio.SelectorEventLoop):
    """Runs *meanwhile* on another thread while somebody looks for ended loops."""

    meanwhile: Callable[[], object] | None = None

    def is_closed(self) -> bool:
        work, self.meanwhile = self.meanwhile, None
        if work:
            with ThreadPoolExecutor(1) as thread:
                thread.submit(work).result()
        return super().is_closed()


def test_loops_of_several_threads() -> None:
    """A loop of one thread does not disturb one that begins in another."""
    things: PerLoop[object] = PerLoop(object)
    with asyncio.Runner(loop_factory=InterruptedLoop) as first:
        mine = first.run(known(things))
        loop = first.get_loop()
        assert isinstance(loop, InterruptedLoop)
        loop.meanwhile = lambda: asyncio.run(known(things))

        asyncio.run(known(things))

        assert first.run(known(things)) is mine
