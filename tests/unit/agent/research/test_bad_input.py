"""Questions that are none, and engines and pages that fail: a report tells it."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.report.research_models import bad_models
from support.report.research_reports import (
    check_report,
    of_kind,
    paths,
    reported,
    searched,
    texts,
)
from support.report.research_web import ResearchWeb, made_pages, research_web
from support.servers.loopback import Answer
from support.sessions import offline_session
from support.world import World, world

from agent.events import ReadingFinished, SearchFailed
from agent.research import Budget, Ended
from agent.research.report import PlanDecided, ReportQuoted
from websearch import InvalidInput

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUESTION = "How high is the Lintow Tower, who designed it and what did it cost?"


@pytest.fixture(autouse=True)
def healthy_search(web: ResearchWeb) -> Iterator[None]:
    yield
    web.broken = None
    web.unresponsive = ()


@pytest.mark.parametrize("question", ["", "\u200b\n\t", "x" * 20_001])
async def test_a_question_that_is_none_is_refused(w: World, question: str) -> None:
    with pytest.raises(InvalidInput):
        w.without_model().report(question)


async def test_a_question_of_twenty_thousand_characters(
    w: World, web: ResearchWeb
) -> None:
    question = "林拓塔有多高？" * 2_850

    run = await reported(w.without_model(), question, budget=Budget(pages=3))

    check_report(run, web)
    (decided,) = of_kind(run, PlanDecided)
    assert 1 <= len(decided.plan.lines) <= 8


async def test_a_question_that_is_an_address(w: World, web: ResearchWeb) -> None:
    """Its page is read and quoted; nothing is searched, and no model plans."""
    before = len(w.search.queries), len(w.model.requests)

    run = await reported(w.without_model(), web.url("/tower/engineers"))

    check_report(run, web)
    assert (len(w.search.queries), len(w.model.requests)) == before
    assert [*paths(run.report).values()] == ["/tower/engineers"]
    assert "96 piles" in " ".join(texts(run.report))


async def test_a_question_with_an_address(w: World, web: ResearchWeb) -> None:
    """The page is read beside those that the search finds."""
    address = web.url("/tower/restaurant")

    run = await reported(
        w.without_model(), f"How many seats are in the restaurant, see {address}"
    )

    check_report(run, web)
    assert "140 seats" in " ".join(texts(run.report))
    assert sum(path == "/tower/restaurant" for path in paths(run.report).values()) == 1


@pytest.mark.spec("Q3")
async def test_nothing_to_find(w: World, web: ResearchWeb) -> None:
    question = "Who won the xylophone quidditch in Zzyzx?"

    run = await reported(w.without_model(), question)

    check_report(run, web)
    assert run.report.answered == []
    assert run.report.unanswered
    assert not run.report.sources
    assert run.report.ended is Ended.COMPLETE


@pytest.mark.spec("Q3")
async def test_a_part_that_no_page_answers(w: World, web: ResearchWeb) -> None:
    """It is told as not found, though all pages speak of its subject."""
    run = await reported(
        w.without_model(),
        "How high is the Lintow Tower, and which insurance does the Lintow Tower have?",
    )

    check_report(run, web)
    assert ["insurance" in one.question for one in run.report.sections] == [False, True]
    (unanswered,) = run.report.unanswered
    assert "insurance" in unanswered.question


@pytest.mark.spec("Q3")
async def test_every_search_fails(w: World, web: ResearchWeb) -> None:
    """No network: each query is told with its cause, and the report ends."""
    web.broken = Answer("bad gateway", 502)

    run = await reported(w.without_model(), f"{QUESTION} Now?")

    check_report(run, web)
    assert not run.report.answered
    assert run.report.ended is Ended.COMPLETE
    assert [*run.report.failed] == searched(run)
    assert all(isinstance(event, SearchFailed) for event in searched(run))


@pytest.mark.spec("Q3")
async def test_an_engine_that_fails_beside_others(w: World, web: ResearchWeb) -> None:
    """It is told once, though it fails in every search."""
    web.unresponsive = [["brave", "too many requests"]]

    run = await reported(w.without_model(), "Lintow Tower: height, cost, architect")

    check_report(run, web)
    assert run.report.answered
    assert len(run.report.partly) == 1
    assert not run.report.failed


@pytest.mark.spec("Q3")
async def test_pages_that_cannot_be_read_are_told_with_their_reason(
    w: World, web: ResearchWeb
) -> None:
    run = await reported(
        w.without_model(),
        "Members of the friends of the Lintow Tower; statistics of the Lintow Tower; "
        "塔友会会员页",
    )

    check_report(run, web)
    unread = run.report.unread
    codes = {one.source.url: one.error.detail_code for one in unread if one.error}
    assert codes[web.url("/tower/members")] == "login_required"
    assert codes[web.url("/tower/blocked")] == "http_403"
    assert web.url("/tower/denglu") in codes


async def test_all_pages_are_refused() -> None:
    """The snippets of the search are quoted, and marked as such."""
    pages = [replace(one, kind="refused") for one in made_pages("tower")]
    with research_web(pages) as web:
        async with world(web=web) as w:
            run = await reported(w.without_model(), QUESTION)

    check_report(run, web)
    assert run.report.answered
    assert not any(source.is_read for source in run.report.sources.values())
    assert len(run.report.unread) == run.report.spent.pages > 0


async def test_offline_samples_make_no_report() -> None:
    """It says so, and asks no model to write about them."""
    run = await reported(offline_session(), QUESTION)

    assert run.report.ended is Ended.SAMPLES
    assert not run.report.answered
    assert not run.report.sources
    assert not of_kind(run, ReportQuoted)


async def test_a_defect_while_searching_leaves_the_pages_that_were_read(
    w: World, web: ResearchWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = asyncio.Event()

    async def broken(*_: object) -> None:
        await read.wait()
        raise RuntimeError("defect")

    monkeypatch.setattr("agent.research.gather.Gathering._ask", broken)
    address = web.url("/tower/guide")

    run = w.without_model().report(f"How high is the Lintow Tower, see {address}")
    async for event in run.follow():
        if isinstance(event, ReadingFinished):
            read.set()

    assert run.report.ended is Ended.FAILED
    assert "318 metres" in " ".join(texts(run.report))


async def test_a_defect_while_rewriting_leaves_the_quotations(
    w: World, web: ResearchWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("defect")

    w.model.brain = bad_models("Height of the Lintow Tower")["obedient"]
    monkeypatch.setattr("agent.research.run.rewrite", broken)

    run = await reported(w.another().session, QUESTION)

    check_report(run, web)
    assert run.report.answered
