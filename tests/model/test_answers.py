"""The chain with a real model: what must hold whatever it writes."""

import asyncio
import json
import re

import pytest
from support import command
from support.model.real_model import QUESTIONS, beside, cancelled, until_idle, wire
from support.pages.pages_web import PagesWeb
from support.report.research_web import stands_on
from support.world import answer_of, kinds

from agent import Mode
from agent.events import (
    Event,
    Notice,
    ReadingFinished,
    SearchFinished,
    SearchStarted,
    Token,
)
from agent.research import Budget
from benchmarks.models import Llama

pytestmark = pytest.mark.slow


@pytest.mark.spec("Y1", "Y5")
@pytest.mark.parametrize("language", QUESTIONS)
async def test_chat_mode(language: str, server: Llama, web: PagesWeb) -> None:
    """The pages are found and read, and every word of the stream is in the answer."""
    with wire(server) as heard:
        async with beside(heard.base_url, web) as w:
            events = await w.ask(QUESTIONS[language])

    answer = answer_of(events)
    read = [page for e in events if isinstance(e, ReadingFinished) for page in e.pages]
    assert kinds(events)[0] is SearchStarted
    assert len(read) == 3
    assert all(page.page for page in read)
    assert "".join(e.text for e in events if isinstance(e, Token)) == heard.words
    assert answer.text == heard.words
    assert heard.asked == 1


@pytest.mark.spec("Y1")
async def test_follow_up(server: Llama, web: PagesWeb) -> None:
    """A follow-up is searched with words of the conversation, whoever completes it."""
    questions = ("When did Pelmar Bridge open?", "How long is it?")
    async with beside(server.base_url, web, model={"FOLLOW_UPS": "auto"}) as w:
        first = answer_of(await w.ask(questions[0]))
        events = await w.ask(questions[1])

    answer_of(events)
    searched = [e.query for e in events if isinstance(e, SearchStarted)][-1]
    known = " ".join([*questions, first.text]).lower()
    assert [
        word for word in re.findall(r"\w+", searched.lower()) if word not in known
    ] == []


@pytest.mark.spec("Y1")
async def test_agent_mode(server: Llama, web: PagesWeb) -> None:
    """An answer is never shown without a search and without a notice."""
    async with beside(server.base_url, web, mode=Mode.AGENT) as w:
        events = await w.ask(QUESTIONS["en"])

    answer_of(events)
    assert any(isinstance(event, SearchFinished | Notice) for event in events)


@pytest.mark.spec("Y1")
async def test_report(server: Llama, web: PagesWeb) -> None:
    """A report ends, and each of its sentences stands on the pages it cites."""
    budget = Budget(searches=2, pages=3, seconds=60, tokens=2_000)
    async with beside(server.base_url, web) as w:
        run = w.session.report("How deep is Lake Orvane?", budget)
        async with asyncio.timeout(600):
            report = await run.wait()

    statements = [s for section in report.sections for s in section.statements]
    assert statements
    for statement in statements:
        assert set(statement.numbers) <= report.sources.keys()
        assert all(
            stands_on(statement.evidence[n], report.sources[n].text)
            for n in statement.numbers
        )


def has_begun(events: list[Event]) -> bool:
    return any(isinstance(event, Token) for event in events)


@pytest.mark.spec("Y5")
@pytest.mark.parametrize("moment", ["reading", "writing"])
async def test_stop(moment: str, server: Llama, web: PagesWeb) -> None:
    """A stopped answer ends on the server too, and the next question is answered."""
    async with beside(server.base_url, web) as w:
        await cancelled(
            w,
            QUESTIONS["zh"],
            has_begun if moment == "writing" else lambda _: server.is_busy,
        )
        await until_idle(server)
        w.session.choose(Mode.CHAT, search=False)
        events = await w.ask("Hello!")

    answer_of(events)


async def test_asked_again(server: Llama, web: PagesWeb) -> None:
    """A question that is asked again has the same prompt, which is read only once."""
    with wire(server) as heard:
        async with beside(heard.base_url, web) as w:
            first = answer_of(await w.ask(QUESTIONS["en"]))
            async for _ in w.session.ask(QUESTIONS["en"], again=True, as_typed=True):
                pass

    cached = re.findall(rb'"cached_tokens":(\d+)', heard.received)
    assert int(cached[-1]) >= 0.9 * first.usage["input_tokens"]


def test_command_line(server: Llama) -> None:
    """`ask` prints an answer with offline samples."""
    done = command.run(
        "ask",
        "What is this app?",
        module="agent",
        OPENAI_BASE_URL=server.base_url,
        WEB_SEARCH_BACKEND="stub",
        WEB_READ_CHARS="1000",
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_doctor(server: Llama) -> None:
    """The doctor finds the server's model without a name in the settings."""
    done = command.run(
        "doctor",
        "--json",
        module="agent",
        OPENAI_BASE_URL=server.base_url,
        WEB_SEARCH_BACKEND="stub",
    )

    found = json.loads(done.stdout)["model"]["findings"]
    assert "model_ready" in [finding["problem"] for finding in found]
    assert done.returncode == 0
