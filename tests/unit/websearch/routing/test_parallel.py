"""Several engines at once: one fused list, and the errors of those that failed."""

import pytest
from support.search.engines import CAPTCHA, DOWN, FakeEngine, request

from websearch import SearchItem, errors
from websearch.routing.parallel import Parallel, fuse

A, B, C, D = (f"https://{name}.example/" for name in "abcd")


def item(url: str = A, **changes: str) -> SearchItem:
    fields = {"title": "t", "snippet": "s", "provider": "p", **changes}
    return SearchItem(url=url, **fields)


def urls(items: list[SearchItem]) -> list[str]:
    return [item.url for item in items]


async def test_fused() -> None:
    """A page that more engines found stands before one that a single engine did."""
    parallel = Parallel([FakeEngine("x", [A, B]), FakeEngine("y", [C, B])])

    found = await parallel.asearch(request())

    assert [item.url for item in found.items] == [B, A, C]
    assert found.provider == "x+y"
    assert not found.errors


@pytest.mark.parametrize(
    ("lists", "order"),
    [
        ([[A], [B]], [A, B]),
        ([[A, B, C], [C, A, B]], [A, C, B]),
        ([[A, A, B], [C]], [A, C, B]),
        ([["javascript:1", A], [B]], [A, B]),
        ([[A, B, C], [B, C, A], [C, A, B]], [A, B, C]),
        ([], []),
    ],
)
def test_order(lists: list[list[str]], order: list[str]) -> None:
    """The order is that of summed reciprocal ranks, ties as they first appeared."""
    assert urls(fuse([item(url) for url in found] for found in lists)) == order


def test_tie_of_sums() -> None:
    """The same ranks in another order are a tie, however floats are rounded."""
    lists = [[item(f"https://{n}{k}.example/") for k in range(7)] for n in "xyz"]
    for found, ranks in zip(lists, [(1, 2), (7, 1), (2, 7)], strict=True):
        for url, rank in zip((A, B), ranks, strict=True):
            found[rank - 1] = item(url)

    assert urls(fuse(lists))[:2] == [A, B]


@pytest.mark.parametrize(
    ("titles", "kept"),
    [
        (("First", "Second"), "First"),
        (("", "Second"), "Second"),
        (("Cut off ...", "Cut off here"), "Cut off here"),
        (("Cut off\u2026", ""), "Cut off\u2026"),
    ],
)
def test_best_title(titles: tuple[str, str], kept: str) -> None:
    """Merging two titles keeps the whole one, else the first."""
    (found,) = fuse([item(title=title)] for title in titles)

    assert found.title == kept


def test_best_of_twins() -> None:
    """The longest snippet and the first date are kept, and all engines are named."""
    twins = [
        item(snippet="short", provider="brave"),
        item(snippet="longer words", provider="searxng", engine="google"),
        item(snippet="mid", provider="ddg_html", published_at="2026-01-01"),
    ]

    (found,) = fuse([twin] for twin in twins)

    assert (found.snippet, found.published_at) == ("longer words", "2026-01-01")
    assert (found.engine, found.provider) == ("brave, google, ddg_html", "brave")


@pytest.mark.parametrize(
    ("failures", "shown"),
    [
        ([DOWN, CAPTCHA], "WebBlocked"),
        ([errors.Timeout("slow"), DOWN], "NetworkError"),
        ([CAPTCHA, errors.AuthError("key")], "AuthError"),
        ([errors.InvalidInput("long"), errors.BadGateway("bad")], "BadGateway"),
        ([errors.InvalidInput("long"), errors.InvalidInput("long")], "InvalidInput"),
    ],
)
async def test_all_fail(failures: list[errors.SearchError], shown: str) -> None:
    """If all engines fail, the error that a user can fix is raised."""
    parallel = Parallel([FakeEngine(f"e{n}", e) for n, e in enumerate(failures)])

    with pytest.raises(errors.SearchError) as caught:
        await parallel.asearch(request())

    assert caught.value.code == shown
