"""Four minutes of visitors and random faults: nothing is lost, mixed up, or grows."""

import asyncio
import os
import random
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from support.browser.chat_page import Product, product
from support.browser.tab import Tab
from support.model.model_server import Brain, Turn, fails, search
from support.pages.worker_processes import needs_proc, worker_ids
from support.servers.faults import always, hangs_up, searching
from support.servers.loopback import Answer, Request, Script, served
from support.servers.searxng_pages import page, row

pytestmark = [pytest.mark.slow, needs_proc]

SECONDS = float(os.environ.get("SOAK_SECONDS", "240"))
VISITORS = 8
SEED = 11
CANARY = re.compile(r"canary-[0-9]+-[0-9]+")
WORDS = 40
END = "。完毕。"


def telltale(asked: dict[str, Any]) -> Turn:
    """Searches in Agent mode; answers with all names that it was shown."""
    last = str(asked["messages"][-1]["content"])
    own = CANARY.findall(last)[-1:]
    if "tools" in asked and asked["messages"][-1]["role"] == "user":
        return Turn(calls=[search(own[0])])
    names = sorted(set(CANARY.findall(str(asked["messages"]))))
    return Turn([*(f"{name} " for name in names), *["字"] * WORDS, END], delay=0.02)


def cut(asked: dict[str, Any]) -> Turn:
    return Turn([*["字"] * 10, END], cut_after=5, delay=0.02)


@dataclass
class Web:
    """Pages for each name, in one of several states."""

    answer: Callable[[Request], Any] | None = None

    def __call__(self, request: Request) -> Any:
        if self.answer is not None:
            return self.answer(request)
        name = CANARY.search(request.path)
        body = f"<p>This page speaks of {name[0] if name else 'nothing'}.</p>" * 40
        html = f"<title>Page</title><body><article>{body}</article>"
        return Answer(html, 200, {"Content-Type": "text/html"})


@dataclass
class Visits:
    """Counts of the visitors' answers, and those that went wrong."""

    asked: int = 0
    whole: int = 0
    told: int = 0
    waited: int = 0
    spared: int = 0
    wrong: list[str] = field(default_factory=list)


def finds(pages: str) -> Script:
    """Three results for each name."""

    def script(request: Request) -> Any:
        name = CANARY.search(request.params.get("q", ""))
        if name is None:
            return page(row(1))
        urls = [f"{pages}/{name[0]}/{n}" for n in (1, 2, 3)]
        return page(*(row(n, url=url) for n, url in enumerate(urls, start=1)))

    return script


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[Product, Web]]:
    web = Web()
    with served(web) as pages:
        settings = {
            "WEB_FETCH_ENABLED": "true",
            "WEB_FETCH_ALLOWED_HOSTS": f"127.0.0.1:{pages.port}",
            "OPENAI_TIMEOUT_S": "5",
            "ANSWERS_AT_ONCE": str(VISITORS - 2),  # some wait
        }
        with product(**settings) as started:
            started.model.brain = telltale
            started.search.script = finds(pages.url)
            yield started, web


async def visit(number: int, url: str, until: float, visits: Visits) -> None:
    """Ask, lose the line, stop, begin anew, until the time has come."""
    choice = random.Random(f"{SEED} {number}")
    asked = 0
    while time.monotonic() < until:
        async with Tab(url) as tab:
            await tab.open()
            if choice.random() < 0.4:
                await tab.choose("agent")
            names = []
            for _ in range(choice.randint(1, 4)):
                asked += 1
                names.append(f"canary-{number}-{asked}")
                await ask(tab, names[-1], choice, visits)
            visits.waited += "排在第" in tab.received
            visits.spared += "服务器正忙，少读了 1 页" in str(tab.steps)
            strange = set(CANARY.findall(tab.received)) - set(names)
            visits.wrong += [f"{number} read {name}" for name in strange]
            if choice.random() < 0.3:
                await tab.forget()


async def ask(tab: Tab, name: str, choice: random.Random, visits: Visits) -> None:
    visits.asked += 1
    begun = tab.count("task_start")
    asking = asyncio.create_task(tab.ask(f"请查 {name}"))
    for _ in range(500):
        if tab.count("task_start") > begun or asking.done():
            break
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.1 + choice.random())
    is_away = choice.random() < 0.25
    if is_away:
        await tab.drop()
        await asyncio.sleep(choice.random() * 2)
        await tab.connect()
        await tab.greet()
    elif choice.random() < 0.1:
        await tab.stop()
    await asking
    if is_away:  # an end that came just as the page was back is told twice
        await asyncio.sleep(0.5)
    answer = tab.answer if tab.answers else ""
    if END in answer and name in answer:
        visits.whole += 1
    elif END in answer or not answer.strip():
        happened = [event for event, _ in tab.events[-25:]]
        visits.wrong.append(f"{name}: {answer[-300:]!r} after {happened}")
    else:
        visits.told += 1  # a part, or none, and a notice


def faults(product: Product, web: Web) -> list[tuple[str, Callable[[], None]]]:
    """Each makes one of the servers behind the app fail."""

    def search_is(script: Script) -> Callable[[], None]:
        return lambda: setattr(product.search, "script", script)

    def model_is(brain: Brain) -> Callable[[], None]:
        return lambda: setattr(product.model, "brain", brain)

    def pages_are(answer: Any) -> Callable[[], None]:
        return lambda: setattr(web, "answer", lambda _: answer)

    return [
        ("search 429", search_is(searching(Answer("{}", 429)))),
        ("search HTML", search_is(always(Answer("<html>")))),
        ("search reset", search_is(searching(hangs_up()))),
        ("search late", search_is(searching(Answer("{}", delay=7)))),
        ("pages 500", pages_are(Answer("", 500))),
        ("pages reset", pages_are(hangs_up())),
        ("pages late", pages_are(Answer("", delay=5))),
        ("pages nested", pages_are(Answer("<div>" * 100_000, 200, HTML))),
        ("model 500", model_is(fails(500))),
        ("model 429", model_is(fails(429))),
        ("model cut", model_is(cut)),
        ("model hangs", model_is(lambda _: Turn(["字"], hang=True))),
    ]


HTML = {"Content-Type": "text/html"}


@dataclass(frozen=True)
class Weight:
    """Memory, open files and workers of the app."""

    memory: float  # MB
    files: int
    workers: int

    @classmethod
    def of(cls, pid: int) -> "Weight":
        status = Path(f"/proc/{pid}/status").read_text()
        resident = re.search(r"VmRSS:\s+(\d+)", status)
        assert resident is not None
        files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
        return cls(int(resident[1]) / 1024, files, len(worker_ids(pid)))


def process_on(url: str) -> int:
    port = url.rpartition(":")[2].encode()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if port in words and b"app.py" in words and b"make" not in words[0]:
            return int(folder.name)
    raise AssertionError("the app has no process")


@pytest.mark.spec("N7", "M4", "M6")
async def test_soak(running: tuple[Product, Web]) -> None:
    """Every answer is whole or says what it lacks, nobody reads another's, and memory,
    files and workers stay where they were; afterwards all is well again."""
    app, web = running
    healthy, pid = app.search.script, process_on(app.url)
    visits = Visits()
    until = time.monotonic() + SECONDS
    visitors = [
        asyncio.create_task(visit(n, app.url, until, visits)) for n in range(VISITORS)
    ]
    choice = random.Random(SEED)
    weights: list[Weight] = []
    while time.monotonic() < until:
        _, begin = choice.choice(faults(app, web))
        begin()
        await asyncio.sleep(choice.uniform(0.5, 3))
        app.search.script, web.answer, app.model.brain = healthy, None, telltale
        await asyncio.sleep(choice.uniform(1, 4))
        weights.append(Weight.of(pid))
    await asyncio.gather(*visitors)

    assert visits.wrong == []
    assert visits.asked == visits.whole + visits.told
    assert visits.whole > visits.asked / 3
    assert visits.whole > VISITORS
    assert visits.waited
    assert visits.spared
    assert max(weight.workers for weight in weights) <= 3
    half = weights[len(weights) // 2]
    assert weights[-1].memory < half.memory * 1.15
    assert weights[-1].files < half.files + 6 * VISITORS
    print(visits, weights[0], half, weights[-1])  # noqa: T201  for `pytest -s`
    assert "Traceback" not in app.app.log

    after = Visits()
    for n in range(3):
        async with Tab(app.url) as tab:
            await tab.open()
            await tab.ask(f"请查 canary-99-{n}")
            after.whole += END in tab.answer and "3 条结果" in str(tab.steps)
    assert after.whole == 3
