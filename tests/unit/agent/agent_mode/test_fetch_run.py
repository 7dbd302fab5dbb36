"""Agent mode reads pages: events, numbers, limits, and where reading is off."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from typing import Any

import pytest
from support.model.agent_mode import asked, found
from support.model.model_server import (
    Brain,
    Call,
    Turn,
    fails,
    fetch,
    says,
    script,
    search,
)
from support.pages.pages_web import (
    BRIDGE,
    LOGIN,
    TOWER,
    PagesWeb,
    article,
    never,
    pages_web,
)
from support.servers.loopback import Answer as Reply
from support.world import World, answer_of, kinds, outcomes, world

from agent import Mode
from agent.agent_mode import graph
from agent.events import (
    Answer,
    Aside,
    Notice,
    NoticeKind,
    ReadingFinished,
    ReadingStarted,
    Recalled,
    SearchFinished,
    SearchStarted,
    Token,
)

PAGES = {"/tower": TOWER, "/login": LOGIN, "/bridge": BRIDGE}
AGENT: dict[str, Any] = {"mode": Mode.AGENT, "on": False}
READS = script(
    Turn(calls=[search("tower")]),
    Turn(["Let me read."], calls=[fetch(1), fetch("[2]")]),
    Turn(["62[1]"]),
)


@pytest.fixture
def web() -> Iterator[PagesWeb]:
    with pages_web(PAGES) as served:
        yield served


@pytest.fixture
async def agent(web: PagesWeb) -> AsyncIterator[World]:
    """A session of Agent mode that finds and reads the pages of *web*."""
    async with world(READS, web=web, **AGENT) as made:
        yield made


def tool_texts(w: World) -> list[str]:
    """The results of tools in the model's last request."""
    messages = w.model.requests[-1]["messages"]
    return [m["content"] for m in messages if m["role"] == "tool"]


@pytest.mark.spec("O3", "O6")
async def test_search_and_read(web: PagesWeb, agent: World) -> None:
    """The model opens results by numbers, which stay; each call has its events."""
    events = await agent.ask("How high is the tower?")

    started = [e for e in events if isinstance(e, ReadingStarted)]
    ended = [e for e in events if isinstance(e, ReadingFinished)]
    assert [[s.number for s in e.sources] for e in started] == [[1], [2]]
    assert {e.call for e in started} == {e.call for e in ended}
    assert all(e.call for e in started)
    assert Aside("Let me read.") in events
    assert sorted(web.asked) == ["/login", "/tower"]
    _, tower, login = tool_texts(agent)
    assert tower.split("\n")[1] == "[1] Title 1"
    assert "62 metres high" in tower
    assert "needs a login" in login
    sources = answer_of(events).sources
    assert [sources[n].is_read for n in (1, 2, 3)] == [True, False, False]
    assert sources[1].published_at == "2026-11-02"


@pytest.mark.spec("O2")
async def test_written_address(web: PagesWeb, agent: World) -> None:
    """The model opens an address of the question without a search; it gets a number."""
    agent.model.brain = script(Turn(calls=[fetch(web.url("/tower"))]), Turn(["62[1]"]))
    events = await agent.ask(f"总结{web.url('/tower')}，谢谢")

    assert kinds(events) == [ReadingStarted, ReadingFinished, Token, Answer]
    source = answer_of(events).sources[1]
    assert (source.title, source.url) == ("The tower", web.url("/tower"))
    assert "\n全文: " in tool_texts(agent)[0]


@pytest.mark.parametrize("by_user", [True, False], ids=["user", "model"])
async def test_earlier_addresses(web: PagesWeb, agent: World, *, by_user: bool) -> None:
    """An address that the user wrote may be opened later, but none of an answer."""
    earlier = "好", f"记住 {web.url('/tower')}"
    answer, question = earlier if by_user else earlier[::-1]
    await asked(agent, says(answer), question)
    brain = script(Turn(calls=[fetch(web.url("/tower"))]), Turn(["好"]))
    events = await asked(agent, brain, "它多高？")

    assert [one.source.is_read for one in outcomes(events)] == [True] * by_user
    assert web.asked == ["/tower"] * by_user


async def test_later_turns(web: PagesWeb, agent: World) -> None:
    """Later the page is cited with its text, opened without a download, found again."""
    await agent.ask("How high is the tower?")
    brain = script(Turn(calls=[fetch(1)]), Turn(["62[1]"]))
    events = await asked(agent, brain, "Once more?")

    assert web.asked.count("/tower") == 1
    recalled = events[0]
    assert isinstance(recalled, Recalled)
    assert recalled.sources[1].is_read
    (outcome,) = outcomes(events)
    assert outcome.page is not None
    assert outcome.page.cached
    sent = agent.model.requests[-1]["messages"]
    assert [m["content"] for m in sent[1:4]] == [
        "How high is the tower?",
        "62[1]",
        "Once more?",
    ]

    (again,) = found(await asked(agent, READS, "And again?"))
    assert [source.is_read for source in again.sources] == [True, False, False]
    assert again.sources[0].snippet == "Snippet 1."


@pytest.mark.spec("N7")
async def test_pages_stay_in_their_conversation(web: PagesWeb, agent: World) -> None:
    """An address that one conversation may open is refused to another."""
    await agent.ask("How high is the tower?")
    agent.model.brain = script(Turn(calls=[fetch(web.url("/tower"))]), Turn(["好"]))
    events = await agent.another().ask("读一下")

    assert outcomes(events) == []
    assert web.asked.count("/tower") == 1


async def test_search_and_read_at_once(web: PagesWeb, agent: World) -> None:
    """A search and several pages in one step run at once, each with its own events."""
    url = web.url("/bridge")
    calls = [search("tower"), fetch(url), fetch(url, part=2), fetch(url, find="1904")]
    agent.model.brain = script(Turn(calls=calls), Turn(["1904[1]"]))
    events = await agent.ask(f"Read {url}")

    assert len({e.call for e in events if isinstance(e, ReadingFinished)}) == 3
    assert len(found(events)) == 1
    assert web.asked.count("/bridge") == 1
    numbers = {one.source.number for one in outcomes(events)}
    assert numbers == {s.number for s in found(events)[0].sources if s.url == url}


PAGE_LIMIT = Notice(NoticeKind.PAGE_LIMIT, 2)


def endless(request: dict[str, Any]) -> Turn:
    if request.get("tool_choice") == "none":
        return Turn(["就这些[1]"])
    return Turn(calls=[search(f"q{len(request['messages'])}"), fetch(1)])


@pytest.mark.parametrize(
    ("brain", "searches", "limits"),
    [
        (
            script(
                Turn(calls=[search("a")]),
                Turn(calls=[fetch(1), fetch(3), fetch(1), fetch(3)]),
                Turn(calls=[search("b")]),
                Turn(["就这些[1]"]),
            ),
            *(8, [PAGE_LIMIT]),
        ),
        (endless, 1, [Notice(NoticeKind.SEARCH_LIMIT, 1), PAGE_LIMIT]),
    ],
    ids=["pages", "searches, then pages"],
)
async def test_limits(
    web: PagesWeb,
    monkeypatch: pytest.MonkeyPatch,
    brain: Brain,
    searches: int,
    limits: list[Notice],
) -> None:
    """
    Beyond its limit a call is refused in words, and the user is told.

    Where pages are used up it may search, and the other way round; then it answers.
    """
    monkeypatch.setattr(graph, "MOST_PAGES", 2)
    async with world(brain, web=web, **AGENT, AGENT_MAX_SEARCHES=searches) as w:
        events = await w.ask("塔？")

    assert [e for e in events if isinstance(e, Notice)] == limits
    assert len(w.search.queries) == len(found(events)) == 3 - len(limits)
    assert len(outcomes(events)) == 2
    refused = sum("web_fetch 的次数已经用完" in text for text in tool_texts(w))
    assert refused == (2 if brain is not endless else 0)
    assert answer_of(events).text == "就这些[1]"


@pytest.mark.spec("N2")
async def test_fewer_pages_while_busy(web: PagesWeb) -> None:
    """While the server is busy the model opens two pages, and the user is told why."""
    async with world(endless, web=web, **AGENT) as w:
        events = [e async for e in w.session.ask("塔？", is_busy=lambda: True)]

    notices = [one for one in events if isinstance(one, Notice)]
    assert notices[0] == Notice(NoticeKind.BUSY_PAGE_LIMIT, 2)
    assert len(outcomes(events)) == 2


@pytest.mark.spec("O7")
async def test_bounded_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages of an answer give at most their number times a call's characters."""
    long = article("Long", *["The tower is 62 metres high and very old."] * 2_000)

    def greedy(request: dict[str, Any]) -> Turn:
        if request.get("tool_choice") == "none":
            return Turn(["好"])
        is_first = request["messages"][-1]["role"] == "user"
        return Turn(
            calls=[search("x")] if is_first else [fetch(1, part=n) for n in "12345"]
        )

    with pages_web({"/long": long}) as web:
        settings: dict[str, Any] = {**AGENT, "WEB_READ_CHARS": 1_000}
        monkeypatch.setattr(graph, "MOST_PAGES", 3)
        async with world(greedy, web=web, **settings) as w:
            await w.ask("塔？")

    texts = [text for text in tool_texts(w) if "全文节选（第" in text]
    assert len(texts) == 3
    assert sum(map(len, texts)) < 3 * 1_500
    assert "后面还有：用 part=2 读下一部分" in texts[0]


async def test_notice_once_without_tools(web: PagesWeb, agent: World) -> None:
    """The fallback says once why an address was not read."""
    agent.session.choose(Mode.AGENT, search=False, reading=False)
    refuse = fails(400, "does not support tools")
    agent.model.brain = lambda asked: (
        refuse(asked) if "tools" in asked else Turn(["好"])
    )
    events = await agent.ask(f"总结 {web.url('/tower')}")

    assert [e.kind for e in events if isinstance(e, Notice)] == [
        NoticeKind.NO_TOOLS,
        NoticeKind.ADDRESS_READING_OFF,
    ]


@pytest.mark.parametrize(
    "call",
    [
        *(Call("web_fetch", made) for made in ('{"url": }', '{"link": "x"}')),
        *map(fetch, ("https://elsewhere.test/", 99, {"a": 1})),
        *(
            Call("web_search", made)
            for made in ('{"query": }', "[1]", '{"q": "x"}', "")
        ),
        Call("no_such", '{"query": "x"}'),
    ],
    ids=lambda call: f"{call.name} {call.arguments}",
)
async def test_refused_calls(web: PagesWeb, agent: World, call: Call) -> None:
    """A call that can't be made is answered in words, unseen, and the run goes on."""
    turns = Turn(calls=[call]), Turn(calls=[search("甲")]), Turn(["好[1]"])
    agent.model.brain = script(*turns)
    events = await agent.ask("读一下")

    assert kinds(events) == [SearchStarted, SearchFinished, Token, Answer]
    assert agent.search.queries == [one.query for one in found(events)] == ["甲"]
    is_fetch = call.name == "web_fetch"
    refused = ("没有打开", "must be") if is_fetch else ("query", "not a valid tool")
    assert any(word in tool_texts(agent)[0] for word in refused)
    assert web.asked == []


@pytest.mark.spec("M6")
async def test_stopped_while_reading() -> None:
    """Stopped while a page is on its way, no task stays and the next question works."""
    end = threading.Event()
    with pages_web({"/late": never(end)}) as web:
        brain = script(Turn(calls=[search("x")]), Turn(calls=[fetch(1), search("y")]))
        async with world(brain, web=web, **AGENT) as w:
            await w.resources.load_agent()
            before = asyncio.all_tasks()

            async def until_reading() -> None:
                async with aclosing(w.session.ask("一")) as events:
                    async for event in events:
                        if isinstance(event, ReadingStarted):
                            return

            await until_reading()
            await asyncio.sleep(0.01)  # connections are closed by tasks of their own
            left = asyncio.all_tasks() - before
            end.set()
            events = await asked(w, says("好"), "二")

    assert left == set()
    assert isinstance(events[-1], Answer)


@pytest.mark.spec("O2")
async def test_without_a_model(web: PagesWeb) -> None:
    """Without a model the results and given addresses are read, and quoted."""
    async with world(web=web, **AGENT) as w:
        w.search.script = lambda request: Reply(web.search(request).body)
        session = w.without_model()
        question = f"When was the bridge {web.url('/bridge')} built?"
        events = [event async for event in session.ask(question)]

    assert kinds(events)[:3] == [SearchStarted, SearchFinished, ReadingStarted]
    first, *others = outcomes(events)
    assert (first.source.number, first.source.url) == (1, web.url("/bridge"))
    assert [one.error and one.error.detail_code for one in others] == [
        None,
        "login_required",
    ]
    answer = answer_of(events)
    assert "built in 1904" in answer.text
    assert "[1]" in answer.text
    assert answer.sources[1].is_read
