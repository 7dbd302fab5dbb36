"""Rules for engines in sequence and for engines in parallel."""

import asyncio

import pytest
from support.search.counting import until
from support.search.engines import HANGS, FakeEngine, limited, others, request, response

from websearch import SearchService
from websearch.errors import BadGateway
from websearch.models import SearchResponse
from websearch.routing.fallback import Fallback
from websearch.routing.parallel import Parallel

pytestmark = pytest.mark.parametrize("kind", [Fallback, Parallel])
Kind = type[Fallback] | type[Parallel]


@pytest.mark.usefixtures("skipped_waits")
async def test_slow_engine_is_cut_off(kind: Kind) -> None:
    """An engine that never answers is cut off, and the other one's pages are given."""
    slow = FakeEngine("a", HANGS)
    service = SearchService(kind(limited(slow, FakeEngine("b"))))

    found = await service.asearch("q")

    assert (found.provider, slow.cancelled, others()) == ("b", 1, set())
    assert [(e.code, e.provider) for e in found.errors] == [("Timeout", "a")]


@pytest.mark.usefixtures("skipped_waits")
async def test_slow_engine_cools_down(kind: Kind) -> None:
    """An engine that was cut off cools down: it costs its time only once."""
    slow = FakeEngine("a", HANGS)
    engines = kind(limited(slow, FakeEngine("b")))

    for _ in range(2):
        await engines.asearch(request(2_000))

    assert len(slow.requests) == 1


async def test_partial_failures_are_kept(kind: Kind) -> None:
    """Failures behind an engine that answered are kept, with its name."""
    items = response("a", "https://a.example/").items
    partial = SearchResponse("q", "a", items, errors=[BadGateway("engines")])

    found = await kind(limited(FakeEngine("a", partial), FakeEngine("b"))).asearch(
        request()
    )

    assert [(e.code, e.provider) for e in found.errors] == [("BadGateway", "a")]


async def test_foreign_error(kind: Kind) -> None:
    """A bug inside one engine is that engine's failure, without the foreign words."""
    broken = FakeEngine("a", RuntimeError("canary"))

    found = await kind(limited(broken, FakeEngine("b"))).asearch(request())

    assert found.provider == "b"
    assert [str(e) for e in found.errors] == ["The backend failed: RuntimeError"]


async def test_stopped(kind: Kind) -> None:
    """A stopped search ends the engines that are asked, and leaves no task."""
    engines = [FakeEngine("a", HANGS), FakeEngine("b", HANGS)]
    task = asyncio.create_task(kind(limited(*engines)).asearch(request()))
    await until(lambda: engines[0].requests)

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    asked = [1, 1] if kind is Parallel else [1, 0]
    assert [len(engine.requests) for engine in engines] == asked
    assert [engine.cancelled for engine in engines] == asked
    assert others() == set()


async def test_closing(kind: Kind) -> None:
    """All engines are closed, and named."""
    engines = [FakeEngine("a"), FakeEngine("b")]
    several = kind(engines)

    await several.aclose()

    assert several.name == ("a, b" if kind is Fallback else "a+b")
    assert [engine.closed for engine in engines] == [1, 1]
