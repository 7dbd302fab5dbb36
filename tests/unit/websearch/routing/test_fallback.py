"""A chain asks the next engine where one fails, and tells which one answered."""

from types import SimpleNamespace

import pytest
from support.search.engines import CAPTCHA, DOWN, FakeEngine, limited, request

from websearch import SearchService, errors
from websearch.models import SearchResponse
from websearch.routing.fallback import Fallback

TOO_LONG = errors.InvalidInput("long", detail_code="query_too_long")
BEHIND = errors.BadGateway("engines")


@pytest.mark.parametrize(
    ("outcome", "error"),
    [
        (DOWN, DOWN),
        (CAPTCHA, CAPTCHA),
        (errors.AuthError("key"), errors.AuthError("key")),
        (TOO_LONG, TOO_LONG),  # another engine takes longer queries
        (SearchResponse("q", "a", errors=[BEHIND]), BEHIND),  # nothing, for a reason
    ],
    ids=["down", "CAPTCHA", "key", "long query", "failed engines behind it"],
)
async def test_next_answers(
    outcome: errors.SearchError | SearchResponse, error: errors.SearchError
) -> None:
    """The next engine answers for a failed one; the response names both."""
    chain = Fallback(limited(FakeEngine("a", outcome), FakeEngine("b")))

    found = await chain.asearch(request())

    assert found.provider == "b"
    assert [(e.code, e.provider) for e in found.errors] == [(error.code, "a")]


@pytest.mark.parametrize(
    ("first", "second", "raised", "asked"),
    [
        (errors.InvalidInput("no"), DOWN, errors.InvalidInput, 0),
        (DOWN, errors.InvalidInput("long"), errors.NetworkError, 1),
    ],
    ids=["wrong for all", "wrong for a later one"],
)
async def test_wrong_request(
    first: errors.SearchError,
    second: errors.SearchError,
    raised: type[errors.SearchError],
    asked: int,
) -> None:
    """A request that is wrong is wrong for all engines, unless another failed before:
    then that failure is raised."""
    later = FakeEngine("b", second)

    with pytest.raises(raised):
        await Fallback(limited(FakeEngine("a", first), later)).asearch(request())

    assert len(later.requests) == asked


async def test_all_fail() -> None:
    """If all fail, the first error is raised and lists the others."""
    engines = [FakeEngine("a", DOWN), FakeEngine("b", CAPTCHA), FakeEngine("c", DOWN)]

    with pytest.raises(errors.NetworkError) as caught:
        await Fallback(limited(*engines)).asearch(request())

    shown = "b WebBlocked (captcha_required), c NetworkError (refused)"
    assert (str(caught.value), caught.value.provider) == ("down", "a")
    assert caught.value.facts["others"] == shown


async def test_failures_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The log tells of each engine that failed."""
    await Fallback(limited(FakeEngine("a", DOWN), FakeEngine("b"))).asearch(request())

    assert "a failed: NetworkError (refused): down" in caplog.text


async def test_time_is_shared() -> None:
    """An engine that others follow has three fifths of the time, the last all of it."""
    engines = [FakeEngine("a", DOWN), FakeEngine("b", DOWN), FakeEngine("c")]

    await Fallback(limited(*engines)).asearch(request(5_000))

    first, second, third = (engine.requests[0].budget_ms or 0 for engine in engines)
    assert first <= 5_000 * 0.6
    assert second <= 5_000 * 0.6
    assert first <= third <= 4_900


async def test_nothing_found_after_a_failure() -> None:
    """A later engine's empty result is the answer of the search."""
    chain = Fallback(limited(FakeEngine("a", DOWN), FakeEngine("b", [])))

    found = await SearchService(chain).asearch("q")

    assert (found.provider, len(found.items)) == ("b", 0)
    assert [e.provider for e in found.errors] == ["a"]


@pytest.mark.parametrize("order", [("google", "b"), ("b", "google")])
async def test_start_of_a_browser(order: tuple[str, str]) -> None:
    """The start of a browser is added to its engine's share, and takes none of it."""
    engines = {name: FakeEngine(name, DOWN) for name in order}
    engines[order[-1]] = FakeEngine(order[-1])
    chain = Fallback(
        limited(*(engines[name] for name in order)),
        browser=SimpleNamespace(start_seconds=3.0),
    )

    await chain.asearch(request(8_000))  # 5 s for the search, 3 s for the start

    given = {name: engines[name].requests[0].budget_ms or 0 for name in order}
    first = given[order[0]] - (3_000 if order[0] == "google" else 0)
    assert 2_700 < first < 3_000  # 60 % of the 5 s, less the margins
    assert given["google"] > 5_500
