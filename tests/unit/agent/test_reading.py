"""Chat mode reads pages: of the best results, and of addresses in the question."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from support.model.model_server import says
from support.pages.pages_web import (
    BRIDGE,
    LOGIN,
    LONG,
    TOWER,
    PagesWeb,
    never,
    pages_web,
)
from support.servers.searxng_pages import page
from support.world import answer_of, kinds, outcomes, world

from agent import Mode
from agent.events import (
    Answer,
    Notice,
    NoticeKind,
    PageEnded,
    ReadingFinished,
    ReadingStarted,
    SearchFinished,
    SearchStarted,
    Token,
)

PAGES = {"/tower": TOWER, "/login": LOGIN, "/bridge": BRIDGE}


@pytest.fixture
def web() -> Iterator[PagesWeb]:
    with pages_web(PAGES) as served:
        yield served


@pytest.mark.spec("O1", "O6")
async def test_read_after_search() -> None:
    """Pages that come in time are full text, the others keep snippet and cause."""
    end = threading.Event()
    with pages_web({**PAGES, "/late": never(end)}) as web:
        async with world(says("62[1]"), web=web) as w:
            events = await w.ask("How high is the tower?")
        end.set()

    expected = [SearchStarted, SearchFinished, ReadingStarted, PageEnded]
    assert kinds(events) == [*expected, ReadingFinished, Token, Answer]
    came = [event.outcome.source.number for event in events if type(event) is PageEnded]
    assert sorted(came) == [1, 2, 3]
    codes = [one.error and one.error.detail_code for one in outcomes(events)]
    assert codes == [None, "login_required", None, "page_slow"]
    (prompt,) = w.model.prompts
    assert "is 62 metres high" in prompt
    assert "Date: 2026-11-02" in prompt
    assert "Snippet: Snippet 2." in prompt
    read = [source.is_read for source in answer_of(events).sources.values()]
    assert read == [True, False, True, False]


@pytest.mark.spec("O2")
async def test_given_address_comes_first(web: PagesWeb) -> None:
    """The address in the question is read, as number 1; a result keeps that number."""
    async with world(says("1904[1]"), web=web) as w:
        events = await w.ask(f"桥多长？{web.url('/bridge')}，谢谢")

    assert web.asked[0] == "/bridge"
    first, *_ = outcomes(events)
    assert (first.source.number, first.source.is_read) == (1, True)
    assert first.source.url == web.url("/bridge")
    assert web.asked.count("/bridge") == 1
    assert "[1] Title 3" in w.model.prompts[0]


@pytest.mark.spec("N2")
@pytest.mark.parametrize(
    ("question", "read"), [("塔多高？", 2), ("{0}/tower {0}/a {0}/b 塔多高？", 3)]
)
async def test_fewer_pages_while_busy(web: PagesWeb, question: str, read: int) -> None:
    """A busy server reads two pages, or those that the user names, and says so."""
    asked = question.format(web.url(""))
    async with world(says("62[1]"), web=web) as w:
        events = [e async for e in w.session.ask(asked, is_busy=lambda: True)]
        before = [*web.asked]
        later = await w.another().ask(asked)

    (busy,), (quiet,) = (
        [one for one in these if isinstance(one, ReadingFinished)]
        for these in (events, later)
    )
    assert len(busy.pages) == len({*before}) == read
    assert (len(busy.pages) + busy.spared, quiet.spared) == (len(quiet.pages), 0)


@pytest.mark.spec("X9")
@pytest.mark.parametrize(
    ("question", "queries"),
    [
        ("总结一下 {}", []),
        ("{} 和南京长江大桥比，哪座更长？", ["和南京长江大桥比，哪座更长？"]),
    ],
)
@pytest.mark.parametrize("mode", Mode)
async def test_address_and_query(
    web: PagesWeb, mode: Mode, question: str, queries: list[str]
) -> None:
    """A page that is to be read is read, and nothing searched; no query holds it."""
    async with world(says("1904[1]"), web=web) as w:
        w.session.choose(mode, search=True)
        session = w.session if mode is Mode.CHAT else w.without_model()
        asked = question.format(web.url("/bridge"))
        events = [event async for event in session.ask(asked)]

    assert [e.query for e in events if isinstance(e, SearchFinished)] == queries
    assert outcomes(events)[0].source.is_read
    assert isinstance(events[-1], Answer)


@pytest.mark.spec("O2")
async def test_given_address_without_results(web: PagesWeb) -> None:
    """The address is read even where the search finds nothing."""
    async with world(says("好"), web=web) as w:
        w.search.script = lambda _: page()
        events = await w.ask(f"{web.url('/tower')} 多高？")

    assert [one.source.title for one in outcomes(events)] == ["The tower"]
    assert "is 62 metres high" in w.model.prompts[0]


@pytest.mark.spec("O2", "O8", "A8")
@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize(
    ("options", "choices", "kind"),
    [
        (
            {"on": False, "WEB_SEARCH_ENABLED": False},
            {"search": False},
            NoticeKind.ADDRESS_SEARCH_OFF,
        ),
        (
            {"WEB_FETCH_ENABLED": "false"},
            {"search": True, "reading": True},
            NoticeKind.ADDRESS_READING_OFF,
        ),
        ({}, {"search": True, "reading": False}, NoticeKind.ADDRESS_READING_OFF),
    ],
    ids=["search is off", "the operator forbids it", "the user switches it off"],
)
async def test_nothing_is_read(
    web: PagesWeb,
    mode: Mode,
    options: dict[str, Any],
    choices: dict[str, Any],
    kind: NoticeKind,
) -> None:
    """No page is requested, the model is offered no tool for it, and a notice says
    why."""
    async with world(says("好"), web=web, mode=mode, **options) as w:
        w.session.choose(mode, **choices)
        events = await w.ask(f"总结 {web.url('/tower')}")

    assert next(one for one in events if isinstance(one, Notice)) == Notice(kind)
    assert outcomes(events) == []
    assert "web_fetch" not in json.dumps(w.model.requests)
    assert web.asked == []


@pytest.mark.spec("O1")
async def test_built_in_answerer_quotes_pages(web: PagesWeb) -> None:
    """Without a model the answer quotes what only the page says."""
    async with world(web=web) as w:
        events = [e async for e in w.without_model().ask("How high is the tower?")]

    assert "62 metres high" in answer_of(events).text


async def test_read_once_a_conversation(web: PagesWeb) -> None:
    """A second question about the same pages downloads none of them again."""
    async with world(says("好"), web=web) as w:
        await w.ask("How high is the tower?")
        events = await w.ask("How high is the tower?")

    assert web.asked.count("/tower") == 1
    assert outcomes(events)[0].page is not None
    assert outcomes(events)[0].page.cached  # type: ignore[union-attr]


@pytest.mark.spec("N7")
async def test_pages_stay_in_their_conversation(web: PagesWeb) -> None:
    """A page that one conversation has read is downloaded again by another."""
    async with world(says("好"), web=web) as w:
        await w.ask("How high is the tower?")
        await w.another().ask("How high is the tower?")

    assert web.asked.count("/tower") == 2


@pytest.mark.spec("O7")
async def test_long_page_is_bounded() -> None:
    """The model gets the passages that fit, within the budget, and is told of gaps."""
    with pages_web({"/long": LONG}) as web:
        async with world(says("62[1]"), web=web, WEB_READ_CHARS=1_000) as w:
            await w.ask("How high is the tower of the old town?")

    (prompt,) = w.model.prompts
    _, excerpt = prompt.split("Excerpts of the full text: ")
    assert "is 62 metres high" in excerpt
    assert " … " in excerpt
    assert len(prompt) < 2_500
