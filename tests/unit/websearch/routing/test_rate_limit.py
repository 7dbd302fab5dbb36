"""So many searches a minute: one more waits for its turn, or hears when that is."""

import asyncio

import pytest
from support.search.engines import Clock, FakeEngine, others, request

from websearch.models import VISITOR
from websearch.routing.cooldown import Cooldowns
from websearch.routing.limits import Limited
from websearch.routing.rate_limit import RateLimit


def paced(
    engine: FakeEngine, clock: Clock, per_minute: int, spacing: float = 0
) -> Limited:
    pace = RateLimit(per_minute, spacing=spacing, clock=clock, sleep=clock.sleep)
    return Limited(engine, Cooldowns(), pace)


async def test_within_the_deadline() -> None:
    """A search whose turn is near waits, and keeps the time that is left."""
    clock, engine = Clock(), FakeEngine("e")
    backend = paced(engine, clock, per_minute=1)
    await backend.asearch(request())
    clock.now += 57

    await backend.asearch(request(5_000))

    assert clock.slept == [3]
    assert engine.requests[1].budget_ms == 1_950


async def test_stopped_while_waiting() -> None:
    """A search that is stopped while it waits sends nothing and gives its turn back."""
    clock, engine = Clock(), FakeEngine("e")
    pace = RateLimit(20, spacing=2, clock=clock)
    backend = Limited(engine, Cooldowns(), pace)
    await backend.asearch(request())
    task = asyncio.create_task(backend.asearch(request()))
    await asyncio.sleep(0)

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert (len(engine.requests), pace.wait()) == (1, 2)
    assert others() == set()


@pytest.mark.parametrize(
    ("visitors", "waits"),
    [
        ("aaa", [0, 0, 60]),  # half for one of several people
        ("aaab", [0, 0, 60, 0]),  # who leaves turns for the others
        ("aabbc", [0, 0, 0, 0, 60]),
        ("    " + " ", [0, 0, 0, 0, 60]),  # a program for one person has them all
    ],
)
async def test_shares(visitors: str, waits: list[int]) -> None:
    """One visitor can't take all searches of an engine from the others."""
    pace = RateLimit(4, clock=Clock())
    waited = []
    for visitor in visitors:
        mark = VISITOR.set(visitor.strip())
        waited.append(pace.wait())
        await pace.turn(most=0)
        VISITOR.reset(mark)

    assert waited == waits
