"""Calls that are cut anywhere, and the calls they make."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agent.models.tool_calls import CallIndex

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
