"""Small models in Agent mode: calls and thoughts in the text, answers from nothing."""

from typing import Any

import pytest
from support.model.agent_mode import AGENT, asked, numbers
from support.model.model_server import Brain, Turn, says, script, search
from support.world import answer_of, failure_of, kinds, world

from agent import Mode
from agent.events import (
    Answer,
    Aside,
    Event,
    Notice,
    NoticeKind,
    Recalled,
    SearchFinished,
    SearchStarted,
    Thought,
    Token,
)

CALL = '{"name": "web_search", "arguments": {"query": "甲"}}'
MADE_UP = "[101] 松月步道 | https://made-up.example | 通行证 120 元"
QUESTION = "松月步道的通行证多少钱？"
SEARCHES = Turn(calls=[search("甲")])


def pieces(text: str, size: int = 4) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def written(events: list[Event]) -> str:
    return "".join(one.text for one in events if isinstance(one, Token))


def notices(events: list[Event]) -> list[NoticeKind]:
    return [one.kind for one in events if isinstance(one, Notice)]


def in_chat(asked: dict[str, Any]) -> bool:
    """Tell if a request offers no tools."""
    return "tools" not in asked


@pytest.mark.spec("Y3")
@pytest.mark.parametrize(
    ("text", "hang"),
    [
        (CALL, False),
        (f"```json\n{CALL}\n```", False),
        (f"<tool_call>\n{CALL}\n</tool_call>", False),
        (f"<tools>{{{CALL}}}</tools>", False),
        (f"我来搜索。\n\n```json\n{CALL}\n```\n{MADE_UP}", False),
        (CALL + "\n[1] x" * 50, True),  # which is not waited for
    ],
)
async def test_calls_written_as_text(text: str, *, hang: bool) -> None:
    """A call in the text is searched for, and neither it nor made-up results shown."""
    first = Turn(pieces(text), hang=hang)
    async with world(script(first, Turn(["好[1]"])), **AGENT) as w:
        events = await w.ask(QUESTION)

    assert w.search.queries == ["甲"]
    assert written(events).replace("我来搜索。", "").strip() == "好[1]"
    assert answer_of(events).text == "好[1]"
    roles = [message["role"] for message in w.model.requests[-1]["messages"]]
    assert roles == ["system", "user", "assistant", "tool"]


@pytest.mark.spec("Y3")
async def test_calls_at_the_limit() -> None:
    """A call in the text of the last step is no answer."""
    stubborn = lambda _: Turn([CALL])  # noqa: E731  a script is a function
    async with world(stubborn, **AGENT, AGENT_MAX_SEARCHES=1) as w:
        events = await w.ask(QUESTION)

    assert failure_of(events).problem == "silent"
    assert written(events) == ""


@pytest.mark.spec("Y3", "M4")
@pytest.mark.parametrize(
    "turn",
    [
        Turn(pieces(MADE_UP)),
        Turn(pieces(f"我来搜索。\n{CALL[:40]}")),
        Turn([" "]),
        Turn(["<think>", "想"]),
        Turn(["想\n", "</think>\n\n"]),
    ],
    ids=["made up", "half a call", "silent", "only thoughts", "taken back"],
)
async def test_searched_for_the_model(turn: Turn) -> None:
    """
    Where a model makes up results, or writes half a call or nothing, its text goes.

    The user's words are searched, and it answers from the results, which count from 1.
    """
    brain: Brain = lambda asked: Turn(["120 元[1]"]) if in_chat(asked) else turn  # noqa: E731  a script is a function
    async with world(brain, **AGENT) as w:
        events = await w.ask(QUESTION)
        again = await w.ask("那一年呢？")

    for got, query in ((events, QUESTION), (again, "那一年呢？")):
        last = max(at for at, event in enumerate(got) if event == Aside(""))
        taken_back = got[last:]
        assert kinds(taken_back)[1:] == [
            *(Recalled, Notice, SearchStarted, SearchFinished, Token, Answer)
        ]
        assert notices(got) == [NoticeKind.NO_CALL]
        assert numbers(got) == [[1, 2, 3]]
        assert [*answer_of(got).sources] == [1, 2, 3]
        assert written(taken_back) == "120 元[1]"
        assert query in w.search.queries
    assert "made-up" not in str(w.model.requests[-1]["messages"])


@pytest.mark.parametrize("text", [" ", "想\n</think>\n\n"])
async def test_silent_everywhere(text: str) -> None:
    """
    A model that stays silent when it was searched for is told as silent.

    A greeting is not searched for.
    """
    async with world(says(text), **AGENT) as w:
        assert failure_of(await w.ask(QUESTION)).problem == "silent"
        assert w.search.queries == [QUESTION]
        assert failure_of(await w.ask("你好")).problem == "silent"
        assert w.search.queries == [QUESTION]


@pytest.mark.spec("E7", "E8")
@pytest.mark.parametrize(
    ("question", "turns", "kind"),
    [
        (QUESTION, [Turn(["120 元。"])], NoticeKind.NO_SEARCH),
        ("译成英文：见 [5]。", [Turn(["See [5]."])], NoticeKind.NO_SEARCH),
        (
            "给工资排名：张三 5200，李四 4100",
            [Turn(["名次是 [1, 2]。"])],
            NoticeKind.NO_SEARCH,
        ),
        ("写代码", [Turn(["```\na[7]\n```"])], NoticeKind.NO_SEARCH),
        ("你好", [Turn(["你好！"])], None),
        (QUESTION, [SEARCHES, Turn(["一[1]"])], None),
        (QUESTION, [SEARCHES, Turn(["一[9]"])], NoticeKind.NO_CITATION),
        (QUESTION, [Turn(calls=[search("")]), Turn(["一"])], NoticeKind.NO_SEARCH),
    ],
)
async def test_answers_without_sources(
    question: str, turns: list[Turn], kind: NoticeKind | None
) -> None:
    """An answer that cites nothing has a notice, unless it answers a greeting."""
    async with world(script(*turns), **AGENT) as w:
        events = await w.ask(question)

    assert notices(events) == ([kind] if kind else [])
    assert answer_of(events).text == turns[-1].text[0]


async def test_results_that_the_user_gave() -> None:
    """A line of results that the user wrote himself is not made up."""
    line = "[101] Pine | https://made-up.example"
    async with world(says(line), **AGENT) as w:
        events = await w.ask(f"译成英文：{MADE_UP}")

    assert answer_of(events).text == line
    assert w.search.queries == []


async def test_no_notice() -> None:
    """None asks for a search where it is switched off, or an earlier one is cited."""
    async with world(says("120 元。"), **AGENT, WEB_SEARCH_ENABLED=False) as w:
        assert notices(await w.ask(QUESTION)) == []
    async with world(script(SEARCHES, Turn(["一[1]"])), **AGENT) as w:
        await w.ask("一")
        assert notices(await asked(w, says("二[2]"), QUESTION)) == []


@pytest.mark.parametrize("mode", Mode)
async def test_asked_again_as_chat(mode: Mode) -> None:
    """
    Asked again as in Chat mode, the question is searched and its turn replaced.

    It is also where the user has gone to Chat mode meanwhile, with the switch off.
    """
    brain: Brain = lambda asked: Turn(["120 元[1]" if in_chat(asked) else "不知道。"])  # noqa: E731  a script is a function
    async with world(brain, **AGENT) as w:
        first = await w.ask(QUESTION)
        w.session.choose(mode, search=False)
        again = w.session.ask(QUESTION, again=True, mode=Mode.CHAT, search=True)
        events = [event async for event in again]

    assert notices(first) == [NoticeKind.NO_SEARCH]
    assert kinds(events) == [SearchStarted, SearchFinished, Token, Answer]
    assert w.search.queries == [QUESTION]
    (turn,) = w.session.state.turns
    assert (turn.answer, turn.marked) == ("120 元", "")
    assert w.session.state.sources == ()


@pytest.mark.spec("Y3")
@pytest.mark.parametrize("tag", ["<think>", ""], ids=["two tags", "the second only"])
@pytest.mark.parametrize("on", [False, True], ids=["chat", "agent"])
async def test_thoughts_in_the_text(on: bool, tag: str) -> None:
    """Thoughts between tags are no part of the answer, nor of the history."""
    text = f"{tag}用户问价格。\n</think>\n\n120 元[1]"
    options = AGENT if on else {}
    turns = [Turn(calls=[search("甲")])] if on else []
    async with world(script(*turns, Turn(pieces(text))), **options) as w:
        events = await w.ask(QUESTION)
        await w.ask("那一年呢？")

    thoughts = [one.text for one in events if isinstance(one, Thought)]
    assert "".join(thoughts).strip() == "用户问价格。"
    assert answer_of(events).text.strip() == "120 元[1]"
    assert bool(tag) is (Aside("") not in events)
    assert "用户问价格" not in str(w.model.requests[-1]["messages"])
