"""Fragments of tool calls, and the calls they make."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.models.tool_calls import MOST_CALLS, ToolCallRepair

A, B = '{"query": "a"}', '{"query": "b"}'


def part(arguments: Any = None, name: Any = None, **more: Any) -> dict[str, Any]:
    return {"function": {"name": name, "arguments": arguments}, **more}


def head(name: str = "web_search", **more: Any) -> dict[str, Any]:
    return part("", name, **more)


def calls(*parts: Any, index: ToolCallRepair | None = None) -> list[tuple[str, str]]:
    """Names and arguments, put together as the OpenAI client does it."""
    index = index or ToolCallRepair()
    found: dict[int, list[str]] = {}
    ids = []
    for piece in parts:
        for fixed in index.repair([piece]):
            call = found.setdefault(fixed["index"], ["", ""])
            call[0] += fixed["function"]["name"] or ""
            call[1] += fixed["function"]["arguments"]
            ids += [fixed["id"]] if fixed["id"] else []
    assert len(set(ids)) == len(ids) == len(found)
    return [(name, arguments) for name, arguments in found.values()]


BOTH = [("web_search", A), ("web_search", B)]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [head(index=0, id="1"), part(A, index=0), head(index=1, id="2"), part(B)],
            id="as specified, one index missing",
        ),
        pytest.param(
            [part(A, "web_search", id="x"), part(B, "web_search", id="x")],
            id="one id for both",
        ),
        pytest.param(
            [part(A, "web_search", id=""), part(B, "web_search", id="")],
            id="empty ids",
        ),
        pytest.param(
            [head(index=0, id="1"), part(A[:-1]), part(A[-1:] + B[:4]), part(B[4:])],
            id="two objects, cut anywhere",
        ),
        pytest.param(
            [
                head(index=0, id="1"),
                part(A[:4], index=0, id="other"),
                part(A[4:], index=0, id="other"),
                head(index=1, id="2"),
                part(B, index=1, id="another"),
            ],
            id="a second id in the middle",
        ),
        pytest.param(
            [part(A, "web_search", index=0, id="1"), part(B, index=0, id="2")],
            id="a second id after the end",
        ),
        pytest.param(
            [
                part("", None, index=0, id="1"),
                part(A, "web_search", index=0),
                part("", None, index=1, id="2"),
                part(B, "web_search", index=1),
            ],
            id="name after the id",
        ),
        pytest.param(
            [part(json.loads(A), "web_search"), part(json.loads(B), "web_search")],
            id="arguments as objects",
        ),
        pytest.param(
            [
                part("{}", "web_search", index=0, id="1"),
                part(A[:4], index=0),
                part(A[4:], index=0),
                part("{}" + B, "web_search", index=1, id="2"),
            ],
            id="an empty object first",
        ),
        pytest.param(
            [
                part(A, "web_search", index=0, id="1"),
                part(A, "web_search", index=0, id="1"),
                part("", "web_search", index=0, id="1"),
                part(B, "web_search", index=1, id="2"),
                part("\n}", index=1),
            ],
            id="said again at the end",
        ),
    ],
)
def test_two_calls(parts: list[Any]) -> None:
    """Two calls come out as two, each with its own arguments and its name once."""
    assert calls(*parts) == BOTH


def test_names_tell_calls_apart() -> None:
    """Another name is another call, also where nothing else tells."""
    assert calls(head("web_search"), head("web_fetch"), part(A)) == [
        ("web_search", ""),
        ("web_fetch", A),
    ]


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(None, id="null"),
        pytest.param({"function": None}, id="no function"),
        pytest.param(part(4, 3, id=2), id="numbers"),
    ],
)
def test_odd_fragments(odd: Any) -> None:
    """A malformed fragment is skipped."""
    assert calls(head(index=0, id="1"), odd, part(A, index=0)) == BOTH[:1]


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("more", [{}, {"index": 0}], ids=["no index", "index 0"])
def test_many_calls(
    more: dict[str, Any], at_once: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Calls without end are left out after some hundreds, and noted once."""
    index = ToolCallRepair()
    parts = [part(A, "canary", id=f"canary{n}", **more) for n in range(20_000)]
    chunks = [parts] if at_once else [[one] for one in parts]
    found = [fixed for chunk in chunks for fixed in index.repair(chunk)]

    assert [fixed["index"] for fixed in found] == list(range(MOST_CALLS))
    assert index.is_complete
    assert [r.levelname for r in caplog.records] == ["WARNING"]
    assert "canary" not in caplog.text


def test_long_arguments_are_cut() -> None:
    """Text after arguments that are too long is dropped, and the call is cut."""
    index = ToolCallRepair()
    pieces = [part("x" * 1_000, index=0) for _ in range(5_000)]
    ((_, text),) = calls(part('{"query": "', "x", index=0), *pieces, index=index)

    assert len(text) < 30_000
    assert index.incomplete == [text]


@given(
    queries=st.lists(st.text(max_size=12), min_size=1, max_size=4, unique=True),
    size=st.integers(1, 9),
    indexed=st.sampled_from(["good", "zero", "none"]),
    named=st.booleans(),
)
def test_however_it_is_cut(
    queries: list[str], size: int, indexed: str, named: bool
) -> None:
    """Calls one after the other are told apart, however they are cut and numbered."""
    expected = [("web_search", json.dumps({"query": q})) for q in queries]
    parts = []
    for number, (name, text) in enumerate(expected):
        index: Any = {"good": number, "zero": 0, "none": None}[indexed]
        for start in range(0, len(text), size):
            said = name if named or start == 0 else None
            parts.append(part(text[start : start + size], said, index=index))

    assert calls(*parts) == expected


SIGN = {"google": {"thought_signature": "CpcB="}}


def test_unspecified_fields() -> None:
    """Unspecified fields are kept for their call, however often they are sent."""
    index = ToolCallRepair()
    ids = [index.repair([part(A, "x", index=0, id="1", sign=SIGN)])[0]["id"]]
    index.repair([part("", None, index=0, sign=SIGN)])

    assert index.extra == {ids[0]: {"sign": SIGN}}


@pytest.mark.parametrize("value", ["x" * 1_000_000, float("nan"), None])
def test_unspecified_fields_left_out(value: Any) -> None:
    """Unspecified fields that are too large or no JSON are left out; the call stays."""
    index = ToolCallRepair()
    index.repair([part(A, "x", id=f"{n}", sign=value) for n in range(20)])

    assert index.extra == {}
    assert index.is_complete
