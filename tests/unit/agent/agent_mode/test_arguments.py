"""Arguments of a model: common slips are mended, all else is refused in words."""

import contextlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from agent.agent_mode.arguments import WebSearchInput
from websearch import SearchArguments
from websearch.tool_contract import ContractArguments

SHARED = {"query", "count", "country", "freshness"}

# What JSON can hold, with the numbers that Python's reader lets through.
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@pytest.mark.spec("I4")
def test_one_schema() -> None:
    """Tool and contract share four arguments, of which only the query is required."""
    schemas = [
        kind.model_json_schema()
        for kind in (SearchArguments, WebSearchInput, ContractArguments)
    ]

    assert set(schemas[0]["properties"]) == set(schemas[1]["properties"]) == SHARED
    assert all(schema["required"] == ["query"] for schema in schemas)
    for name in SHARED - {"query"}:  # which the tool describes in its own words
        first, *others = (schema["properties"][name] for schema in schemas)
        assert others == [first, first]


@pytest.mark.parametrize(
    ("name", "value", "mended"),
    [
        *[("count", text, 5) for text in (5, "5", " 5.0 ", 5.9)],
        *[("count", much, 10) for much in (20, "1e400", 10**1000 // 10**990)],
        *[("count", little, 1) for little in (0, -2)],
        *[(name, "", None) for name in ("count", "country", "freshness")],
        *[(name, None, None) for name in ("count", "country", "freshness")],
        *[("country", text, "CN") for text in ("CN", " cn ", "zh-CN", "zh_Hans_CN")],
        *[("country", "UK", "GB"), ("country", "any", None)],
        *[("freshness", text, "day") for text in ("day", "24h", "pd", "past day")],
        *[("freshness", text, "day") for text in ("oneDay", "1d")],
        *[("freshness", text, "week") for text in ("pw", "7d", "Past Week", "weeks")],
        *[("freshness", text, "month") for text in ("month", "pm", "30d", "oneMonth")],
        *[("freshness", text, "year") for text in ("1y", "py", "last_year")],
        ("freshness", "noLimit", None),
        *[("query", ["a", 5, "\ud83d"], "a 5"), ("query", 2026, "2026")],
    ],
    ids=ascii,
)
def test_mended(name: str, value: Any, mended: object) -> None:
    """Slips that models make often are understood."""
    arguments = WebSearchInput.model_validate({"query": "q", name: value})

    assert getattr(arguments, name) == mended


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("query", None), ("query", {"q": "a"}), ("query", ["a", None])],
        *[("count", "five"), ("count", [3]), ("count", {})],
        *[("country", "China"), ("country", "中国"), ("country", 86)],
        *[("freshness", "2 years"), ("freshness", "2025-01-01"), ("freshness", 7)],
    ],
    ids=ascii,
)
def test_refused(name: str, value: Any) -> None:
    """Anything else is refused, for the model to say it again."""
    with pytest.raises(ValidationError):
        WebSearchInput.model_validate({"query": "q", name: value})


@settings(max_examples=40)
@given(JSON, JSON, JSON, JSON)
def test_never_breaks(query: Any, count: Any, country: Any, freshness: Any) -> None:
    """Whatever a model sends is valid or refused."""
    with contextlib.suppress(ValidationError):
        read = WebSearchInput.model_validate(
            {
                "query": query,
                "count": count,
                "country": country,
                "freshness": freshness,
                "other": count,
            }
        )
        assert read.count is None or 1 <= read.count <= 10
