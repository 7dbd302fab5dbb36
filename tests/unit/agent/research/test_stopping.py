"""A report that is stopped at any moment ends at once, and can be read."""

import asyncio
from collections.abc import Iterator
from contextlib import aclosing

import pytest
import pytest_asyncio
from support.report.research_models import bad_models, hanging
from support.report.research_reports import check_report, finished, of_kind, reported
from support.report.research_web import ResearchWeb
from support.waiting import PATIENCE
from support.world import World

from agent.research import Ended, ReportRun
from agent.research.report import (
    PlanProposed,
    ReportFinished,
    ReportQuoted,
    RewritingStarted,
    SectionRewritten,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUESTION = "How high is the Lintow Tower, who designed it and what did it cost?"
PLAN = tuple(f"{what} of the Lintow Tower" for what in ("Height", "Architect", "Cost"))
MODELS = bad_models(*PLAN)
MOMENTS = 10


@pytest.fixture(autouse=True)
def obedient(w: World, web: ResearchWeb) -> Iterator[None]:
    w.model.brain = MODELS["obedient"]
    yield
    web.slow.set()
    web.held = frozenset()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def events(w: World) -> int:
    """The number of events of a whole run."""
    w.model.brain = MODELS["obedient"]
    return len((await reported(w.another().session, QUESTION)).events)


async def stopped_at(run: ReportRun, moment: int) -> None:
    """Stop *run* when this many events have come, and wait for its end."""
    async with asyncio.timeout(PATIENCE), aclosing(run.follow()) as events:
        count = 0
        async for _ in events:
            count += 1
            if count == moment:
                run.stop()


@pytest.mark.spec("Q1", "Q2")
@pytest.mark.parametrize("moment", range(MOMENTS))
async def test_stop_at_ten_moments(
    w: World, web: ResearchWeb, events: int, moment: int
) -> None:
    """Pages read until then are quoted, and quotations stay."""
    run = w.another().session.report(QUESTION)

    await stopped_at(run, 1 + (events - 1) * moment // MOMENTS)

    check_report(run, web)
    kinds = [type(event) for event in run.events]
    assert run.report.question == QUESTION
    assert run.report.sections
    if ReportQuoted in kinds:
        (quoted,) = of_kind(run, ReportQuoted)
        assert len(run.report.answered) == len(quoted.report.answered)


@pytest.mark.parametrize("seconds", [0.0, 0.1])
async def test_stop_by_the_clock_while_pages_never_come(
    w: World, web: ResearchWeb, seconds: float
) -> None:
    web.slow.clear()
    web.held = frozenset({"/tower/encyclopedia", "/tower/guide", "/tower/official"})
    run = w.another().session.report(QUESTION)

    asyncio.get_running_loop().call_later(seconds, run.stop)
    await finished(run)

    check_report(run, web)
    assert run.report.ended is Ended.STOPPED


async def test_stop_while_the_model_hangs(w: World, web: ResearchWeb) -> None:
    """The quoted report is there, and every section of it stays."""
    w.model.brain = hanging(*PLAN)
    run = w.another().session.report(QUESTION)
    async with asyncio.timeout(PATIENCE):
        async for event in run.follow():
            if isinstance(event, RewritingStarted):
                run.stop()

    check_report(run, web)
    (quoted,) = of_kind(run, ReportQuoted)
    assert run.report.sections == quoted.report.sections
    assert not of_kind(run, SectionRewritten)


async def test_stop_before_the_plan_makes_no_search(w: World, web: ResearchWeb) -> None:
    """Nothing is asked after the stop."""
    before = len(w.search.queries)
    run = w.without_model().report(QUESTION)
    run.stop()

    await finished(run)

    assert run.report.ended is Ended.STOPPED
    assert len(w.search.queries) == before
    assert run.report.sections
    check_report(run, web)


async def test_stop_again_and_again_changes_nothing(w: World, web: ResearchWeb) -> None:
    run = await reported(w.without_model(), QUESTION)
    report = run.report

    run.stop()

    assert run.report == report
    assert not run.is_stopped
    check_report(run, web)


async def test_close_ends_the_run_for_its_followers(w: World) -> None:
    """A view that waits is told the end, and not left waiting for ever."""
    run = w.without_model().report(QUESTION, plan_seconds=1000)
    following = asyncio.create_task(finished(run))
    async with aclosing(run.follow()) as events:
        async for event in events:
            if isinstance(event, PlanProposed):
                break

    await run.aclose()
    seen = await following

    assert run.is_over
    assert run.report.ended is Ended.STOPPED
    assert [type(event) for event in seen] == [PlanProposed, ReportFinished]


async def test_close_before_anything_has_begun(w: World) -> None:
    run = w.without_model().report(QUESTION)

    await run.aclose()

    assert [type(event) for event in await finished(run)] == [ReportFinished]
    assert run.report.sections == ()
