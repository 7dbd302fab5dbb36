"""One schema of what a caller may say: strict for the contract, lenient for a model."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from websearch.arguments import ContractArguments, SearchArguments, ToolArguments
from websearch.errors import InvalidInput

SHARED = {"query", "count", "country", "freshness"}

# What JSON can hold, with the numbers that Python's reader lets through.
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


def test_one_schema() -> None:
    """Tool and contract share four arguments, of which only the query is required."""
    schemas = [
        kind.model_json_schema()
        for kind in (SearchArguments, ToolArguments, ContractArguments)
    ]

    assert set(schemas[0]["properties"]) == set(schemas[1]["properties"]) == SHARED
    assert all(schema["required"] == ["query"] for schema in schemas)
    for name in SHARED:
        assert len({json.dumps(s["properties"][name]) for s in schemas}) == 1


@pytest.mark.parametrize("kind", [ToolArguments, ContractArguments])
def test_described(kind: type[SearchArguments]) -> None:
    """Every argument is explained, and its type is told without detours."""
    for name, field in kind.model_json_schema()["properties"].items():
        assert len(field["description"]) > 20, name
        assert field["type"] in {"string", "integer", "boolean"}, name
        assert "anyOf" not in field


def test_schema_of_input() -> None:
    """The contract's schema holds nothing that only repeats names."""
    text = json.dumps(ContractArguments.schema_of_input())

    assert '"title"' not in text
    assert "null" not in text


def test_request() -> None:
    """The shared arguments make a request."""
    arguments = SearchArguments(query="q", count=3, country="cn", freshness="week")

    request = arguments.request()

    assert (request.query, request.max_results) == ("q", 3)
    assert (request.country, request.time_range) == ("CN", "week")


def test_request_of_a_query() -> None:
    """A query alone asks for ten results, and for nothing else."""
    request = SearchArguments(query="q").request()

    assert (request.max_results, request.country, request.time_range) == (
        10,
        None,
        None,
    )


@pytest.mark.parametrize(
    ("given_", "field", "value"),
    [
        ({"count": 3}, "max_results", 3),
        ({"count": 3, "max_results": 4}, "max_results", 4),
        ({"freshness": "day"}, "time_range", "day"),
        ({"freshness": "day", "time_range": "year"}, "time_range", "year"),
        ({"lang": "de"}, "locale", "de"),
        ({"lang": "de", "locale": "fr"}, "locale", "fr"),
        ({"country": "de", "locale": "fr"}, "country", "DE"),
        ({"count": None, "locale": None}, "max_results", 10),
        ({"site_filter": "a.example"}, "site_filter", "a.example"),
        ({"need_summary": True}, "need_summary", True),
        ({"trace_id": "t"}, "trace_id", "t"),
        ({"budget_ms": 80}, "budget_ms", 80),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, dict) else str(value),
)
def test_contract(given_: dict[str, Any], field: str, value: object) -> None:
    """Two names of one thing mean the same, and the reserved one comes first."""
    request = ContractArguments.parse({"query": "q", **given_}).request()

    assert getattr(request, field) == value


@pytest.mark.spec("H3", "H8")
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"query": 5}, "query must be text"),
        ({"query": None}, "query is missing"),
        ({"count": 11}, "count must be a whole number from 1 to 10"),
        ({"count": True}, "count must be a whole number from 1 to 10"),
        ({"count": 2.0}, "count must be a whole number from 1 to 10"),
        ({"max_results": "3"}, "max_results must be a whole number from 1 to 10"),
        ({"country": "China"}, "country must be a country code of two letters"),
        ({"country": "\u4e2d\u56fd"}, "country must be a country code of two letters"),
        ({"freshness": "24h"}, "freshness must be day, week, month or year"),
        ({"time_range": "hour"}, "time_range must be day, week, month or year"),
        ({"locale": "zh CN"}, "locale must be a language tag such as zh-CN"),
        ({"lang": "zh CN"}, "lang must be a language tag such as zh-CN"),
        ({"lang": "\ud83d"}, "lang must be a language tag such as zh-CN"),
        ({"site_filter": "a b"}, "site_filter must be a host name"),
        ({"need_summary": "yes"}, "need_summary must be true or false"),
        ({"trace_id": "a b"}, "trace_id must be 1 to 128 visible ASCII characters"),
        ({"budget_ms": 0}, "budget_ms must be a whole number above 0"),
        ({"canary": 1, 5: 2}, "2 arguments are unknown; known: query, count, country"),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_refusals(wrong: dict[Any, Any], message: str) -> None:
    """What is wrong is told in our words, under the name the caller used."""
    with pytest.raises(InvalidInput) as caught:
        ContractArguments.parse({"query": "q", **wrong})

    assert str(caught.value).startswith(message)


@pytest.mark.spec("N3")
@pytest.mark.parametrize(
    "wrong",
    [{"count": "canary"}, {"lang": "canary x"}, {"canary": 1}, {"query": ["canary"]}],
    ids=["count", "lang", "unknown", "query"],
)
def test_refusals_keep_silent(wrong: dict[str, Any]) -> None:
    """Neither a refusal nor what lies behind it repeats what was given."""
    with pytest.raises(InvalidInput) as caught:
        ContractArguments.parse({"query": "q", **wrong})

    assert "canary" not in str(caught.value)
    assert caught.value.__context__ is None


@given(st.dictionaries(st.sampled_from([*ContractArguments.model_fields, "x"]), JSON))
def test_contract_never_breaks(arguments: dict[str, Any]) -> None:
    """Whatever a caller sends is a request or an InvalidInput."""
    with contextlib.suppress(InvalidInput):
        request = ContractArguments.parse(arguments).request()
        assert 1 <= request.max_results <= 10


@given(JSON, JSON, JSON, JSON)
def test_tool_never_breaks(query: Any, count: Any, country: Any, fresh: Any) -> None:
    """Whatever a model sends is understood or left out; only the query is needed."""
    said = ToolArguments.model_validate(
        {
            "query": query,
            "count": count,
            "country": country,
            "freshness": fresh,
            "other": count,
        }
    )

    assert said.count is None or 1 <= said.count <= 10
    assert said.country is None or len(said.country) == 2
    assert said.freshness in {None, "day", "week", "month", "year"}


def test_tool_needs_a_query() -> None:
    """A call without a query is the one thing that is refused."""
    with pytest.raises(ValidationError):
        ToolArguments.model_validate({"count": 3})


@pytest.mark.parametrize("blank", ["", "  ", None, {}], ids=repr)
def test_tool_takes_a_blank_query(blank: Any) -> None:
    """A blank query is no wrong argument: the search refuses it, in its own words."""
    arguments = ToolArguments(query=blank)

    assert arguments.query == ""
    with pytest.raises(InvalidInput, match="empty"):
        arguments.request()


def test_tool_in_other_words() -> None:
    """A tool may describe the query anew, and still reads it leniently."""

    class Renamed(ToolArguments):
        query: str = "described anew"

    assert Renamed.model_validate({"query": ["a", 5, "\ud83d"]}).query == "a 5"
