"""A session searches for the same thing once."""

from dataclasses import replace
from typing import Any

import pytest
from support.counting import Counting, cached, item

from websearch import SearchRequest, SearchResponse, SearchService
from websearch.cache import CachedSearch
from websearch.errors import BadGateway, InvalidInput, NetworkError


@pytest.mark.spec("F2")
async def test_hit() -> None:
    """A query asked again is answered as before, without a request, and says so."""
    backend = Counting()
    search = cached(backend)

    first = await search.asearch("q")
    second = await search.asearch("q")

    assert backend.queries == ["q"]
    assert (first.cached, second.cached) == (False, True)
    assert second.items == first.items


@pytest.mark.spec("F2", "N3")
@pytest.mark.parametrize("told", [False, True], ids=["private", "told"])
async def test_log(caplog: pytest.LogCaptureFixture, told: bool) -> None:
    """A hit is in the log at INFO, with its words only where the operator asks."""
    search = cached(Counting(), log_queries=told)
    await search.asearch("canary words")
    caplog.clear()

    await search.asearch("canary words")

    (record,) = caplog.records
    assert record.levelname == "INFO"
    assert "cache hit" in record.getMessage()
    assert ("canary" in caplog.text) is told


async def test_time_of_a_hit() -> None:
    """A hit tells its own time, not that of the search it remembers."""
    answer = SearchResponse("q", "counting", [item(1)])
    search = cached(Counting(lambda _: answer))
    await search.asearch("q")
    for entry in search._found.values():
        entry.response = replace(entry.response, took_ms=60_000)

    assert (await search.asearch("q", trace_id="t")).took_ms < 60_000


async def test_no_time_for_a_hit() -> None:
    """A hit that is ready takes no time worth telling."""
    search = cached(Counting())
    await search.asearch("q")

    assert (await search.asearch("q")).took_ms == 0


async def test_id_of_a_hit() -> None:
    """A trace id comes back from a hit too; without one, it is that of the search."""
    search = cached(Counting())
    first = await search.asearch("q")

    assert (await search.asearch("q")).request_id == first.request_id
    assert (await search.asearch("q", trace_id="t-2")).request_id == "t-2"


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
async def test_options_that_change_results(options: dict[str, Any]) -> None:
    """The same words with another option are another search."""
    backend = Counting()
    search = cached(backend)

    await search.asearch("q")
    await search.asearch("q", **options)

    assert len(backend.queries) == 2


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("q", {"trace_id": "t"}),
        ("q", {"budget_ms": 900}),
        (" q\n", {}),
        (SearchRequest("q"), {}),
        ("q", {"max_results": 10}),
    ],
    ids=["trace_id", "budget_ms", "blanks", "request", "default"],
)
async def test_same_search(query: str | SearchRequest, options: dict[str, Any]) -> None:
    """What does not change the results does not change what is remembered."""
    backend = Counting()
    search = cached(backend)

    await search.asearch("q")

    assert (await search.asearch(query, **options)).cached


@pytest.mark.spec("F3")
@pytest.mark.parametrize("most", [1, 3, 20])
async def test_least_recently_used_goes_first(most: int) -> None:
    """Where memory is full, the search that nobody used for longest is forgotten."""
    backend = Counting()
    search = cached(backend, most=most + 1)
    for number in range(most + 1):
        await search.asearch(f"q{number}")

    await search.asearch("q0")  # used: now q1 is the oldest
    await search.asearch("new")

    assert len(search) == most + 1
    assert (await search.asearch("q0")).cached
    assert not (await search.asearch("q1")).cached


@pytest.mark.spec("F3")
async def test_twenty_by_default() -> None:
    """Twenty searches are remembered without being told."""
    search = CachedSearch(SearchService(Counting()))
    for number in range(30):
        await search.asearch(f"q{number}")

    assert len(search) == 20


def test_no_room() -> None:
    """A memory for nothing is refused when it is made, not at the first search."""
    with pytest.raises(ValueError, match="at least"):
        cached(Counting(), most=0)


async def test_nothing_is_shared() -> None:
    """Two sessions over one service know nothing of each other's searches."""
    backend = Counting()
    service = SearchService(backend)
    await CachedSearch(service).asearch("q")

    assert not (await CachedSearch(service).asearch("q")).cached
    assert len(backend.queries) == 2


async def test_clear() -> None:
    """What is cleared is asked for again."""
    search = cached(Counting())
    await search.asearch("q")

    search.clear()

    assert len(search) == 0
    assert not (await search.asearch("q")).cached


@pytest.mark.spec("F5")
async def test_failures_are_not_kept() -> None:
    """After a failure the same query is asked for again."""
    backend = Counting(lambda number: None if number else NetworkError("down"))
    search = cached(backend)
    with pytest.raises(NetworkError):
        await search.asearch("q")

    assert not (await search.asearch("q")).cached
    assert len(backend.queries) == 2


async def test_partial_failures_are_kept() -> None:
    """Results beside which some engines failed are results."""
    failed = BadGateway("one engine", detail_code="engines_failed")
    answer = SearchResponse("q", "counting", [item(1)], errors=[failed])
    search = cached(Counting(lambda _: answer))

    await search.asearch("q")

    assert (await search.asearch("q")).errors == [failed]


async def test_nothing_found_is_kept() -> None:
    """That nothing was found, without any error, is an answer worth keeping."""
    search = cached(Counting(lambda _: SearchResponse("q", "counting")))

    await search.asearch("q")

    assert (await search.asearch("q")).cached


@pytest.mark.spec("J4")
async def test_blank(caplog: pytest.LogCaptureFixture) -> None:
    """A blank query is refused as ever, the provider named, and nothing sent."""
    backend = Counting()
    with pytest.raises(InvalidInput) as caught:
        await cached(backend).asearch(" ")

    assert backend.queries == []
    assert caught.value.provider == "counting"
    assert "InvalidInput" in caplog.text
