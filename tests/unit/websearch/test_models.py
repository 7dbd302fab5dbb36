"""A request that exists is valid; a response shows itself in every agreed shape."""

from typing import Any

import pytest

from websearch import SearchItem, SearchRequest, SearchResponse
from websearch.errors import InvalidInput, NetworkError


def response(count: int = 3, **changes: Any) -> SearchResponse:
    items = [
        SearchItem(f"Title {n}", f"https://www.s{n}.example/p", f"Text {n}", "test", n)
        for n in range(1, count + 1)
    ]
    return SearchResponse("北京", "test", items, took_ms=12, request_id="r1", **changes)


@pytest.mark.spec("J4", "H3", "H8")
@pytest.mark.parametrize(
    "query", ["", " ", "\n\t", "\u3000", "\x00", "\u200b", "\ud83d"]
)
def test_blank_query(query: str) -> None:
    """A query without anything to look for is refused."""
    with pytest.raises(InvalidInput, match="empty"):
        SearchRequest(query)


@pytest.mark.spec("H8", "N6")
def test_huge_query() -> None:
    """A query of 100 kB is refused with its length and the limit, not cut silently."""
    with pytest.raises(InvalidInput, match="102400 characters; 4000") as caught:
        SearchRequest("字" * 102_400)

    assert caught.value.detail_code == "query_too_long"


@pytest.mark.spec("H3")
@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("max_results", count) for count in (0, 11, "5", 2.0, True, None)),
        ("locale", "not a tag"),
        ("locale", 5),
        ("country", "\u4e2d\u56fd"),
        ("time_range", "hour"),
        ("site_filter", "a.example/path"),
        ("trace_id", "line\nbreak"),
        ("budget_ms", 0),
    ],
)
def test_options(option: str, value: Any) -> None:
    """An option that no backend could follow is refused."""
    with pytest.raises(InvalidInput, match=option):
        SearchRequest("q", **{option: value})


@pytest.mark.spec("J3")
@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("北京 天气?", "北京 天气?"),
        ("  a  b ", "a  b"),
        ("two\nlines\x00", "two lines"),
        ("cut \ud83d off", "cut  off"),
    ],
)
def test_query_is_kept(typed: str, kept: str) -> None:
    """The user's words stay as they are, less what can't be sent."""
    assert SearchRequest(typed).query == kept


@pytest.mark.spec("N3")
def test_repr() -> None:
    """Neither request nor response shows the query in its repr."""
    assert "canary" not in repr(SearchRequest("canary", site_filter="canary.example"))
    assert "北京" not in repr(response(0))


@pytest.mark.spec("J1", "J2", "I7")
def test_results_views() -> None:
    """Structured output holds query and all ten results with their domain; a provider
    result tells provider, count, time and whether it was cached, too."""
    view, provider = response(10).as_results(), response(10).as_provider_result()

    assert view["query"] == "北京"
    assert len(view["results"]) == 10
    assert view["results"][0] == {
        "title": "Title 1",
        "url": "https://www.s1.example/p",
        "snippet": "Text 1",
        "source": "s1.example",
    }
    assert (provider["provider"], provider["count"]) == ("test", 10)
    assert (provider["tookMs"], provider["cached"]) == (12, False)


@pytest.mark.spec("B5")
@pytest.mark.parametrize(
    ("provider", "failed", "is_answer"),
    [
        ("b", [], True),
        ("b", ["a"], True),
        ("b", ["a", "b"], False),
        ("b", [None], False),
        ("a+b", ["a"], True),
        ("a+b", ["a", "b"], False),
        ("a+b", [None], False),
    ],
)
def test_nothing_found_beside_failures(
    provider: str, failed: list[str | None], *, is_answer: bool
) -> None:
    """An engine that found nothing has answered, whoever failed before or beside it."""
    errors = [NetworkError("x", provider=name) for name in failed]

    assert SearchResponse("q", provider, errors=errors).is_answer is is_answer
