"""What shared answers take in memory: a bound in entries, and one in bytes."""

import tracemalloc
from dataclasses import replace

from support.counting import Counting, item

from websearch import SearchRequest, SearchResponse, SearchService
from websearch.models import MAX_RESULTS
from websearch.results import MAX_SNIPPET
from websearch.shared_cache import Remembered

TTL = 300.0
Q = SearchRequest("q")


async def test_expired_answers_are_gone() -> None:
    """What is too old is not kept in memory until room is needed."""
    now = 0.0
    shared = Remembered(Counting(), TTL, timer=lambda: now)
    for number in range(50):
        await shared.asearch(SearchRequest(f"q{number}"))

    now = TTL
    await shared.asearch(Q)

    assert len(shared._found._Cache__data) == 1


async def test_bound() -> None:
    """Where memory is full, the answer that nobody used for longest goes."""
    shared = Remembered(Counting(), TTL, max_entries=2)
    for query in ("a", "b", "a", "c"):
        await shared.asearch(SearchRequest(query))

    assert len(shared) == 2
    assert (await shared.asearch(SearchRequest("a"))).cached
    assert not (await shared.asearch(SearchRequest("b"))).cached


def large(number: int) -> SearchResponse:
    """An answer with more text and rows than anybody is shown."""
    text = "\U0001f600" + "x" * 9_500
    rows = [replace(item(row), title=text, snippet=text) for row in range(100)]
    return SearchResponse(f"q{number}", "counting", rows)


async def test_only_what_is_shown() -> None:
    """What is cut off from an answer before anybody sees it is not kept either."""
    shared = Remembered(Counting(large), TTL)

    views = [(await SearchService(shared).asearch("q")).as_results() for _ in range(2)]

    (kept,) = (shared._found[key] for key in shared._found)
    assert views[0] == views[1]
    assert len(kept.items) == MAX_RESULTS
    assert {len(found.snippet) for found in kept.items} == {MAX_SNIPPET}


async def test_cleaned_once() -> None:
    """Text that would change if it were cleaned again is the same from the memory."""
    text = "&amp;lt;b&amp;gt;"
    answer = SearchResponse("q", "counting", [replace(item(1), title=text)])
    service = SearchService(Remembered(Counting(lambda _: answer), TTL))

    found = [(await service.asearch("q")).items[0].title for _ in range(2)]

    assert found == ["&lt;b&gt;"] * 2


async def test_bytes() -> None:
    """Large answers take the room of several, so that memory has a bound in bytes."""
    shared = Remembered(Counting(large), TTL, max_entries=100, max_bytes=1_000_000)
    tracemalloc.start()
    try:
        for number in range(100):
            await shared.asearch(SearchRequest(f"q{number}"))
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert 1 < len(shared) < 100
    assert taken < 1_500_000


async def test_too_large() -> None:
    """An answer that no memory has room for is given, and not kept."""
    shared = Remembered(Counting(large), TTL, max_bytes=10_000)

    assert len((await shared.asearch(Q)).items) == MAX_RESULTS
    assert len(shared) == 0
