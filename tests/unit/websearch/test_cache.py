"""The session's cache and the shared one: what is kept, for how long, and how much."""

import gc
import logging
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from support.search.counting import Counting, cached, item
from support.search.engines import DOWN, Clock, FakeEngine, limited

from websearch import (
    SearchRequest,
    SearchResponse,
    SearchService,
    create_service,
    with_session_cache,
)
from websearch.cache import STOPGAP_SECONDS, CachedBackend, session_cache, shared_cache
from websearch.engines.base import Backend
from websearch.errors import BadGateway, NetworkError, SearchError
from websearch.models import MAX_RESULTS
from websearch.results import MAX_SNIPPET
from websearch.routing.fallback import Fallback
from websearch.routing.parallel import Parallel

TTL = 300.0


def shared(backend: Backend, clock: Clock | None = None, **more: Any) -> CachedBackend:
    return shared_cache(backend, TTL, timer=clock or Clock(), **more)


def service_over(make: Callable[..., CachedBackend], backend: Backend) -> SearchService:
    return SearchService(
        make(backend, **({"ttl_seconds": TTL} if make is shared_cache else {}))
    )


def answer(name: str, *errors: SearchError) -> SearchResponse:
    return SearchResponse("q", name, [item(1)], errors=errors)


both_caches = pytest.mark.parametrize("make", [session_cache, shared_cache])


@pytest.mark.spec("F1", "F2", "I7")
@both_caches
async def test_hit(make: Any) -> None:
    """A query asked again is answered as before, without a request, and says so."""
    backend = Counting()
    search = service_over(make, backend)

    views = [(await search.asearch("q")).as_provider_result() for _ in range(2)]

    assert backend.queries == ["q"]
    assert [view["cached"] for view in views] == [False, True]
    assert views[0]["results"] == views[1]["results"]


@pytest.mark.spec("F2", "N3")
@pytest.mark.parametrize("shown", [False, True], ids=["private", "shown"])
async def test_log(caplog: pytest.LogCaptureFixture, shown: bool) -> None:
    """A hit is in the log at INFO, with its words only where the operator asks."""
    caplog.set_level(logging.INFO)
    search = cached(Counting(), log_queries=shown)
    for _ in range(3):
        await search.asearch("canary words")

    assert caplog.text.count("cache hit") == 2
    assert {record.levelname for record in caplog.records} == {"INFO"}
    assert ("canary" in caplog.text) is shown


async def test_time_and_id_of_a_hit() -> None:
    """A hit has its own time and trace id, not those of the search before."""
    late = replace(answer("counting"), took_ms=60_000, request_id="old")
    search = cached(Counting(lambda _: late))
    await search.asearch("q")

    hit = await search.asearch("q", trace_id="t-2")

    assert hit.took_ms < 60_000
    assert hit.request_id == "t-2"


@pytest.mark.parametrize(
    ("query", "options", "is_hit"),
    [
        ("q", {"locale": "de"}, False),
        ("q", {"site_filter": "a.example"}, False),
        ("q", {"max_results": 3}, False),
        ("q", {"trace_id": "t"}, True),
        ("q", {"budget_ms": 900}, True),
        (" q\n", {}, True),
        (SearchRequest("q"), {}, True),
    ],
)
async def test_same_search(
    query: str | SearchRequest, options: dict[str, Any], is_hit: bool
) -> None:
    """The same words with another option that changes results are another search."""
    search = cached(Counting())
    await search.asearch("q")

    assert (await search.asearch(query, **options)).cached is is_hit


@pytest.mark.spec("F3")
@pytest.mark.parametrize("most", [2, 20], ids=["told", "by default"])
async def test_least_recently_used_goes_first(most: int) -> None:
    """A full cache, of twenty searches unless told otherwise, drops the answer that
    nobody used for longest."""
    limit = {} if most == 20 else {"max_queries": most}
    search = SearchService(session_cache(Counting(), **limit))
    names = [f"q{number}" for number in range(most)]
    for query in (*names, names[0], "more"):
        await search.asearch(query)

    assert (await search.asearch(names[0])).cached
    assert not (await search.asearch(names[1])).cached


@pytest.mark.spec("F4")
async def test_sessions_share_nothing() -> None:
    """Two sessions over one service do not see each other's searches."""
    backend = Counting()
    service = SearchService(backend)
    await with_session_cache(service).asearch("q")

    assert not (await with_session_cache(service).asearch("q")).cached
    assert len(backend.queries) == 2


@pytest.mark.spec("F5")
@both_caches
async def test_failures_are_not_kept(make: Any) -> None:
    """After a failure the same query is asked again."""
    failed = SearchResponse("q", "counting", errors=[NetworkError("down")])
    outcomes = [NetworkError("down"), failed, None]
    search = service_over(make, Counting(lambda number: outcomes[number]))
    for _ in range(2):
        with pytest.raises(NetworkError):
            await search.asearch("q")

    assert not (await search.asearch("q")).cached


@both_caches
async def test_nothing_found_is_kept(make: Any) -> None:
    """An empty answer without any error is an answer worth keeping."""
    empty = Counting(lambda _: SearchResponse("q", "counting"))
    search = service_over(make, empty)
    await search.asearch("q")

    assert (await search.asearch("q")).cached


@pytest.mark.parametrize(
    ("make", "is_kept"), [(session_cache, True), (shared_cache, False)]
)
async def test_partial_failures(make: Any, is_kept: bool) -> None:
    """Results beside failures are kept for the session, and not for all sessions."""
    failed = BadGateway("one engine", detail_code="engines_failed")
    search = service_over(make, Counting(lambda _: answer("counting", failed)))
    await search.asearch("q")

    again = await search.asearch("q")

    assert again.cached is is_kept
    assert [error.detail_code for error in again.errors] == ["engines_failed"]


@pytest.mark.parametrize(
    ("first", "second", "seconds", "is_kept"),
    [
        (answer("a"), answer("b"), 1e9, True),
        (answer("a", BadGateway("one of its own")), answer("b"), 1e9, True),
        (answer("a"), NetworkError("down"), STOPGAP_SECONDS - 1, True),
        (answer("a"), NetworkError("down"), STOPGAP_SECONDS, False),
        (DOWN, None, STOPGAP_SECONDS - 1, True),
        (DOWN, None, STOPGAP_SECONDS, False),
    ],
    ids=["all", "part of one", "one of two", "later", "fallback", "fallback, later"],
)
async def test_stopgap(
    first: Any, second: Any, seconds: float, *, is_kept: bool
) -> None:
    """An answer that misses a whole engine, or is a fallback's, is cached for a minute,
    others for good."""
    clock, kind = Clock(), Parallel if second else Fallback
    engines = [FakeEngine("a", first), FakeEngine("b", second or answer("b"))]
    search = cached(kind(limited(*engines)), timer=clock)
    await search.asearch("q")

    clock.now += seconds
    assert (await search.asearch("q")).cached is is_kept


@pytest.mark.parametrize("minutes", [0, 5])
async def test_time_to_live(monkeypatch: pytest.MonkeyPatch, minutes: int) -> None:
    """The shared cache gives an answer for the minutes of the settings, which may be
    none."""
    clock = Clock()
    made = lambda *given: shared_cache(*given, timer=clock)  # noqa: E731  a double
    monkeypatch.setattr("websearch.factory.shared_cache", made)
    monkeypatch.setenv("WEB_SEARCH_CACHE_TTL_MINUTES", str(minutes))
    service = create_service(backend="stub")
    await service.asearch("q")

    clock.now += max(minutes * 60 - 1, 0)
    assert (await service.asearch("q")).cached is (minutes > 0)
    clock.now += 1
    assert not (await service.asearch("q")).cached


async def test_expired_answers_free_their_memory() -> None:
    """Expired answers are dropped at the next search, not when room is needed."""
    clock = Clock()
    cache = shared(Counting(), clock)
    for number in range(50):
        await cache.asearch(SearchRequest(f"expired {number}"))

    clock.now += TTL
    await cache.asearch(SearchRequest("q"))

    gc.collect()
    known = [one for one in gc.get_objects() if type(one) is SearchResponse]
    assert not [one for one in known if one.query.startswith("expired")]


def large(number: int) -> SearchResponse:
    """An answer with more text and rows than anybody is shown."""
    text = "\U0001f600" + "x" * 9_500
    rows = [replace(item(row), title=text, snippet=text) for row in range(20)]
    return SearchResponse(f"q{number}", "counting", rows)


async def test_bytes() -> None:
    """Large answers take the room of several: the shared cache is bounded in bytes."""
    cache = shared(Counting(large), max_bytes=500_000)
    tracemalloc.start()
    try:
        for number in range(40):
            await cache.asearch(SearchRequest(f"q{number}"))
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert 1 < len(cache) < 40
    assert taken < 750_000


async def test_only_what_is_shown() -> None:
    """Rows and words that nobody is shown are cut off before an answer is kept."""
    cache = shared(Counting(large))
    await cache.asearch(SearchRequest("q"))

    kept = await cache.asearch(SearchRequest("q"))

    assert len(kept.items) == MAX_RESULTS
    assert {len(found.snippet) for found in kept.items} == {MAX_SNIPPET}
