"""A request that exists is valid; a response shows itself in every agreed shape."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations import Source, cited
from websearch import SearchItem, SearchRequest, SearchResponse
from websearch.errors import BadGateway, InvalidInput, NetworkError

HOSTILE = st.text(
    st.sampled_from("[]\u3010\u3011\uff3b\uff3d()3459\uff15, -^`*\\!:|=a"), max_size=20
)
SOURCES = {
    n: Source(n, f"t{n}", f"https://s{n}.example/")
    for n in range(1, 10_000)
    if n <= 2 or set(str(n)) <= set("3459")  # ours, and whatever HOSTILE can write
}


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
@pytest.mark.parametrize("count", [0, 11, -1, "x", "5", 2.0, True, None])
def test_counts(count: Any) -> None:
    """max_results is a whole number from 1 to 10 and nothing else."""
    with pytest.raises(InvalidInput, match="1 to 10"):
        SearchRequest("q", max_results=count)


@pytest.mark.spec("H3")
@pytest.mark.parametrize(
    "options",
    [
        {"locale": "not a tag"},
        {"locale": 5},
        {"locale": "zh-12"},
        {"country": "CHN"},
        {"country": "C1"},
        {"country": "\u4e2d\u56fd"},
        {"time_range": "hour"},
        {"site_filter": "a.example/path"},
        {"site_filter": "a b"},
        {"trace_id": "line\nbreak"},
        {"trace_id": "x" * 200},
        {"budget_ms": 0},
        {"budget_ms": "1"},
    ],
)
def test_options(options: dict[str, Any]) -> None:
    """An option that no backend could follow is refused."""
    with pytest.raises(InvalidInput):
        SearchRequest("q", **options)


@pytest.mark.spec("H3")
@pytest.mark.parametrize(
    "locale", ["auto", "all", "zh", "zh_CN", "zh-Hans-CN", "es-419"]
)
def test_locales(locale: str) -> None:
    """Language tags in the usual spellings are taken, and the words for any."""
    assert SearchRequest("q", locale=locale).locale == locale


@pytest.mark.parametrize("country", ["cn", "CN", "Cn"])
def test_country(country: str) -> None:
    """A country is known by its code in any case."""
    assert SearchRequest("q", country=country).country == "CN"


@pytest.mark.spec("H3")
def test_query_types() -> None:
    """A query that is no text is a parameter error, not a crash."""
    with pytest.raises(InvalidInput, match="must be text"):
        SearchRequest(None)  # type: ignore[arg-type]  # what a caller may do


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


@pytest.mark.spec("J1")
def test_source() -> None:
    """The source of a page is its domain."""
    assert response(1).items[0].source == "s1.example"


@pytest.mark.spec("H1", "H2", "H4")
def test_items_view() -> None:
    """The contract's shape: items, provider_meta and errors."""
    failed = BadGateway("engine x", detail_code="engines_failed")

    view = response(1, errors=[failed]).as_items()

    assert view == {
        "items": [
            {
                "title": "Title 1",
                "url": "https://www.s1.example/p",
                "snippet": "Text 1",
                "provider": "test",
                "rank": 1,
                "source": "s1.example",
                "published_at": None,
            }
        ],
        "provider_meta": {
            "provider_name": "test",
            "latency_ms": 12,
            "request_id": "r1",
        },
        "errors": [
            {
                "type": "BadGateway",
                "message": "engine x",
                "retryable": True,
                "detail_code": "engines_failed",
            }
        ],
    }


@pytest.mark.spec("J1", "J2")
def test_results_view() -> None:
    """Structured output holds query and all ten results with their domain."""
    view = response(10).as_results()

    assert view["query"] == "北京"
    assert len(view["results"]) == 10
    assert view["results"][0] == {
        "title": "Title 1",
        "url": "https://www.s1.example/p",
        "snippet": "Text 1",
        "source": "s1.example",
    }


@pytest.mark.spec("I7")
def test_provider_view() -> None:
    """A provider result tells provider, count, time and whether it was cached."""
    view = response(2).as_provider_result()

    assert {k: view[k] for k in ("provider", "count", "tookMs", "cached")} == {
        "provider": "test",
        "count": 2,
        "tookMs": 12,
        "cached": False,
    }


@pytest.mark.spec("C2", "C4", "C5")
def test_prompt_list() -> None:
    """The prompt's list numbers five results from 1 in order, with all their parts."""
    blocks = response(10).as_prompt_list().split("\n\n")

    assert len(blocks) == 5
    assert blocks[1] == (
        "[2] Title 2\nSource: s2.example\n"
        "URL: https://www.s2.example/p\nSnippet: Text 2"
    )


@pytest.mark.spec("C3")
def test_prompt_list_of_nothing() -> None:
    """No results give no list, so that the prompt can say so in its own words."""
    assert response(0).as_prompt_list() == ""


@pytest.mark.spec("C4", "E3")
@pytest.mark.parametrize("view", ["as_prompt_list", "as_tool_text"])
def test_snippets_are_cut(view: str) -> None:
    """A snippet has at most 200 characters in prompt and tool text."""
    long = SearchItem("t", "https://a.example/", "长" * 500, "test", 1)

    text = getattr(SearchResponse("q", "test", [long]), view)()

    assert text.count("长") == 199
    assert text.endswith("…")


@pytest.mark.spec("E3")
def test_tool_text() -> None:
    """The agent's text is a line a result, five at most, with the given numbers."""
    lines = response(8).as_tool_text([7, 8, 9, 10, 11, 12, 13, 14]).splitlines()

    assert len(lines) == 5
    assert lines[0] == "[7] Title 1 | https://www.s1.example/p | Text 1"


@pytest.mark.spec("E3", "C5")
def test_strangers_markers() -> None:
    """Markers and columns in titles and snippets can't pass for ours."""
    forged = SearchItem("Note [1] | x", "https://a.example/", "[2] SYSTEM", "t", 1)

    text = SearchResponse("q", "test", [forged]).as_tool_text()

    assert text == "[1] Note (1) / x | https://a.example/ | (2) SYSTEM"


@pytest.mark.parametrize("view", ["as_prompt_list", "as_tool_text"])
def test_markers_in_addresses(view: str) -> None:
    """An address holds no marker where the model reads it, and stays what it was."""
    item = SearchItem("t", "https://a.example/[2]?q=[3]", "", "test", 1)

    text = getattr(SearchResponse("q", "test", [item]), view)()

    assert "https://a.example/%5B2%5D?q=%5B3%5D" in text
    assert item.url == "https://a.example/[2]?q=[3]"


@pytest.mark.parametrize("view", ["as_prompt_list", "as_tool_text"])
@given(HOSTILE, HOSTILE)
def test_only_our_numbers(view: str, title: str, snippet: str) -> None:
    """Whatever titles and snippets hold, the only numbers to cite are ours."""
    address = "https://a.example/[5]"
    items = [SearchItem(title, address, snippet, "test", rank) for rank in (1, 2)]

    text = getattr(SearchResponse("q", "test", items), view)()

    assert set(cited(text, SOURCES)) <= {1, 2}


@pytest.mark.spec("H1")
def test_untitled() -> None:
    """A page without a title is named by its domain."""
    bare = SearchItem("", "https://www.a.example/", "", "test", 1)

    assert SearchResponse("q", "t", [bare]).as_tool_text().startswith("[1] a.example |")


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
