"""So many searches a minute: one more waits for its turn, or hears when that is."""

import asyncio

import pytest
from support.engines import Clock, FakeEngine, others, request

from websearch.errors import WebBlocked
from websearch.routing.cooldown import Cooldowns, WithCooldown
from websearch.routing.rate_limit import RateLimit, WithRateLimit


def paced(
    engine: FakeEngine, clock: Clock, per_minute: int, spacing: float = 0
) -> WithRateLimit:
    pace = RateLimit(per_minute, spacing=spacing, clock=clock)
    return WithRateLimit(engine, pace, clock=clock, sleep=clock.sleep)


async def test_within_the_limit() -> None:
    """As long as the limit is not reached, nobody waits."""
    clock, engine = Clock(), FakeEngine("e")
    backend = paced(engine, clock, per_minute=3)

    for _ in range(3):
        await backend.asearch(request())

    assert (len(engine.requests), clock.slept) == (3, [])


async def test_beyond_the_deadline() -> None:
    """A search whose turn is too late is refused with the time, and not sent."""
    clock, engine = Clock(), FakeEngine("e")
    backend = paced(engine, clock, per_minute=2)
    for _ in range(2):
        await backend.asearch(request())
    clock.now += 10

    with pytest.raises(WebBlocked) as caught:
        await backend.asearch(request())

    error = caught.value
    assert len(engine.requests) == 2
    assert (error.detail_code, error.retry_after) == ("rate_limited", 50)
    assert error.provider == "e"


async def test_within_the_deadline() -> None:
    """A search whose turn is near waits, and keeps the time that is left."""
    clock, engine = Clock(), FakeEngine("e")
    backend = paced(engine, clock, per_minute=1)
    await backend.asearch(request())
    clock.now += 57

    await backend.asearch(request(5_000))

    assert clock.slept == [3]
    assert engine.requests[1].budget_ms == 2_000


async def test_spacing() -> None:
    """Searches in one breath are sent a second apart."""
    clock, engine = Clock(), FakeEngine("e")
    backend = paced(engine, clock, per_minute=20, spacing=1)

    for _ in range(3):
        await backend.asearch(request())

    assert clock.slept == [1, 1]


def test_turns_at_once() -> None:
    """Searches at the same time get turns of their own, one after the other."""
    clock = Clock()
    pace = RateLimit(20, spacing=1, clock=clock)

    turns = [pace.reserve(max_wait=2.5) for _ in range(4)]

    assert turns == [1_000, 1_001, 1_002, None]


async def test_stopped_while_waiting() -> None:
    """A search that is stopped while it waits sends nothing and gives its turn back."""
    clock, engine = Clock(), FakeEngine("e")
    pace = RateLimit(20, spacing=2, clock=clock)
    backend = WithRateLimit(engine, pace, clock=clock)
    await backend.asearch(request())
    task = asyncio.create_task(backend.asearch(request()))
    await asyncio.sleep(0)

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert (len(engine.requests), pace.wait()) == (1, 2)
    assert others() == set()


async def test_own_limit_is_no_rest() -> None:
    """A search we refused ourselves says nothing against the engine."""
    clock, engine = Clock(), FakeEngine("e")
    health = Cooldowns(clock=clock)
    backend = WithCooldown(paced(engine, clock, per_minute=1), health)
    await backend.asearch(request())

    with pytest.raises(WebBlocked):
        await backend.asearch(request())

    assert health.current("e") is None
