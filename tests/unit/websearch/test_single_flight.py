"""Equal searches at the same time make one request, and none disturbs another."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.search.counting import Counting, cached, held, until, waiting

from websearch import SearchRequest, SearchService
from websearch.cache import session_cache
from websearch.errors import BadGateway, Timeout


async def test_single_flight() -> None:
    """Ten equal searches at once make one request, and nine are hits."""
    backend = held()
    tasks = await waiting(cached(backend), 10)

    backend.may_end.set()
    found = await asyncio.gather(*tasks)

    assert backend.queries == ["q"]
    assert [response.cached for response in found] == [False] + [True] * 9


async def test_failed_together() -> None:
    """Those who wait for a search that fails hear so at once, each its own error."""
    backend = Counting(lambda _: BadGateway("down", detail_code="http_503"))
    backend.may_end.clear()
    tasks = await waiting(cached(backend), 3)

    backend.may_end.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)

    assert backend.queries == ["q"]
    assert {(type(e), e.detail_code) for e in found} == {(BadGateway, "http_503")}
    assert len({id(error) for error in found}) == 3


async def test_fault_of_the_first() -> None:
    """A first search with a defect leaves the next one its own."""
    error = RuntimeError("canary")
    backend = Counting(lambda number: None if number else error)
    backend.may_end.clear()
    tasks = await waiting(session_cache(backend), 2, SearchRequest("q"))

    backend.may_end.set()
    first, second = await asyncio.gather(*tasks, return_exceptions=True)

    assert first is error
    assert len(second.items) == 1


async def test_own_time_limit() -> None:
    """A search with less time than an equal one under way times out alone."""
    backend = held()
    search = cached(backend, timeout=60)
    (first,) = await waiting(search, 1)

    with pytest.raises(Timeout, match=r"within 0\.05 s") as caught:
        await search.asearch("q", budget_ms=50)
    backend.may_end.set()

    assert caught.value.provider == "counting"
    assert not (await first).cached


@pytest.mark.parametrize("gone", [0, 1, 2])
async def test_cancelled(gone: int) -> None:
    """A cancelled caller disturbs no other, whether it searched or waited."""
    backend = held()
    tasks = await waiting(cached(backend), 3)

    tasks[gone].cancel()
    await until(tasks[gone].done)
    backend.may_end.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)

    assert isinstance(found.pop(gone), asyncio.CancelledError)
    assert [response.cached for response in found] == [False, True]
    assert len(backend.queries) == (1 if gone else 2)


async def test_blocked_loop() -> None:
    """Code that blocks its event loop does not wait for a task of that same loop."""
    backend = held()
    with cached(backend) as search:
        (task,) = await waiting(search, 1)
        backend.may_end.set()
        assert len(search.search("q").items) == 1  # blocks this loop, on purpose
        assert len((await task).items) == 1


def test_threads() -> None:
    """Threads over one small cache lose and confuse no answer."""
    cache = session_cache(Counting(), max_queries=3)
    names = [f"q{number % 7}" for number in range(60)]

    with SearchService(cache) as search, ThreadPoolExecutor(6) as pool:
        found = [pool.submit(search.search, name) for name in names]
        assert [one.result(30).query for one in found] == names

    assert len(cache) == 3
