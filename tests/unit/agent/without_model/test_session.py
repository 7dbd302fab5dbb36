"""Session.ask in both modes where no model is set up: results are quoted."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from support.servers.loopback import Answer, Request
from support.servers.searxng_pages import page, row
from support.world import answer_of, world

from agent import Mode, Session
from agent.events import Answer as Answered
from agent.events import Event, Failed, SearchFailed, SearchStarted, Token
from citations import link

HEAD = "未配置模型：以下为搜索结果摘录"
FACT = "港珠澳大桥于2018年10月24日上午9时正式通车。"


def bridge(request: Request) -> Answer:
    """Three pages, two of which tell the same."""
    del request
    return page(
        row(1, title="港珠澳大桥旅游", content="港珠澳大桥一日游，立即预订。"),
        row(2, title="港珠澳大桥", content=FACT),
        row(3, title="转载", content=f"{FACT}大桥集桥、岛、隧于一体。"),
    )


@asynccontextmanager
async def session(
    mode: Mode, search: Any = bridge, **options: Any
) -> AsyncIterator[Session]:
    async with world(search=search, mode=mode, **options) as made:
        yield made.without_model()


async def ask(this: Session, question: str) -> list[Event]:
    return [event async for event in this.ask(question)]


@pytest.mark.spec("M1")
@pytest.mark.parametrize("mode", list(Mode))
async def test_an_answer_with_citations(mode: Mode) -> None:
    """Streamed and whole, with markers that become links to the pages quoted."""
    async with session(mode) as this:
        events = await ask(this, "港珠澳大桥是什么时候通车的？")

    answer = answer_of(events)
    assert answer.text.startswith(f"{HEAD}\n\n- “{FACT}”[2][3]\n")
    assert "".join(e.text for e in events if isinstance(e, Token)) == answer.text
    linked = link(answer.text, answer.sources)
    assert "[[2]](https://site2.example.org/page)" in linked
    assert "[[3]](https://site3.example.org/page)" in linked


async def test_a_follow_up_keeps_the_numbers() -> None:
    """The next question of Agent mode is searched as typed; its pages are known."""
    question = "港珠澳大桥的通车时间？"
    async with session(Mode.AGENT) as this:
        await ask(this, "港珠澳大桥是什么时候通车的？")
        events = await ask(this, question)

    queries = [event.query for event in events if isinstance(event, SearchStarted)]
    assert queries == [question]
    assert f"“{FACT}”[2][3]" in answer_of(events).text


@pytest.mark.parametrize("mode", list(Mode))
async def test_the_closest_is_told_from_an_answer(mode: Mode) -> None:
    """Results that cover little of the question are introduced as such."""
    async with session(mode) as this:
        events = await ask(this, "港珠澳大桥的总设计师毕业于哪里？")

    head = f"{HEAD}\n\n下面的句子最接近这个问题，不一定回答了它：\n\n- “"
    assert answer_of(events).text.startswith(head)


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("云雾山索道票价多少？", "都没有谈到这个问题，搜到的网页列在下面"),
        ("How old is Kestrel Tower?", "none of these speaks of the question"),
    ],
)
async def test_results_about_something_else(
    mode: Mode, question: str, words: str
) -> None:
    """Nothing is quoted, and the sources found are there to be listed."""
    async with session(mode) as this:
        events = await ask(this, question)

    answer = answer_of(events)
    assert words in answer.text
    assert "“港珠澳" not in answer.text
    assert len(answer.sources) == 3


@pytest.mark.parametrize("question", ["你好", "Hello!"])
async def test_nothing_to_look_for(question: str) -> None:
    """Agent mode searches for no greeting, and asks for a question."""
    async with session(Mode.AGENT) as this:
        events = await ask(this, question)

    assert not any(isinstance(event, SearchStarted) for event in events)
    assert isinstance(events[-1], Answered)
    words = "请提一个" if question == "你好" else "Ask something"
    assert words in events[-1].text


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(
    ("search", "words"),
    [(lambda _: Answer("", 500), "没有成功"), (lambda _: page(), "没有找到结果")],
    ids=["failed", "empty"],
)
async def test_a_search_without_results_is_told(
    mode: Mode, search: Any, words: str
) -> None:
    """No quotation, and an answer that says why; nothing found is no failure."""
    async with session(mode, search) as this:
        events = await ask(this, "港珠澳大桥是什么时候通车的？")

    answer = answer_of(events)
    failed = any(isinstance(event, SearchFailed) for event in events)
    assert failed is (words == "没有成功")
    assert words in answer.text
    assert "“港珠澳" not in answer.text


async def test_without_a_search() -> None:
    """With the switch off, or where no search is allowed, the answer says so."""
    async with session(Mode.CHAT, on=False) as this:
        off = await ask(this, "港珠澳大桥是什么时候通车的？")
    async with session(Mode.AGENT, WEB_SEARCH_ENABLED=False) as this:
        forbidden = await ask(this, "港珠澳大桥是什么时候通车的？")

    for events in (off, forbidden):
        assert not any(isinstance(event, SearchStarted | Failed) for event in events)
        assert isinstance(events[-1], Answered)
        assert "联网搜索" in events[-1].text
        assert "智能体" in events[-1].text  # in Agent mode there is no such switch


@pytest.mark.parametrize("mode", list(Mode))
async def test_a_stop_leaves_what_was_written(mode: Mode) -> None:
    """An answer that is left after some words does not hinder the next."""
    async with session(mode) as this:
        stopped = this.ask("港珠澳大桥是什么时候通车的？")
        async for event in stopped:
            if isinstance(event, Token):
                break
        await stopped.aclose()
        events = await ask(this, "港珠澳大桥是什么时候通车的？")

    assert isinstance(events[-1], Answered)
