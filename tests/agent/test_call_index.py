"""Fragments of tool calls, and the calls they make."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.call_index import CallIndex

A, B = '{"query": "a"}', '{"query": "b"}'


def part(arguments: Any = None, name: Any = None, **more: Any) -> dict[str, Any]:
    return {"function": {"name": name, "arguments": arguments}, **more}


def head(name: str = "web_search", **more: Any) -> dict[str, Any]:
    return part("", name, **more)


def calls(*parts: Any, index: CallIndex | None = None) -> list[tuple[str, str]]:
    """Names and arguments, put together as the OpenAI client does it."""
    index = index or CallIndex()
    found: dict[int, list[str]] = {}
    ids = []
    for piece in parts:
        for mended in index.mend([piece]):
            call = found.setdefault(mended["index"], ["", ""])
            call[0] += mended["function"]["name"] or ""
            call[1] += mended["function"]["arguments"]
            ids += [mended["id"]] if mended["id"] else []
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
        pytest.param([part(A, "web_search"), part(B, "web_search")], id="bare"),
        pytest.param(
            [part(A, "web_search", index=0), part(B, "web_search", index=0)],
            id="no ids, index 0",
        ),
        pytest.param(
            [head(), part(A[:5]), part(A[5:]), head(), part(B[:5]), part(B[5:])],
            id="no ids, no index, split",
        ),
        pytest.param(
            [head(index=0), part(A, index=0), head(index=1), part(B, index=1)],
            id="no ids",
        ),
        pytest.param(
            [part(A, "web_search", id="x"), part(B, "web_search", id="x")],
            id="one id for both",
        ),
        pytest.param(
            [
                head(index=0, id="x"),
                head(index=1, id="x"),
                part(A[:5], index=0, id="x"),
                part(B[:5], index=1, id="x"),
                part(A[5:], index=0, id="x"),
                part(B[5:], index=1, id="x"),
            ],
            id="one id for both, interleaved",
        ),
        pytest.param(
            [part(A, "web_search", id=""), part(B, "web_search", id="")],
            id="empty ids",
        ),
        pytest.param(
            [part(A, "web_search", id=1), part(B, "web_search", id=2)],
            id="ids that are numbers",
        ),
        pytest.param(
            [head(index=0, id="1"), part(A + B, index=0)], id="two objects in one call"
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
        pytest.param(
            [part(A, "web_search", index=[0]), part(B, "web_search", index={})],
            id="an index that is none",
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
        pytest.param("call", id="text"),
        pytest.param({}, id="empty"),
        pytest.param({"function": None}, id="no function"),
        pytest.param(part(4, 3, id=2), id="numbers"),
        pytest.param([part(A)], id="a list"),
    ],
)
def test_odd_fragments(odd: Any) -> None:
    """What is no fragment is passed over."""
    assert calls(head(index=0, id="1"), odd, part(A, index=0)) == BOTH[:1]


@pytest.mark.parametrize("fragments", [None, {}, "x", 3])
def test_no_list(fragments: Any) -> None:
    """Calls that are no list are none."""
    assert CallIndex().mend(fragments) == []


@pytest.mark.parametrize(
    ("parts", "is_whole"),
    [
        pytest.param([], False, id="none"),
        pytest.param([part(A, "web_search")], True, id="whole"),
        pytest.param([part(A[:-1], "web_search")], False, id="cut"),
        pytest.param([head()], False, id="name only"),
        pytest.param([part('{"query": "}', "web_search")], False, id="a brace in it"),
        pytest.param([part("[" * 9_999 + "}", "x")], False, id="no object"),
        pytest.param([part(f'{{"a": "{"x" * 20_000}"}}', "x")], False, id="too long"),
        pytest.param([part('{"a":' * 9_999 + "}", "x")], False, id="deep"),
        pytest.param([part(A, "x", id="1"), head(id="2")], False, id="second cut"),
    ],
)
def test_is_whole(parts: list[Any], is_whole: bool) -> None:
    """Calls are whole where the arguments of each are a complete object."""
    index = CallIndex()
    calls(*parts, index=index)

    assert index.is_whole is is_whole


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
