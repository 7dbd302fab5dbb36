"""The chat model against servers as they are: calls, thoughts, refusals.

At the end: what we rely on in langchain-openai.
"""

import asyncio
import inspect
import json
import logging
from typing import Any

import openai
import pytest
from fakes.chat_model import ChatModel, chat_model
from fakes.model_server import Brain, Call, Turn, fails, says, script, search
from langchain.agents import create_agent
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

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


async def test_too_long_call() -> None:
    """Calls that were cut by the limit say so."""
    turn = Turn(calls=[search("北京天气如何")], finish="length", cut_calls_after=3)
    async with chat_model(lambda _: turn) as w:
        assert end_of(await w.ask()) == "length"


THINKING = script(Turn(reasoning=["想", "一想"], calls=[search("甲")]), Turn(["好"]))


def deepseek(asked: dict[str, Any]) -> Turn:
    """Refuses calls without the thoughts that led to them."""
    for message in asked["messages"]:
        if message.get("tool_calls") and message.get("reasoning_content") != "想一想":
            return fails(400, "The `reasoning_content` must be passed back")(asked)
    return THINKING(asked)


async def run(w: ChatModel, *messages: AnyMessage) -> list[AnyMessage]:
    """What the agent answers, as the app runs it: streamed."""
    agent = create_agent(w.model, [web_search])
    told = {"messages": list(messages)}
    async for mode, data in agent.astream(told, stream_mode=["messages", "values"]):
        if mode == "values":
            state: Any = data
    return state["messages"]


async def test_reasoning_round_trip() -> None:
    """What a model thought before a call goes back with the call, in each turn."""
    async with chat_model(deepseek) as w:
        first = await run(w, HumanMessage("一"))
        told = [SystemMessage("s"), *first, AIMessage("x"), HumanMessage("二")]
        second = await run(w, *told)

    assert second[-1].text == "好"
    assert len(w.server.requests) == 4


async def test_reasoning_of_answers_stays() -> None:
    """What a model thought before it answered is not sent back."""
    thought = AIMessage("好", additional_kwargs={"reasoning_content": "想"})
    async with chat_model() as w:
        await w.ask([HumanMessage("一"), thought, HumanMessage("二")])

    assert "reasoning_content" not in w.server.requests[0]["messages"][1]


def groq(asked: dict[str, Any]) -> Turn:
    """Thinks, and refuses to be reminded of it."""
    if any("reasoning_content" in message for message in asked["messages"]):
        return fails(400, "property 'reasoning_content' is unsupported")(asked)
    return THINKING(asked)


async def test_reasoning_refused() -> None:
    """A server that will not have its thoughts back is not sent them again."""
    async with chat_model(groq) as w:
        answers = [(await run(w, HumanMessage("问")))[-1].text for _ in range(2)]

    assert answers == ["好", "好"]
    assert len(w.server.requests) == 5


def mistral(status: int, words: str) -> Brain:
    """Refuses `stream_options`."""

    def brain(asked: dict[str, Any]) -> Turn:
        return fails(status, words)(asked) if "stream_options" in asked else Turn("好")

    return brain


@pytest.mark.parametrize(
    ("status", "words"),
    [
        pytest.param(422, "stream_options: Extra inputs: canary", id="422"),
        pytest.param(400, "canary 'include_usage' is not permitted", id="400"),
    ],
)
async def test_stream_options_refused(
    status: int, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A server that refuses `stream_options` is asked without, from then on."""
    async with chat_model(mistral(status, words)) as w:
        answers = [(await w.ask()).text for _ in range(2)]

    assert answers == ["好", "好"]
    assert ["stream_options" in r for r in w.server.requests] == [True, False, False]
    said = [r for r in caplog.records if r.name == "agent.chat_openai"]
    assert [(r.levelno, "canary" in r.getMessage()) for r in said] == [
        (logging.INFO, False)
    ]


async def test_stream_options_refused_at_once(caplog: pytest.LogCaptureFixture) -> None:
    """Answers that are refused at the same time are all asked again."""
    async with chat_model(mistral(400, "bad stream_options")) as w:
        answers = await asyncio.gather(*[w.ask() for _ in range(20)])
        known = len(w.server.requests)
        await w.ask()

    assert {answer.text for answer in answers} == {"好"}
    assert len(w.server.requests) == known + 1
    assert len([r for r in caplog.records if r.name == "agent.chat_openai"]) == 1


async def test_refused_for_something_else() -> None:
    """Where asking without does not help, nothing is remembered."""
    async with chat_model(fails(400, "tools and stream_options and a bad key")) as w:
        with pytest.raises(openai.BadRequestError):
            await w.ask()
        w.server.brain = says("好")
        await w.ask()

    asked = ["stream_options" in r for r in w.server.requests]
    assert asked == [True, False, True]


async def test_half_an_emoji() -> None:
    """Half an emoji in a call or an answer does not break the next request."""
    broken = Call("web_search", '{"query": "a\\ud83d"}')
    async with chat_model(script(Turn(calls=[broken]), Turn(["\ud83d好"]))) as w:
        messages = await run(w, HumanMessage("问"))

    sent = w.server.requests[1]["messages"][1]["tool_calls"][0]["function"]
    assert json.loads(sent["arguments"]) == {"query": "a?"}
    assert messages[-1].text == "\ufffd好"


def parameters(function: Any) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name != "self"]


def test_contract_methods() -> None:
    """What we override in ChatOpenAI is there, with the parameters we hand on."""
    convert = ChatOpenAI._convert_chunk_to_generation_chunk
    payload = ChatOpenAI._get_request_payload

    assert parameters(convert) == [
        "chunk",
        "default_chunk_class",
        "base_generation_info",
    ]
    assert parameters(payload) == ["input_", "stop", "kwargs"]
    assert hasattr(ChatOpenAI, "_convert_input")


def test_contract_client() -> None:
    """The client's `post` takes what we give it, and a plain stream stays plain."""
    options = inspect.signature(openai.AsyncOpenAI.post).parameters

    assert {"body", "cast_to", "options", "stream", "stream_cls"} <= set(options)
    assert {"async_client", "root_async_client"} <= set(ChatOpenAI.model_fields)


async def test_contract_stream() -> None:
    """Every stream of the model goes through ours: the typed client is not asked."""
    async with chat_model() as w:
        w.model.async_client._typed = None

        assert (await w.ask()).text == "好"


async def test_contract_messages() -> None:
    """The messages of a request are those of the question, one for one."""
    call = {"name": "web_search", "args": {}, "id": "1", "type": "tool_call"}
    thought = {"reasoning_content": "想"}
    messages = [
        SystemMessage("s"),
        HumanMessage("一"),
        AIMessage("", tool_calls=[call], additional_kwargs=thought),
        ToolMessage("t", tool_call_id="1"),
        AIMessage("好"),
        HumanMessage("二"),
    ]
    async with chat_model() as w:
        await w.ask(messages)

    sent = w.server.requests[0]["messages"]
    assert [m["role"] for m in sent] == [
        *("system", "user", "assistant", "tool", "assistant", "user")
    ]
    assert [m.get("reasoning_content") for m in sent] == [
        *(None, None, "想", None, None, None)
    ]
