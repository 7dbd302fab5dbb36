"""An engine that refused us, or is down, rests; the rest is told and ends by itself."""

import asyncio
import logging

import pytest
from support.engines import HANGS, Clock, FakeEngine, request

from websearch.errors import (
    AuthError,
    BadGateway,
    EngineFailure,
    InvalidInput,
    NetworkError,
    SearchError,
    Timeout,
    WebBlocked,
    WebParseError,
)
from websearch.routing.cooldown import Health
from websearch.routing.rested import Rested

CAPTCHA = WebBlocked("robot?", detail_code="captcha_required")
TOO_MANY = WebBlocked("slow down", detail_code="http_429")
DOWN = NetworkError("down", detail_code="refused")
BEHIND = WebBlocked(
    "engines refused",
    detail_code="captcha_required",
    engines=[EngineFailure("brave", "CAPTCHA")],
)


def seconds_of_rest(health: Health, clock: Clock) -> float:
    rest = health.resting("e")
    return rest.until - clock.now if rest else 0


@pytest.mark.parametrize(
    ("error", "seconds"),
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
def test_length_of_a_rest(error: SearchError, seconds: float) -> None:
    """Each kind of failure has its rest, and what a rest can't cure has none."""
    clock = Clock()
    health = Health(clock=clock)

    health.failed("e", error)

    assert seconds_of_rest(health, clock) == seconds


def test_rest_ends_by_itself() -> None:
    """When its time is over, an engine is asked again."""
    clock = Clock()
    health = Health(clock=clock)
    health.failed("e", TOO_MANY)

    clock.now += 179.9
    before = health.resting("e")
    clock.now += 0.1

    assert before is not None
    assert health.resting("e") is None


def test_rests_grow() -> None:
    """The rests of an engine that stays down grow, up to five minutes."""
    clock = Clock()
    health = Health(clock=clock)
    rests = []
    for _ in range(5):
        health.failed("e", DOWN)
        rests.append(seconds_of_rest(health, clock))
        clock.now += rests[-1]

    assert rests == [30, 60, 120, 300, 300]


def test_one_success_clears() -> None:
    """After a success, the next failure counts as the first."""
    clock = Clock()
    health = Health(clock=clock)
    health.failed("e", DOWN)
    clock.now += 30
    health.succeeded("e")

    health.failed("e", DOWN)

    assert seconds_of_rest(health, clock) == 30


def test_failures_at_once_count_once() -> None:
    """Ten searches that fail together make one rest, not the longest."""
    clock = Clock()
    health = Health(clock=clock)

    for _ in range(10):
        health.failed("e", DOWN)

    assert seconds_of_rest(health, clock) == 30


@pytest.mark.parametrize(("error", "rests"), [(DOWN, False), (TOO_MANY, True)])
def test_success_of_a_search_under_way(error: SearchError, rests: bool) -> None:
    """A search that began earlier proves an engine alive, but lifts no block."""
    health = Health(clock=Clock())
    health.failed("e", error)

    health.succeeded("e")

    assert (health.resting("e") is not None) is rests


def test_longer_rest_holds() -> None:
    """A short rest does not end a long one."""
    clock = Clock()
    health = Health(clock=clock)
    health.failed("e", CAPTCHA)

    health.failed("e", TOO_MANY)

    assert seconds_of_rest(health, clock) == 3_600


def test_engines_rest_alone() -> None:
    """The rest of one engine is no other's."""
    health = Health(clock=Clock())
    health.failed("e", CAPTCHA)

    assert health.resting("f") is None


def test_rest_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The log tells who rests, for how long and why."""
    Health(clock=Clock()).failed("e", CAPTCHA)

    (record,) = [r for r in caplog.records if r.levelno == logging.WARNING]
    assert record.getMessage() == (
        "e rests for 3600 s after WebBlocked (captcha_required)"
    )


def test_no_traceback_is_kept() -> None:
    """The memory of an error does not hold the search that raised it."""
    health = Health(clock=Clock())
    try:
        raise DOWN
    except NetworkError as error:
        health.failed("e", error)

    rest = health.resting("e")
    assert rest is not None
    assert rest.cause.__traceback__ is None


async def test_resting_engine_is_not_asked() -> None:
    """A resting engine gets no request, and the error says why and for how long."""
    clock = Clock()
    engine = FakeEngine("e", TOO_MANY)
    rested = Rested(engine, Health(clock=clock))
    with pytest.raises(WebBlocked):
        await rested.asearch(request())
    clock.now += 100.5

    with pytest.raises(WebBlocked) as caught:
        await rested.asearch(request())

    error = caught.value
    assert len(engine.requests) == 1
    assert (error.detail_code, error.retry_after, error.provider) == (
        "http_429",
        80,
        "e",
    )
    assert str(error) == "e rests for another 80 s after WebBlocked (http_429)"
    assert (error.facts["wait"], error.facts["rest"]) == (" 80 s", "80")


async def test_asked_again_after_the_rest() -> None:
    """After its rest an engine answers as before."""
    clock = Clock()
    engine = FakeEngine("e", CAPTCHA, ["https://a.example/"])
    rested = Rested(engine, Health(clock=clock))
    with pytest.raises(WebBlocked):
        await rested.asearch(request())
    clock.now += 3_600

    response = await rested.asearch(request())

    assert response.provider == "e"


async def test_time_out_is_the_engines_own() -> None:
    """An engine that lets its time pass is cut off, and rests."""
    health = Health(clock=Clock())
    engine = FakeEngine("e", HANGS)

    with pytest.raises(Timeout, match=r"^e gave no complete answer within 0\.05 s"):
        await Rested(engine, health).asearch(request(50))

    assert engine.cancelled == 1
    assert health.resting("e") is not None


async def test_own_limit() -> None:
    """An engine's own limit is shorter than the request's, never longer."""
    engine = FakeEngine("e")
    for limit in (2.0, 60.0):
        await Rested(engine, Health(), limit=limit).asearch(request(5_000))

    assert [r.budget_ms for r in engine.requests] == [1_950, 4_950]


async def test_cancelled_search_is_no_failure() -> None:
    """Who stops a search says nothing about the engine."""
    health = Health(clock=Clock())
    engine = FakeEngine("e", HANGS)
    task = asyncio.create_task(Rested(engine, health).asearch(request()))
    await asyncio.sleep(0)

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert health.resting("e") is None


@pytest.mark.parametrize(
    ("error", "asked"),
    [(DOWN, 2), (TOO_MANY, 1), (BadGateway("busy", retry_after=9), 1)],
    ids=["down", "blocked", "busy"],
)
async def test_lone_engine(error: SearchError, asked: int) -> None:
    """An engine without others rests where it refused us, not where it is down."""
    engine = FakeEngine("e", error)
    rested = Rested(engine, Health(clock=Clock()), only_blocks=True)

    for _ in range(2):
        with pytest.raises(type(error)):
            await rested.asearch(request())

    assert len(engine.requests) == asked


async def test_closing() -> None:
    """Closing reaches the engine."""
    engine = FakeEngine("e")

    await Rested(engine, Health()).aclose()

    assert engine.closed == 1
