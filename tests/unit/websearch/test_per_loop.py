"""Connections belong to the event loop that opened them."""

import asyncio

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
