"""Streamed calls of servers as they are: odd shapes, cut arguments."""

import asyncio
from typing import Any

import pytest
from langchain_core.tools import tool
from support.chat_model import chat_model
from support.model_server import Call, Turn, search

TWO = ("甲 一", "乙 二")


@tool
def web_search(query: str) -> str:
    """Search."""
    return f"found {query}"


def end_of(answer: Any) -> Any:
    return answer.response_metadata.get("finish_reason")


SHAPES: dict[str, dict[str, Any]] = {
    "as specified": {},
    "interleaved": {"interleave": True},
    "whole": {"one_chunk_calls": True},
    "no index, whole": {"index": "none", "one_chunk_calls": True},
    "no index, split": {"index": "none"},
    "index 0 for all, whole": {"index": "zero", "one_chunk_calls": True},
    "index 0 for all, split": {"index": "zero"},
    "id and name in each fragment": {"repeat_head": True},
    "the same, interleaved": {"repeat_head": True, "index": "zero", "interleave": True},
}
NO_IDS = {f"no ids, {k}": v for k, v in SHAPES.items() if "interleaved" not in k}


def calling(shape: str, ids: str | None = None) -> Turn:
    two = [Call("web_search", search(query).arguments, ids) for query in TWO]
    return Turn(["先搜"], calls=two, split=5, **(SHAPES | NO_IDS)[shape])


@pytest.mark.parametrize("shape", [*SHAPES, *NO_IDS])
async def test_shapes_of_calls(shape: str) -> None:
    """However a server numbers its calls, they arrive, also in many streams at once."""
    turn = calling(shape, ids="" if shape in NO_IDS else None)
    async with chat_model(lambda _: turn) as w:
        answers = await asyncio.gather(*[w.ask() for _ in range(20)])

    for answer in answers:
        assert [c["name"] for c in answer.tool_calls] == ["web_search"] * 2
        assert [c["args"]["query"] for c in answer.tool_calls] == list(TWO)
        assert len({c["id"] for c in answer.tool_calls} - {"", None}) == 2
        assert (answer.text, end_of(answer)) == ("先搜", "tool_calls")


async def test_shapes_at_once() -> None:
    """Streams of one model object do not share their calls."""
    async with chat_model(lambda asked: calling(asked["messages"][-1]["content"])) as w:
        answers = await asyncio.gather(*[w.ask(shape) for shape in [*SHAPES] * 5])

    queries = [[c["args"]["query"] for c in answer.tool_calls] for answer in answers]
    assert queries == [list(TWO)] * len(answers)


@pytest.mark.parametrize(
    ("cut", "end"),
    [
        pytest.param({}, "tool_calls", id="whole"),
        pytest.param({"cut_calls_after": 2}, None, id="in the arguments"),
        pytest.param({"cut_calls_after": 0}, None, id="before the call"),
    ],
)
async def test_no_end(cut: dict[str, Any], end: str | None) -> None:
    """Where a server says no end, whole calls are an end and cut ones are not."""
    turn = Turn(["先"], calls=[search("北京天气如何")], finish=None, **cut)
    async with chat_model(lambda _: turn) as w:
        assert end_of(await w.ask()) == end


@pytest.mark.parametrize("end", ["length", "content_filter"])
async def test_calls_cut_for_a_reason(end: str) -> None:
    """Calls that were cut by the limit or a filter say so."""
    turn = Turn(calls=[search("北京天气如何")], finish=end, cut_calls_after=3)
    async with chat_model(lambda _: turn) as w:
        assert end_of(await w.ask()) == end


CUT_ENDS = (
    *("tool_calls", "stop", "function_call", "eos", "model_length", "error", "abort"),
    *("insufficient_system_resource", "something else"),
)


@pytest.mark.parametrize("end", CUT_ENDS)
async def test_cut_calls(end: str) -> None:
    """A call that is cut is a cut answer, whichever end the server says."""
    calls = [search("甲"), search("北京天气如何")]
    async with chat_model(lambda _: Turn(calls=calls[-1:], finish=end)) as w:
        assert end_of(await w.ask()) == end
        w.server.brain = lambda _: Turn(calls=calls, finish=end, cut_calls_after=5)
        assert end_of(await w.ask()) is None


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param('{"query": "北', id="in the query"),
        pytest.param('{"query": "北京', id="before its quote"),
        pytest.param('{"query": "北京"', id="before the brace"),
        pytest.param('{"query": "北京", "count": 1', id="in a number"),
        pytest.param('{"query": "北京", "fresh', id="in a name"),
        pytest.param('{"query": "}\\', id="in an escape"),
        pytest.param('{"query": "a\n{', id="with a bare newline"),
        pytest.param('{"query": "' + '\\"' * 30_000, id="far"),
        pytest.param("{", id="at the start"),
        pytest.param('["北京"', id="a list"),
    ],
)
async def test_arguments_that_do_not_end(arguments: str) -> None:
    """Arguments that begin well and do not end are never taken for whole."""
    turn = Turn(calls=[Call("web_search", arguments)], split=20_000)
    async with chat_model(lambda _: turn) as w:
        assert end_of(await w.ask()) is None


@pytest.mark.parametrize(
    "arguments",
    ["null", "北京天气", '["北京"]', '"北京"', "{'query': '北京'}", '{"query": "x"]'],
)
async def test_arguments_that_are_none(arguments: str) -> None:
    """Arguments that end and are no object are an invalid call, to be answered."""
    async with chat_model(lambda _: Turn(calls=[Call("web_search", arguments)])) as w:
        answer = await w.ask()

    assert (end_of(answer), answer.tool_calls) == ("tool_calls", [])
    assert [call["args"] for call in answer.invalid_tool_calls] == [arguments]


@pytest.mark.parametrize("arguments", ["", "{}", '{"query": "a\nb"}'])
async def test_arguments_that_are_whole(arguments: str) -> None:
    """Calls without arguments, or with bare newlines in them, are whole."""
    async with chat_model(lambda _: Turn(calls=[Call("web_search", arguments)])) as w:
        answer = await w.ask()

    assert (end_of(answer), len(answer.tool_calls)) == ("tool_calls", 1)
