"""The chat model against servers as they are: calls, thoughts, refusals."""

import asyncio
import json
import logging
from typing import Any

import openai
import pytest
from langchain.agents import create_agent
from langchain_core.messages import AnyMessage, HumanMessage
from langchain_core.tools import tool
from support.model.chat_model import ChatModel, chat_model
from support.model.model_server import Brain, Call, Turn, fails, says, script, search


@tool
def web_search(query: str) -> str:
    """Search."""
    return f"found {query}"


THINKING = script(Turn(reasoning=["想", "一想"], calls=[search("甲")]), Turn(["好"]))


async def run(w: ChatModel, *messages: AnyMessage) -> list[AnyMessage]:
    """The agent's streamed answer, as in the app."""
    agent = create_agent(w.model, [web_search])
    told = {"messages": list(messages)}
    async for mode, data in agent.astream(told, stream_mode=["messages", "values"]):
        if mode == "values":
            state: Any = data
    return state["messages"]


SIGNED = {"extra_content": {"google": {"thought_signature": "CpcBAdHtim9/+=="}}}


def signing(**more: Any) -> Brain:
    """Signs the first of two calls, as Gemini does."""
    arguments = search("甲").arguments
    first = Call("web_search", arguments, extra=more.pop("extra", SIGNED))
    calls = [first, Call("web_search", search("乙").arguments)]
    return script(Turn(calls=calls, **more), Turn(["好"]))


def gemini(asked: dict[str, Any]) -> Turn:
    """Refuses calls without its signature."""
    for message in asked["messages"]:
        if calls := message.get("tool_calls"):
            signs = [c.get("extra_content") for c in calls]
            if signs != [SIGNED["extra_content"], None]:
                return fails(400, "Function call is missing a thought_signature")(asked)
    return signing(one_chunk_calls=True, index="zero")(asked)


async def test_fields_of_calls_round_trip() -> None:
    """Unspecified fields of a call are sent back with it, in each turn."""
    async with chat_model(gemini) as w:
        first = await run(w, HumanMessage("一"))
        second = await run(w, *first, HumanMessage("二"))

    assert second[-1].text == "好"
    assert len(w.server.requests) == 4


async def test_no_null_defaults() -> None:
    """A tool's schema is sent without `"default": null`; other defaults stay."""

    @tool
    def search_it(query: str, count: int | None = None, kind: str = "text") -> str:
        """Search."""
        return query

    async with chat_model() as w:
        bound = w.model.bind_tools([search_it])
        async for _ in bound.astream("问"):
            pass

    (sent,) = w.server.requests[0]["tools"]
    fields = sent["function"]["parameters"]["properties"]
    assert "default" not in fields["count"]
    assert fields["kind"]["default"] == "text"
    assert {"type": "null"} in fields["count"]["anyOf"]


def groq(asked: dict[str, Any]) -> Turn:
    """Thinks, and refuses to be reminded of it."""
    if any("reasoning_content" in message for message in asked["messages"]):
        return fails(400, "canary 'reasoning_content' is unsupported")(asked)
    return THINKING(asked)


def poolside(asked: dict[str, Any]) -> Turn:
    """Refuses the fields of its own calls."""
    if "'canary':" in str(asked["messages"]):
        return fails(422, "tool_calls.0.canary: Extra inputs")(asked)
    return signing(extra={"canary": {"a": 1}})(asked)


def mistral(status: int, words: str) -> Brain:
    """Refuses `stream_options`."""

    def brain(asked: dict[str, Any]) -> Turn:
        return fails(status, words)(asked) if "stream_options" in asked else Turn("好")

    return brain


@pytest.mark.parametrize(
    ("brain", "requests"),
    [
        pytest.param(groq, 5, id="thoughts"),
        pytest.param(poolside, 5, id="fields of calls"),
        pytest.param(mistral(422, "stream_options: Extra inputs: canary"), 3, id="422"),
        pytest.param(mistral(400, "canary 'include_usage' is not"), 3, id="400"),
    ],
)
async def test_refused_fields(
    brain: Brain, requests: int, caplog: pytest.LogCaptureFixture
) -> None:
    """An option that a server refuses is left out at once, and from then on."""
    caplog.set_level(logging.INFO)
    async with chat_model(brain) as w:
        answers = [(await run(w, HumanMessage("问")))[-1].text for _ in range(2)]

    assert answers == ["好", "好"]
    assert len(w.server.requests) == requests
    assert caplog.text.count("leaving them out") == 1
    assert "canary" not in caplog.text


async def test_stream_options_refused_at_once() -> None:
    """Answers that are refused at the same time are all asked again."""
    async with chat_model(mistral(400, "bad stream_options")) as w:
        answers = await asyncio.gather(*[w.ask() for _ in range(20)])
        known = len(w.server.requests)
        await w.ask()

    assert {answer.text for answer in answers} == {"好"}
    assert len(w.server.requests) == known + 1


async def test_refused_for_something_else() -> None:
    """If leaving a field out does not help, it is sent again next time."""
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
