"""An engine that refused us, or is down, is not asked during its cool-down."""

import asyncio

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
from websearch.routing.cooldown import Cooldowns, WithCooldown

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


def test_one_success_clears(cooldowns: Cooldowns, clock: Clock) -> None:
    """After a success, the next failure counts as the first."""
    cooldowns.failed("e", DOWN)
    clock.now += 30
    cooldowns.succeeded("e")

    cooldowns.failed("e", DOWN)

    assert seconds(cooldowns) == 30


def test_failures_at_once_count_once(cooldowns: Cooldowns) -> None:
    """Ten searches that fail together start one cool-down, not the longest."""

    for _ in range(10):
        cooldowns.failed("e", DOWN)

    assert seconds(cooldowns) == 30


@pytest.mark.parametrize(("error", "is_kept"), [(DOWN, False), (TOO_MANY, True)])
def test_success_of_a_search_under_way(
    cooldowns: Cooldowns, error: SearchError, is_kept: bool
) -> None:
    """A search that began earlier proves an engine alive, but lifts no block."""
    cooldowns.failed("e", error)

    cooldowns.succeeded("e")

    assert (cooldowns.current("e") is not None) is is_kept


def test_longer_one_stays(cooldowns: Cooldowns) -> None:
    """A short cool-down does not end a long one."""
    cooldowns.failed("e", CAPTCHA)

    cooldowns.failed("e", TOO_MANY)

    assert seconds(cooldowns) == 3_600


async def test_not_asked(cooldowns: Cooldowns, clock: Clock) -> None:
    """During its cool-down an engine is not asked; the error says why and how long."""
    engine = FakeEngine("e", TOO_MANY)
    backend = WithCooldown(engine, cooldowns)
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


@pytest.mark.parametrize("limit", [None, 5.0])
async def test_caller_in_a_hurry(cooldowns: Cooldowns, limit: float | None) -> None:
    """A search with hardly any time says nothing about the engine."""
    engine = FakeEngine("e", HANGS)

    with pytest.raises(Timeout):
        await WithCooldown(engine, cooldowns, limit=limit).asearch(request(1))

    assert cooldowns.current("e") is None


async def test_cancelled_search_is_no_failure(cooldowns: Cooldowns) -> None:
    """A search that was stopped says nothing about the engine."""
    engine = FakeEngine("e", HANGS)
    task = asyncio.create_task(WithCooldown(engine, cooldowns).asearch(request()))
    await asyncio.sleep(0)

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert cooldowns.current("e") is None
