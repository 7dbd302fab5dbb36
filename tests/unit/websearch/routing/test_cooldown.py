"""An engine that refused us, or is down, is not asked during its cool-down."""

import asyncio
import math

import pytest
from support.search.engines import CAPTCHA, DOWN, HANGS, Clock, FakeEngine, request

from websearch.errors import (
    AuthError,
    BadGateway,
    EngineFailure,
    InvalidInput,
    SearchError,
    Timeout,
    WebBlocked,
    WebParseError,
)
from websearch.routing.cooldown import Cooldowns
from websearch.routing.limits import Limited

TOO_MANY = WebBlocked("slow down", detail_code="http_429")
BEHIND = WebBlocked(
    "engines refused",
    detail_code="captcha_required",
    engines=[EngineFailure("brave", "CAPTCHA")],
)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cooldowns(clock: Clock) -> Cooldowns:
    return Cooldowns(clock=clock)


def seconds(cooldowns: Cooldowns) -> float:
    current = cooldowns.current("e")
    return current.until - cooldowns._clock() if current else 0


@pytest.mark.parametrize(
    ("error", "length"),
    [
        (WebBlocked("no", detail_code="http_403"), 180),
        (TOO_MANY, 180),
        (CAPTCHA, 3_600),
        (WebBlocked("no", detail_code="http_429", retry_after=7), 7),
        (WebBlocked("no", detail_code="http_429", retry_after=0), 1),
        (WebBlocked("no", detail_code="http_429", retry_after=999_999), 3_600),
        (BadGateway("busy", detail_code="http_503", retry_after=12), 12),
        (WebBlocked("ours", detail_code="rate_limited", retry_after=40), 0),
        (BEHIND, 30),
        (Timeout("slow"), 30),
        (DOWN, 30),
        (BadGateway("bad", detail_code="http_502"), 30),
        (AuthError("key"), 0),
        (WebParseError("odd"), 0),
        (InvalidInput("wrong"), 0),
    ],
)
def test_length(cooldowns: Cooldowns, error: SearchError, length: float) -> None:
    """Each kind of failure has its cool-down, and what waiting can't cure has none."""

    cooldowns.failed("e", error)

    assert seconds(cooldowns) == length


def test_growth(cooldowns: Cooldowns, clock: Clock) -> None:
    """The cool-downs of an engine that stays down grow, up to five minutes."""
    lengths = []
    for _ in range(5):
        cooldowns.failed("e", DOWN)
        lengths.append(seconds(cooldowns))
        clock.now += lengths[-1]

    assert lengths == [30, 60, 120, 300, 300]


@pytest.mark.parametrize(
    ("events", "left"),
    [
        ([DOWN, 30, None, DOWN], 30),  # after a success, a failure is the first
        ([DOWN] * 10, 30),  # failures at once count once
        ([CAPTCHA, TOO_MANY], 3_600),  # a short cool-down does not end a long one
        ([DOWN, None], 0),  # a search under way proves an engine alive,
        ([TOO_MANY, None], 180),  # but lifts no block
    ],
)
def test_sequences(
    cooldowns: Cooldowns,
    clock: Clock,
    events: list[SearchError | int | None],
    left: float,
) -> None:
    """What failures, successes (None) and seconds leave of a cool-down."""
    for event in events:
        if isinstance(event, SearchError):
            cooldowns.failed("e", event)
        elif event is None:
            cooldowns.succeeded("e")
        else:
            clock.now += event

    assert seconds(cooldowns) == left


async def test_not_asked(cooldowns: Cooldowns, clock: Clock) -> None:
    """During its cool-down an engine is not asked; the error says why and how long."""
    engine = FakeEngine("e", TOO_MANY)
    backend = Limited(engine, cooldowns)
    with pytest.raises(WebBlocked):
        await backend.asearch(request())
    clock.now += 100.5

    with pytest.raises(WebBlocked) as caught:
        await backend.asearch(request())

    error = caught.value
    assert len(engine.requests) == 1
    assert (error.detail_code, error.retry_after) == ("http_429", 80)
    assert error.provider == "e"
    assert str(error) == "e cools down for another 80 s after WebBlocked (http_429)"
    assert (error.facts["wait"], error.facts["rest"]) == (" 80 s", "80")


@pytest.mark.parametrize("limit", [math.inf, 5.0])
async def test_caller_in_a_hurry(cooldowns: Cooldowns, limit: float) -> None:
    """A search with hardly any time says nothing about the engine."""
    engine = FakeEngine("e", HANGS)

    with pytest.raises(Timeout):
        await Limited(engine, cooldowns, seconds=limit).asearch(request(1))

    assert cooldowns.current("e") is None


async def test_cancelled_search_is_no_failure(cooldowns: Cooldowns) -> None:
    """A search that was stopped says nothing about the engine."""
    engine = FakeEngine("e", HANGS)
    task = asyncio.create_task(Limited(engine, cooldowns).asearch(request()))
    await asyncio.sleep(0)

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert cooldowns.current("e") is None
