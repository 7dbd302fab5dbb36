"""What a hit does without: it is quick, and still never wrong."""

import logging
from typing import Any

import pytest
from support.counting import Counting, cached, item
from support.engines import FakeEngine

from websearch import SearchRequest, SearchResponse, SearchService
from websearch.cache import STOPGAP_SECONDS, CachedSearch
from websearch.errors import BadGateway, InvalidInput, NetworkError, SearchError
from websearch.routing.fallback import Fallback
from websearch.routing.parallel import Several


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Named(Counting):
    def __init__(self, name: str, *outcomes: Any) -> None:
        super().__init__(lambda number: outcomes[min(number, len(outcomes) - 1)])
        self.name = name


def answer(name: str, *errors: SearchError) -> SearchResponse:
    return SearchResponse("q", name, [item(1)], errors=errors)


async def test_padding_is_not_kept() -> None:
    """A query between megabytes of blanks is answered, and its blanks are not kept."""
    cached = CachedSearch(SearchService(FakeEngine("searxng")))
    padded = "q" + " " * 1_000_000

    first, second = [await cached.asearch(padded) for _ in range(2)]

    assert (first.cached, second.cached) == (False, True)
    assert not cached._spelled


async def test_no_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was spelled just so before is found without a request being made of it."""
    search = cached(Counting())
    await search.asearch("q", max_results=3)
    monkeypatch.setattr(SearchService, "request", None)

    assert (await search.asearch("q", max_results=3)).cached


def test_waiting() -> None:
    """A hit needs no thread and no event loop, where a caller waits."""
    backend = Counting()
    service = SearchService(backend)
    search = CachedSearch(service)
    search.search("q")
    service.close()

    assert search.search("q").cached
    assert not service._background.is_running


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"max_results": 1}, {"max_results": True}),
        ({"max_results": 1}, {"max_results": 1.0}),
        ({"budget_ms": 1_000}, {"budget_ms": 1_000.0}),
        ({}, {"locale": ["de"]}),
        ({}, {"max_results": 11}),
    ],
    ids=["true", "1.0", "budget", "not hashable", "too many"],
)
async def test_invalid(first: dict[str, Any], second: dict[str, Any]) -> None:
    """What is invalid is refused, also where it equals what was valid."""
    search = cached(Counting())
    await search.asearch("q", **first)

    with pytest.raises(InvalidInput):
        await search.asearch("q", **second)


@pytest.mark.parametrize("query", [["q"], None, 1, b"q"], ids=str)
async def test_no_query(query: Any) -> None:
    """What is no query is refused as ever."""
    search = cached(Counting())
    await search.asearch("q")

    with pytest.raises(InvalidInput):
        await search.asearch(query)


@pytest.mark.spec("F3")
async def test_recency_of_a_quick_hit() -> None:
    """A hit keeps its search in memory, however it was found."""
    search = cached(Counting(), most=2)
    for query in ("a", "b", "a", "c"):
        await search.asearch(query)

    assert (await search.asearch("a")).cached
    assert not (await search.asearch("b")).cached


async def test_spellings_are_forgotten() -> None:
    """With a search all its spellings go, and they are never many."""
    search = cached(Counting(), most=1)
    for number in range(50):
        await search.asearch("q" + " " * number)
    assert len(search._spelled) <= 8

    await search.asearch("other")
    assert set(search._spelled) == {"other"}
    search.clear()
    assert search._spelled == {}


async def test_trace_of_a_quick_hit() -> None:
    """Every trace id comes back, also that of a request made before."""
    search = cached(Counting())
    await search.asearch("q")

    for trace in ("t-1", "t-2", "t-1"):
        assert (await search.asearch("q", trace_id=trace)).request_id == trace
        request = SearchRequest("q", trace_id=trace)
        assert (await search.asearch(request)).request_id == trace


@pytest.mark.spec("F2")
async def test_every_hit_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Each of many hits has its line."""
    caplog.set_level(logging.INFO)
    search = cached(Counting())
    for _ in range(5):
        await search.asearch("q")

    assert caplog.text.count("cache hit") == 4


def chain(first: Counting, clock: Clock) -> CachedSearch:
    service = SearchService(Fallback([first, Named("stub", None)]))
    return CachedSearch(service, clock=clock)


async def test_stopgap() -> None:
    """The answer of a later engine gives way soon, so that the first is asked again."""
    clock, first = Clock(), Named("searxng", NetworkError("down"), None)
    search = chain(first, clock)
    assert (await search.asearch("q")).provider == "stub"

    clock.now = STOPGAP_SECONDS
    healed = await search.asearch("q")

    assert (healed.provider, healed.cached) == ("searxng", False)


async def test_stopgap_is_an_answer() -> None:
    """For a moment it is remembered: a model that repeats itself costs no request."""
    clock, first = Clock(), Named("searxng", NetworkError("down"))
    search = chain(first, clock)
    await search.asearch("q")

    clock.now = STOPGAP_SECONDS - 1
    assert (await search.asearch("q")).cached
    assert len(first.queries) == 1


@pytest.mark.spec("F2")
async def test_first_engine_is_remembered() -> None:
    """The answer of the first engine stays, however long the session lasts."""
    clock, first = Clock(), Named("searxng", None)
    search = chain(first, clock)
    await search.asearch("q")

    clock.now = 1e9
    assert (await search.asearch("q")).cached
    assert first.queries == ["q"]


@pytest.mark.parametrize(
    ("engines", "seconds", "is_kept"),
    [
        ((answer("a"), answer("b")), 1e9, True),
        ((answer("a", BadGateway("one of its own")), answer("b")), 1e9, True),
        ((answer("a"), NetworkError("down")), STOPGAP_SECONDS, False),
    ],
    ids=["all", "part of one", "one of two"],
)
async def test_several(engines: tuple[Any, Any], seconds: float, is_kept: bool) -> None:
    """Where an engine is missing beside others, the answer is a stopgap too."""
    clock = Clock()
    both = Several([Named("a", engines[0]), Named("b", engines[1])])
    search = CachedSearch(SearchService(both), clock=clock)
    await search.asearch("q")

    clock.now = seconds
    assert (await search.asearch("q")).cached is is_kept
