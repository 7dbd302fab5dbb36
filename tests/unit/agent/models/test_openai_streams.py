"""Streams of servers as they are: odd chunks, odd and cut calls, faults, a stop."""

import asyncio
from contextlib import nullcontext
from typing import Any

import openai
import pytest
from support.model.chat_model import chat_model
from support.model.model_server import (
    ALIVE,
    Brain,
    Call,
    Turn,
    fails,
    says,
    script,
    search,
)

from agent.causes import ModelProblem
from agent.models import openai_compat
from agent.models.errors import problem_of


def raw(*chunks: Any) -> Brain:
    """Chunks as they are, between two that are good."""
    return lambda _: Turn(["好"], raw=[*chunks, delta(content="的")])


def delta(**said: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": said}]}


def end_of(answer: Any) -> Any:
    return answer.response_metadata.get("finish_reason")


async def test_openrouters_name_of_reasoning() -> None:
    """Thoughts are found by their other name too, and are no part of the answer."""
    async with chat_model(raw(delta(reasoning="想"), delta(reasoning="一想"))) as w:
        answer = await w.ask()

    assert answer.additional_kwargs["reasoning_content"] == "想一想"
    assert answer.text == "好的"


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(None, id="null"),
        pytest.param("text", id="text"),
        pytest.param({}, id="empty"),
        pytest.param({"choices": {"delta": {"content": "x"}}}, id="choices an object"),
        pytest.param({"choices": [{"delta": None}]}, id="delta null"),
        pytest.param(delta(content=None), id="content null"),
        pytest.param(delta(role="user", content=""), id="another role"),
        pytest.param(delta(tool_calls={"index": 0}), id="calls an object"),
        pytest.param(delta(tool_calls=[None, 3, {}]), id="calls of nothing"),
        pytest.param({"choices": [], "usage": {"prompt_tokens": "x"}}, id="usage text"),
        pytest.param({"choices": [{"finish_reason": "null"}]}, id="end 'null'"),
        pytest.param({"object": "error", "message": "x", "code": 500}, id="no error"),
    ],
)
async def test_odd_chunks(odd: Any) -> None:
    """A chunk that is none is passed over; the answer goes on."""
    async with chat_model(raw(odd)) as w:
        answer = await w.ask()

    assert (answer.text, end_of(answer), answer.tool_calls) == ("好的", "stop", [])
    assert answer.usage_metadata["total_tokens"] == 12


async def test_content_in_parts() -> None:
    """Text that comes as a list of parts is text."""
    parts = [{"type": "thinking", "thinking": []}, {"type": "text", "text": "是"}]
    async with chat_model(raw(delta(content=parts))) as w:
        assert (await w.ask()).text == "好是的"


async def test_said_in_every_chunk() -> None:
    """End and usage count once, also where a server repeats them in every chunk."""
    choice = {"delta": {"content": "x"}, "finish_reason": "stop"}
    counts = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    chunk = {"model": "m", "choices": [choice], "usage": counts}
    async with chat_model(raw(chunk, chunk, chunk)) as w:
        answer = await w.ask()

    assert (answer.text, end_of(answer)) == ("好xxx的", "stop")
    assert answer.usage_metadata["total_tokens"] == 12


@pytest.mark.parametrize(
    ("turn", "error"),
    [
        pytest.param(
            Turn("一二", error_event={"message": "overloaded"}),
            openai.APIError,
            id="an error in mid-stream",
        ),
        pytest.param(
            Turn("一二", error_event="overloaded"), openai.APIError, id="in a word"
        ),
        pytest.param(
            Turn("一二三", cut_after=2), openai.APIConnectionError, id="cut in the text"
        ),
        pytest.param(
            Turn("一二", calls=[search("北京天气如何")], cut_calls_after=2),
            openai.APIConnectionError,
            id="cut in a call",
        ),
        pytest.param(Turn("一二", hang=True), TimeoutError, id="stalled"),
        pytest.param(Turn("一二", raw=[b"{no json"]), openai.APIError, id="no JSON"),
        pytest.param(Turn("一二", raw=[b"\xff\xfe"]), openai.APIError, id="no UTF-8"),
    ],
)
async def test_faults_in_mid_stream(turn: Turn, error: type[Exception]) -> None:
    """A fault in mid-stream is an error of the client; what came before it came."""
    seen = []
    async with chat_model(lambda _: turn, OPENAI_TIMEOUT_S=0.3) as w:
        with pytest.raises(error):
            async for chunk in w.model.astream("问"):
                seen.append(chunk.text)  # noqa: PERF401  kept also where it fails

    assert "".join(seen) == "一二"
    assert len(w.server.requests) == 1


@pytest.mark.parametrize(
    "alive",
    [
        pytest.param(b": OPENROUTER PROCESSING\n\n", id="comments"),
        pytest.param(b'data: {"choices": []}\n\n', id="chunks without a choice"),
        pytest.param(
            b'data: {"choices": [{"delta": {"content": ""}}]}\n\n', id="empty chunks"
        ),
        pytest.param(
            b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\n\n',
            id="one end after the other",
        ),
    ],
)
@pytest.mark.parametrize("text", ["", "一二"])
async def test_only_kept_alive(text: str, alive: bytes) -> None:
    """A server that sends what carries nothing, for ever, is given up in time."""
    async with chat_model(lambda _: Turn(text, alive=alive), OPENAI_TIMEOUT_S=0.3) as w:
        with pytest.raises(TimeoutError) as caught:
            await asyncio.wait_for(w.ask(), 5)

        assert problem_of(caught.value) is ModelProblem.TIMEOUT
        assert await w.server.is_left_alone()


async def test_slow_but_speaking() -> None:
    """The time between pieces is limited, not that of the whole answer."""
    turn = Turn("一二三四五", delay=0.2, calls=[search("甲")], split=2)
    async with chat_model(lambda _: turn, OPENAI_TIMEOUT_S=0.5) as w:
        answer = await w.ask()

    assert (answer.text, end_of(answer)) == ("一二三四五", "tool_calls")


async def test_slow_reader() -> None:
    """The time that our side takes between pieces is not the server's."""
    said = []
    async with chat_model(says(*"一二三"), OPENAI_TIMEOUT_S=0.2) as w:
        async for chunk in w.model.astream("问"):
            said.append(chunk.text)
            await asyncio.sleep(0.3)

    assert "".join(said) == "一二三"


@pytest.mark.parametrize(
    ("brain", "error", "requests"),
    [
        pytest.param(fails(401), openai.AuthenticationError, 1, id="key"),
        pytest.param(fails(400), openai.BadRequestError, 1, id="bad request"),
        pytest.param(fails(422), openai.UnprocessableEntityError, 1, id="422"),
        pytest.param(fails(503), openai.InternalServerError, 2, id="overloaded"),
        # Nothing is asked again after its time: a slow server would begin anew.
        pytest.param(says("x", first_delay=9), TimeoutError, 1, id="slow"),
    ],
)
async def test_faults_before_the_stream(
    brain: Brain, error: type[Exception], requests: int
) -> None:
    """A failure before the stream is retried once if that may help."""
    seconds = 0.2 if error is TimeoutError else 60
    async with chat_model(brain, OPENAI_TIMEOUT_S=seconds) as w:
        with pytest.raises(error):
            await w.ask()

    assert len(w.server.requests) == requests


@pytest.mark.spec("Y5")
@pytest.mark.parametrize(
    ("set_", "extra", "is_answered"),
    [
        pytest.param({}, (0.0, 10.0), True, id="it reads a long prompt"),
        pytest.param({}, (9.0, 0.0), True, id="it loads the model"),
        pytest.param({}, (0.0, 0.0), False, id="neither"),
        pytest.param({"OPENAI_TIMEOUT_S": 0.3}, (9.0, 9.0), False, id="set"),
    ],
)
@pytest.mark.parametrize(
    "slow",
    [
        says("好", first_delay=0.8),
        lambda _: Turn(["好"], delay=0.8),
    ],
    ids=["no header", "no word"],
)
async def test_first_word_near_by(
    slow: Brain,
    set_: dict[str, Any],
    extra: tuple[float, float],
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_answered: bool,
) -> None:
    """A server near by may take longer to its first word, unless a time is set."""
    monkeypatch.setattr(openai_compat, "LOADING_SECONDS", extra[0])
    monkeypatch.setattr(openai_compat, "SECONDS_PER_TOKEN", extra[1])
    async with chat_model(slow, **set_) as w:
        w.model.async_client._silence = 0.3  # for the minute of the default
        with nullcontext() if is_answered else pytest.raises(TimeoutError):
            assert (await w.ask()).text == "好"

    assert len(w.server.requests) == 1


@pytest.mark.spec("Y5", "M6")
async def test_stop_before_the_first_word() -> None:
    """A stop while the model reads closes the connection, which ends its work, and
    nothing is asked again."""
    async with chat_model(lambda _: Turn(alive=ALIVE)) as w:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(w.ask(), 0.5)

        assert await w.server.is_left_alone()
        assert len(w.server.requests) == 1


@pytest.mark.spec("Y2")
@pytest.mark.parametrize(
    ("plain", "text", "error"),
    [
        (says("好"), "好", None),
        (script(Turn(calls=[search("甲")])), "", None),
        (fails(400, code="context_length_exceeded"), "", openai.BadRequestError),
    ],
    ids=["an answer", "a call", "a refusal"],
)
async def test_a_stream_of_nothing(
    plain: Brain, text: str, error: type[Exception] | None
) -> None:
    """A stream without one event is asked for once more, without streaming."""

    def brain(asked: dict[str, Any]) -> Turn:
        return Turn(silent=True) if asked.get("stream") else plain(asked)

    async with chat_model(brain) as w:
        if error:
            with pytest.raises(error):
                await w.ask()
        else:
            answer = await w.ask()
            assert answer.text == text
            assert end_of(answer) == ("stop" if text else "tool_calls")

    assert [r["stream"] for r in w.server.requests] == [True, False]


async def test_only_its_own_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of the machine for something else is not sent to the model's server."""
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "canary")
    async with chat_model() as w:
        await w.ask()

    assert w.server.keys == ["Bearer k"]
    assert "canary" not in repr(w.server._loopback.requests)


TWO = ("甲 一", "乙 二")
SHAPES: dict[str, dict[str, Any]] = {
    "as specified": {},
    "interleaved": {"interleave": True},
    "no index, split": {"index": "none"},
    "index 0 for all, whole": {"index": "zero", "one_chunk_calls": True},
    "index 0 for all, split": {"index": "zero"},
    "id and name in each fragment": {"repeat_head": True, "index": "zero"},
}


@pytest.mark.parametrize("ids", [None, ""], ids=["ids", "no ids"])
@pytest.mark.parametrize("shape", SHAPES)
async def test_shapes_of_calls(shape: str, ids: str | None) -> None:
    """However a server numbers its calls, they arrive, also in many streams at once."""
    two = [Call("web_search", search(query).arguments, ids) for query in TWO]
    turn = Turn(["先搜"], calls=two, split=5, **SHAPES[shape])
    async with chat_model(lambda _: turn) as w:
        answers = await asyncio.gather(*[w.ask() for _ in range(20)])

    for answer in answers:
        assert [c["name"] for c in answer.tool_calls] == ["web_search"] * 2
        assert [c["args"]["query"] for c in answer.tool_calls] == list(TWO)
        assert len({c["id"] for c in answer.tool_calls} - {"", None}) == 2
        assert (answer.text, end_of(answer)) == ("先搜", "tool_calls")


WHOLE = search("北京天气如何").arguments


@pytest.mark.parametrize(
    ("arguments", "cut_after", "end"),
    [
        pytest.param(WHOLE, None, "tool_calls", id="whole"),
        pytest.param(WHOLE, 2, None, id="in the arguments"),
        pytest.param(WHOLE, 0, None, id="before the call"),
        pytest.param(f'{{"a": "{"x" * 20_000}"}}', None, None, id="too long"),
        pytest.param('{"a":' * 9_999 + "}", None, None, id="deep"),
    ],
)
async def test_no_end(arguments: str, cut_after: int | None, end: str | None) -> None:
    """Without a finish reason, complete calls end a stream and cut ones do not."""
    calls = [Call("web_search", arguments)]
    split = len(arguments) // 4 + 1
    turn = Turn(
        ["先"], calls=calls, finish=None, cut_calls_after=cut_after, split=split
    )
    async with chat_model(lambda _: turn) as w:
        assert end_of(await w.ask()) == end


@pytest.mark.parametrize("end", ["tool_calls", "stop", "eos", "something else"])
async def test_cut_calls(end: str) -> None:
    """A call that is cut is a cut answer, whichever end the server says."""
    calls = [search("甲"), search("北京天气如何")]
    async with chat_model(lambda _: Turn(calls=calls[-1:], finish=end)) as w:
        assert end_of(await w.ask()) == end
        w.server.brain = lambda _: Turn(calls=calls, finish=end, cut_calls_after=5)
        assert end_of(await w.ask()) is None


@pytest.mark.parametrize(
    ("arguments", "end"),
    [
        # arguments that begin well and do not end are never taken for whole
        pytest.param('{"query": "北', None, id="in the query"),
        pytest.param('{"query": "北京"', None, id="before the brace"),
        pytest.param('{"query": "北京", "count": 1', None, id="in a number"),
        pytest.param('{"query": "}\\', None, id="in an escape"),
        pytest.param('{"query": "' + '\\"' * 30_000, None, id="far"),
        pytest.param("{", None, id="at the start"),
        # none at all, and bare newlines in them, are whole
        pytest.param("", "tool_calls", id="nothing"),
        pytest.param("{}", "tool_calls", id="an empty object"),
        pytest.param('{"query": "a\nb"}', "tool_calls", id="a bare newline"),
    ],
)
async def test_ends_of_arguments(arguments: str, end: str | None) -> None:
    """The call tells if its arguments are whole, whatever the server says."""
    turn = Turn(calls=[Call("web_search", arguments)], split=20_000)
    async with chat_model(lambda _: turn) as w:
        answer = await w.ask()

    assert end_of(answer) == end
    assert end is None or len(answer.tool_calls) == 1
