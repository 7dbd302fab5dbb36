"""Equal searches at the same time make one request, and none disturbs another."""

import asyncio
import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.counting import Counting, cached, held, until, waiting

from websearch import SearchService
from websearch.cache import CachedSearch
from websearch.errors import NetworkError, Timeout


async def test_clear_during_a_search() -> None:
    """A search that ends after the clearing leaves nothing behind."""
    backend = held()
    search = cached(backend)
    (task,) = await waiting(search, 1)

    search.clear()
    backend.may_end.set()
    await task

    assert (len(search), search._flights) == (0, {})


async def test_single_flight() -> None:
    """Ten equal searches at once make one request, and nine are hits."""
    backend = held()
    search = cached(backend)
    tasks = await waiting(search, 10)

    backend.may_end.set()
    found = await asyncio.gather(*tasks)

    assert backend.queries == ["q"]
    assert [response.cached for response in found] == [False] + [True] * 9


async def test_different_searches_do_not_wait() -> None:
    """A search waits for no other than its own twin."""
    backend = held()
    search = cached(backend)
    tasks = [asyncio.create_task(search.asearch(query)) for query in ("a", "b")]

    await until(lambda: len(backend.queries) == 2)
    backend.may_end.set()

    assert not any(response.cached for response in await asyncio.gather(*tasks))


async def test_first_fails() -> None:
    """Who waited for a search that failed searches himself, one after the other."""
    backend = Counting(lambda number: NetworkError("down") if number < 2 else None)
    backend.may_end.clear()
    tasks = await waiting(cached(backend), 4)

    backend.may_end.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)

    assert [type(outcome) for outcome in found[:2]] == [NetworkError, NetworkError]
    assert [outcome.cached for outcome in found[2:]] == [False, True]
    assert len(backend.queries) == 3


async def test_time_is_counted_once() -> None:
    """Who waited for a search that timed out has no second time-out to wait for."""
    backend = held()
    tasks = await waiting(cached(backend, timeout=0.4), 3)

    found = await asyncio.gather(*tasks, return_exceptions=True)

    assert [type(outcome) for outcome in found] == [Timeout] * 3
    assert all("within 0.4 s" in str(outcome) for outcome in found)
    assert backend.queries == ["q"]


async def test_own_time_limit() -> None:
    """Who has less time than the search he waits for gives up alone."""
    backend = held()
    search = cached(backend, timeout=60)
    (first,) = await waiting(search, 1)

    with pytest.raises(Timeout, match=r"within 0\.05 s") as caught:
        await search.asearch("q", budget_ms=50)
    backend.may_end.set()

    assert caught.value.provider == "counting"
    assert not (await first).cached


async def test_first_is_cancelled() -> None:
    """Where the first search is cancelled, the next one takes over."""
    backend = held()
    tasks = await waiting(cached(backend), 3)

    tasks[0].cancel()
    await until(lambda: len(backend.queries) == 2)
    backend.may_end.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)

    assert isinstance(found[0], asyncio.CancelledError)
    assert [outcome.cached for outcome in found[1:]] == [False, True]


async def test_waiter_is_cancelled() -> None:
    """Who gives up waiting disturbs neither the search nor the others."""
    backend = held()
    tasks = await waiting(cached(backend), 3)

    tasks[1].cancel()
    with pytest.raises(asyncio.CancelledError):
        await tasks[1]
    backend.may_end.set()

    assert [r.cached for r in await asyncio.gather(tasks[0], tasks[2])] == [False, True]
    assert backend.queries == ["q"]


@pytest.mark.parametrize("outcome", ["found", "failed", "cancelled"])
async def test_nothing_is_left_behind(outcome: str) -> None:
    """However searches end, no task and no entry for those under way is left."""
    backend = Counting(lambda _: NetworkError("down") if outcome == "failed" else None)
    backend.may_end.clear()
    search = cached(backend)
    tasks = await waiting(search, 5)
    if outcome == "cancelled":
        for task in tasks:
            task.cancel()

    backend.may_end.set()
    await asyncio.gather(*tasks, return_exceptions=True)

    assert search._flights == {}
    assert asyncio.all_tasks() == {asyncio.current_task()}


def test_threads() -> None:
    """Threads that search for the same at once make one request."""
    backend = held()
    service = SearchService(backend)
    search = CachedSearch(service)
    with ThreadPoolExecutor(8) as pool:
        futures = [pool.submit(search.search, "q") for _ in range(8)]
        assert backend.begun.wait(10)
        backend.may_end.set()
        found = [future.result(10) for future in futures]
    service.close()

    assert backend.queries == ["q"]
    assert sorted(response.cached for response in found) == [False] + [True] * 7


async def test_thread_waits_for_a_task() -> None:
    """A thread gets what a task of an event loop is just finding."""
    backend = held()
    service = SearchService(backend)
    search = CachedSearch(service)
    (task,) = await waiting(search, 1)
    thread = asyncio.create_task(asyncio.to_thread(search.search, "q"))
    await until(lambda: service._background.is_running)

    backend.may_end.set()
    found = await asyncio.gather(task, thread)
    service.close()

    assert [response.cached for response in found] == [False, True]
    assert backend.queries == ["q"]


async def test_no_deadlock_on_a_loop() -> None:
    """Code that blocks its event loop does not wait for a task of that same loop."""
    backend = held()
    service = SearchService(backend)
    search = CachedSearch(service)
    (task,) = await waiting(search, 1)

    timer = threading.Timer(0.05, backend.may_end.set)
    timer.start()
    response = search.search("q")  # blocks this loop, on purpose
    timer.join()

    assert not response.cached
    assert not (await task).cached
    service.close()


def test_mixed_storm() -> None:
    """Threads and event loops over one small memory lose and confuse no answer."""
    service = SearchService(Counting())
    search = CachedSearch(service, max_queries=3)
    names = [f"q{number % 7}" for number in range(60)]

    async def all_at_once() -> list[str]:
        found = await asyncio.gather(*(search.asearch(name) for name in names))
        return [response.query for response in found]

    with ThreadPoolExecutor(6) as pool:
        loops = [pool.submit(asyncio.run, all_at_once()) for _ in range(3)]
        singles = [pool.submit(search.search, name) for name in names]
        assert all(loop.result(30) == names for loop in loops)
        assert [single.result(30).query for single in singles] == names
    service.close()

    assert len(search) == 3
    assert search._flights == {}


def test_closed_loop() -> None:
    """A waiter whose event loop is gone does not disturb the search it waited for."""
    backend = held()
    service = SearchService(backend)
    search = CachedSearch(service)

    async def give_up() -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.02):
                await search.asearch("q")

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(search.search, "q")
        assert backend.begun.wait(10)
        asyncio.run(give_up())
        backend.may_end.set()
        assert not first.result(10).cached
    service.close()

    assert len(search) == 1
