"""Many sessions at once, lost connections, new chats: each keeps to its own."""

import asyncio
import itertools
import json
import random
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from support.browser.chat_page import Product, product
from support.browser.tab import Tab
from support.model.model_server import Turn, search
from support.servers.loopback import Answer, Request, served
from support.servers.searxng_pages import healthy, page, row

pytestmark = pytest.mark.slow

SESSIONS = 1_000
AT_ONCE = 100
SEED = 7
READERS = range(800, 1_000)  # ask in Chat mode, and read; the others in Agent mode

CANARY = re.compile(r"canary-[0-9]{4}-[0-9]")
RESULT = re.compile(r"\[([0-9]+)\] Page [0-9] of (canary-[0-9]{4}-[0-9])")
READ = re.compile(r"page of (canary-[0-9]{4}-[0-9])")
VISIT = re.compile(r"visit-[0-9]{4}")
CITED = re.compile(
    r"(canary-[0-9]{4}-[0-9])\[\[([0-9]+)\]\]\(https://([^/]+)\.example/"
)


def questions(session: int) -> int:
    """Each third session asks a second one, beside what it remembers of the first."""
    return 2 if session % 3 == 0 and session not in READERS else 1


def canary(session: int, question: int) -> str:
    return f"canary-{session:04}-{question}"


def telltale_model(asked: dict[str, Any]) -> Turn:
    """Searches for the question; then cites what came, and says all it was shown."""
    history = json.dumps(asked["messages"])
    last = asked["messages"][-1]["content"]
    if "tools" not in asked:
        told = {*READ.findall(last), *CANARY.findall(history), *VISIT.findall(history)}
        return Turn([f"page of {READ.findall(last)[0]} ", *map("{} ".format, told)])
    if asked["messages"][-1]["role"] == "user":
        return Turn(calls=[search(CANARY.findall(last)[-1])])
    found = [f"{name}[{number}]，" for number, name in RESULT.findall(last)]
    shown = sorted(set(CANARY.findall(history)))
    return Turn([*found, "所见：", *(f"{name} " for name in shown)])


@pytest.fixture(scope="module")
def running() -> Iterator[Product]:
    """The product, whose pages and results name the query that led to them."""
    visits = itertools.count()

    def web(request: Request) -> Answer:
        """A page for each canary; the shared one tells each visitor something else."""
        named = CANARY.search(request.path)
        text = f"page of {named[0]}" if named else f"visit-{next(visits):04}"
        title, body = f"About {text}", f"<p>This is the {text}, and says no more.</p>"
        html = f"<title>{title}</title><body><article>{body * 5}</article>"
        return Answer(html, 200, {"Content-Type": "text/html"})

    def found(request: Request) -> Any:
        """Three pages for those who search; for a reader its own, and the shared."""
        named = CANARY.search(request.params.get("q", ""))
        if named is None:
            return healthy(request)
        if int(named[0].split("-")[1]) in READERS:
            urls = (f"{pages.url}/{named[0]}", f"{pages.url}/shared")
            return page(*(row(n, url=url) for n, url in enumerate(urls, start=1)))
        url, title = f"https://{named[0]}.example", f"of {named[0]}"
        return page(
            *(row(n, title=f"Page {n} {title}", url=f"{url}/{n}") for n in range(1, 4))
        )

    with served(web) as pages:
        settings = {
            # The machine may be busy.
            "ANSWERS_AT_ONCE": "200",  # half of them for the one address of all
            "WEB_SEARCH_TIMEOUT_MS": "60000",
            "WEB_FETCH_TIMEOUT_MS": "60000",
            "WEB_FETCH_ENABLED": "true",
            "WEB_FETCH_ALLOWED_HOSTS": f"127.0.0.1:{pages.port}",
        }
        with product(**settings) as started:
            started.model.brain = telltale_model
            started.search.script = found
            yield started


@pytest.fixture
def telltale(running: Product) -> Product:
    """The product, which has searched for nothing yet."""
    running.search.requests.clear()
    return running


@asynccontextmanager
async def opened_tab(product: Product, mode: str = "agent") -> AsyncIterator[Tab]:
    async with Tab(product.url) as tab:
        await tab.open()
        if mode == "agent":
            await tab.choose(mode)
        yield tab


def cited(answer: str) -> list[tuple[str, int, str]]:
    """The citations of an answer: name, number and address."""
    return [(name, int(number), host) for name, number, host in CITED.findall(answer)]


def of(name: str, first: int) -> list[tuple[str, int, str]]:
    """The expected citations of a search for *name*, numbered from *first*."""
    return [(name, number, name) for number in range(first, first + 3)]


@pytest.mark.spec("N7")
async def test_a_thousand_sessions(telltale: Product) -> None:
    """A thousand sessions at once each get their own answers, and read their pages."""
    order = [number for number in range(SESSIONS) for _ in range(questions(number))]
    random.Random(SEED).shuffle(order)
    asked = [0] * SESSIONS
    places = asyncio.Semaphore(AT_ONCE)
    turns = [asyncio.Lock() for _ in range(SESSIONS)]

    async def opened(stack: AsyncExitStack, number: int) -> Tab:
        mode = "chat" if number in READERS else "agent"
        async with places:
            return await stack.enter_async_context(opened_tab(telltale, mode))

    async def ask(number: int) -> None:
        async with turns[number], places:
            asked[number] += 1
            await tabs[number].ask(f"请查 {canary(number, asked[number])}")

    async with AsyncExitStack() as stack:
        tabs = await asyncio.gather(*(opened(stack, n) for n in range(SESSIONS)))
        await asyncio.gather(*map(ask, order))

    visits: list[str] = []
    for number, tab in enumerate(tabs):
        own = [canary(number, one) for one in range(1, questions(number) + 1)]
        assert set(CANARY.findall(tab.received)) == set(own)
        if number in READERS:
            assert READ.findall(tab.answer)[:1] == own
            (visit,) = set(VISIT.findall(tab.received))
            visits.append(visit)
            continue
        assert [cited(answer) for answer in tab.answers.values()] == [
            of(name, first) for name, first in zip(own, (1, 4), strict=False)
        ]
        assert [step.split(" · ")[0] for step in tab.steps] == ["1 次搜索" for _ in own]
    assert len(set(visits)) == len(READERS)
    # The app examines search on its own, with a query of another kind.
    searched = [query for query in telltale.search.queries if "canary" in query]
    assert len(searched) == len(order)


@pytest.mark.spec("F2")
async def test_a_lost_connection(telltale: Product) -> None:
    """A session that was away for seconds keeps mode, cache, numbers and history."""
    first, second = canary(2001, 1), canary(2001, 2)
    async with opened_tab(telltale) as tab:
        await tab.ask(f"请查 {first}")
        await tab.drop()
        await asyncio.sleep(3)
        await tab.come_back()

        await tab.ask(f"再查 {first}")
        assert cited(tab.answer) == of(first, 1)
        assert "来自缓存" in tab.steps[-1]
        assert telltale.search.queries == [first]
        assert "cache hit, 3 results from searxng" in telltale.app.log

        await tab.ask(f"请查 {second}")
        assert cited(tab.answer) == of(second, 4)
        assert telltale.search.queries == [first, second]
    history = telltale.model.requests[-1]["messages"]
    assert [said["content"] for said in history if said["role"] == "user"] == [
        f"请查 {first}",
        f"再查 {first}",
        f"请查 {second}",
    ]


@pytest.mark.spec("F4")
async def test_a_new_chat(telltale: Product) -> None:
    """An ended session's data can't be read again by its id."""
    other, name = canary(3001, 1), canary(3001, 2)
    async with opened_tab(telltale) as tab:
        await tab.ask(f"请查 {other}")
        await tab.ask(f"请查 {name}")
        assert cited(tab.answer) == of(name, 4)
        await tab.forget()
        await tab.drop()
        await asyncio.sleep(0.5)
        await tab.connect()
        await tab.open()
        await tab.choose("agent")

        await tab.ask(f"请查 {name}")
        assert cited(tab.answer) == of(name, 1)
        assert "缓存" not in tab.steps[-1]
        assert other not in tab.answer
    assert telltale.search.queries == [other, name, name]


@pytest.mark.spec("F4")
async def test_the_same_query_in_two_sessions(telltale: Product) -> None:
    """Two that ask the same at the same time share neither request nor number."""
    other, name = canary(4001, 1), canary(4001, 2)
    async with opened_tab(telltale) as one, opened_tab(telltale) as two:
        await one.ask(f"请查 {other}")
        await asyncio.gather(one.ask(f"请查 {name}"), two.ask(f"请查 {name}"))

        assert cited(one.answer) == of(name, 4)
        assert cited(two.answer) == of(name, 1)
        assert other not in two.received
        assert "缓存" not in two.steps[-1]
    assert telltale.search.queries == [other, name, name]


@pytest.mark.spec("N7")
async def test_all_come_back_together(telltale: Product) -> None:
    """Tabs that connect at the same moment, as after a restart, are all let in."""
    async with AsyncExitStack() as stack:
        tabs = [Tab(telltale.url) for _ in range(60)]
        await asyncio.gather(*(stack.enter_async_context(tab) for tab in tabs))
        await asyncio.gather(*(tab.open() for tab in tabs))

    assert "RecursionError" not in telltale.app.log
