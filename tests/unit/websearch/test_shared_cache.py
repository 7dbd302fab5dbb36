"""Answers shared by all sessions: for a time, one request for equal searches."""

import asyncio
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from support.counting import Counting, held, item, until

from websearch import SearchRequest, SearchResponse, SearchService, create_service
from websearch.engines.base import Backend
from websearch.errors import BadGateway, NetworkError, Timeout
from websearch.routing.fallback import Fallback
from websearch.shared_cache import Remembered

TTL = 300.0
Q = SearchRequest("q", budget_ms=5_000)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def remembered(backend: Backend, clock: Clock | None = None, **more: Any) -> Remembered:
    return Remembered(backend, TTL, timer=clock or Clock(), **more)


async def test_shared() -> None:
    """Two sessions make one request, and the second is told that it was remembered."""
    backend = Counting()
    shared = remembered(backend)

    views = [
        (await SearchService(shared).asearch("q")).as_provider_result()
        for _ in range(2)
    ]

    assert backend.queries == ["q"]
    assert [view["cached"] for view in views] == [False, True]
    assert views[0]["results"] == views[1]["results"]


async def test_time_to_live() -> None:
    """An answer is given until its time is over, counted from the search."""
    backend, clock = Counting(), Clock()
    shared = remembered(backend, clock)
    await shared.asearch(Q)

    clock.now = TTL - 1
    assert (await shared.asearch(Q)).cached
    clock.now = TTL
    assert not (await shared.asearch(Q)).cached
    assert len(backend.queries) == 2


async def test_minutes_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The settings name minutes, and an answer is given for just as long."""
    clock = Clock()
    made = partial(Remembered, timer=clock)
    monkeypatch.setattr("websearch.factory.Remembered", made)
    monkeypatch.setenv("WEB_SEARCH_CACHE_TTL_MINUTES", "5")
    service = create_service(backend="stub")
    await service.asearch("q")

    clock.now = 5 * 60 - 1
    assert (await service.asearch("q")).cached
    clock.now = 5 * 60
    assert not (await service.asearch("q")).cached


@pytest.mark.parametrize(
    "options",
    [
        {"locale": "de"},
        {"country": "DE"},
        {"time_range": "week"},
        {"site_filter": "a.example"},
        {"max_results": 3},
        {"need_summary": True},
    ],
    ids=lambda options: next(iter(options)),
)
async def test_other_requests(options: dict[str, Any]) -> None:
    """Another option is another search."""
    backend = Counting()
    shared = remembered(backend)

    await shared.asearch(Q)
    await shared.asearch(replace(Q, **options))

    assert len(backend.queries) == 2


@pytest.mark.parametrize("options", [{"trace_id": "t"}, {"budget_ms": 9}], ids=str)
async def test_same_request(options: dict[str, Any]) -> None:
    """Who asks, and with how much time, does not matter."""
    shared = remembered(Counting())
    await shared.asearch(Q)

    assert (await shared.asearch(replace(Q, **options))).cached


async def test_failures() -> None:
    """A failure is not kept."""
    backend = Counting(lambda number: None if number else NetworkError("down"))
    shared = remembered(backend)
    with pytest.raises(NetworkError):
        await shared.asearch(Q)

    assert not (await shared.asearch(Q)).cached


async def test_problems() -> None:
    """An answer beside which something failed is not kept, such as of a fallback."""
    down = Counting(lambda _: NetworkError("down"))
    shared = remembered(Fallback([down, Counting()]))

    for _ in range(2):
        assert not (await shared.asearch(Q)).cached
    assert len(shared) == 0


async def test_nothing_found() -> None:
    """That there is nothing is an answer."""
    shared = remembered(Counting(lambda _: SearchResponse("q", "counting")))
    await shared.asearch(Q)

    assert (await shared.asearch(Q)).cached


async def test_own_list() -> None:
    """Who changes the list that he was given changes nobody else's."""
    items = [item(1)]
    shared = remembered(Counting(lambda _: SearchResponse("q", "counting", items)))
    await shared.asearch(Q)
    items.clear()

    assert len((await shared.asearch(Q)).items) == 1


async def flying(shared: Remembered, count: int) -> list[asyncio.Task[SearchResponse]]:
    tasks = [asyncio.create_task(shared.asearch(Q)) for _ in range(count)]
    for _ in range(5):
        await asyncio.sleep(0)
    return tasks


async def test_single_flight() -> None:
    """Equal searches at once make one request, and the others get its answer."""
    backend = held()
    shared = remembered(backend)
    tasks = await flying(shared, 5)

    backend.may_end.set()
    found = await asyncio.gather(*tasks)

    assert backend.queries == ["q"]
    assert [response.cached for response in found] == [False] + [True] * 4
    assert shared._flights == {}


@pytest.mark.parametrize("gone", [0, 1, 2])
async def test_cancelled(gone: int) -> None:
    """Who is stopped disturbs no other, whether he searched or waited."""
    backend = held()
    shared = remembered(backend)
    tasks = await flying(shared, 3)

    tasks[gone].cancel()
    await until(tasks[gone].done)
    backend.may_end.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)

    assert isinstance(found.pop(gone), asyncio.CancelledError)
    assert [len(response.items) for response in found] == [1, 1]
    assert shared._flights == {}


async def test_failed_together() -> None:
    """Who waits for a search that fails hears so at once, each his own error."""
    backend = Counting(lambda _: BadGateway("down", detail_code="http_503"))
    backend.may_end.clear()
    tasks = await flying(remembered(backend), 3)

    backend.may_end.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)

    assert backend.queries == ["q"]
    assert {(type(e), e.detail_code) for e in found} == {(BadGateway, "http_503")}
    assert len({id(error) for error in found}) == 3


async def test_less_time() -> None:
    """Where the first had too little time, the next one searches."""
    backend = Counting(lambda number: None if number else Timeout("too late"))
    backend.may_end.clear()
    tasks = await flying(remembered(backend), 2)

    backend.may_end.set()
    first, second = await asyncio.gather(*tasks, return_exceptions=True)

    assert isinstance(first, Timeout)
    assert len(second.items) == 1


async def test_foreign_error() -> None:
    """A fault inside the engine holds up nobody who waits."""
    backend = Counting(lambda number: None if number else RuntimeError("canary"))
    backend.may_end.clear()
    tasks = await flying(remembered(backend), 2)

    backend.may_end.set()
    first, second = await asyncio.gather(*tasks, return_exceptions=True)

    assert isinstance(first, RuntimeError)
    assert len(second.items) == 1


async def test_blocked_loop() -> None:
    """Code that blocks its event loop does not wait for a task of that same loop."""
    backend = held()
    shared = remembered(backend)
    (task,) = await flying(shared, 1)
    backend.may_end.set()

    with SearchService(shared) as service:
        assert len(service.search("q").items) == 1
    assert len((await task).items) == 1


@pytest.mark.parametrize("sizes", [(0, 1), (-1, 1), (1, 0)])
def test_no_room(sizes: tuple[float, int]) -> None:
    """A memory for nothing, or for no time, is refused when it is made."""
    with pytest.raises(ValueError, match="above 0"):
        Remembered(Counting(), sizes[0], max_entries=sizes[1])


async def test_wrapper() -> None:
    """It bears the name of its backend, and closes it."""
    backend = Counting()
    closed: list[bool] = []

    async def aclose() -> None:
        closed.append(True)

    backend.aclose = aclose  # type: ignore[method-assign]
    shared = remembered(backend)
    await shared.aclose()

    assert shared.name == "counting"
    assert closed == [True]


async def test_no_words_in_a_repr() -> None:
    """Nothing of a query shows where the memory is printed."""
    shared = remembered(Counting())
    await shared.asearch(SearchRequest("canary"))

    assert "canary" not in f"{shared!r} {shared._found!r}"
