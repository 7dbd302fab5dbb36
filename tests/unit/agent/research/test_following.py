"""A report can be followed by several views, and goes on without any."""

import asyncio
from contextlib import aclosing

import pytest
from support.research_reports import (
    begun,
    check_report,
    ended,
    finished,
    of_kind,
    reported,
)
from support.research_web import ResearchWeb
from support.world import World

from agent.research import PageStep, ReportRun, SearchStep
from agent.research.events import (
    GatheringEnded,
    PlanDecided,
    PlanProposed,
    ReportEvent,
    ReportFinished,
    ReportQuoted,
    SectionsQuoted,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUESTION = "How high is the Lintow Tower, who designed it and what did it cost?"


async def first(run: ReportRun, count: int) -> list[ReportEvent]:
    """So many events; then the view is gone."""
    seen: list[ReportEvent] = []
    async with aclosing(run.follow()) as events:
        async for event in events:
            seen.append(event)
            if len(seen) == count:
                break
    return seen


async def test_two_views_see_the_same(w: World) -> None:
    """So does one that comes after the end."""
    run = w.without_model().report(QUESTION)

    one, other = await asyncio.gather(finished(run), finished(run))

    assert one == other == [*run.events] == await finished(run)


@pytest.mark.parametrize("moment", [1, 12, 30])
async def test_a_view_that_comes_back(w: World, web: ResearchWeb, moment: int) -> None:
    """The report went on meanwhile, and the view sees all events from the first on."""
    run = w.without_model().report(QUESTION)
    seen = await first(run, moment)

    await run.wait()

    check_report(run, web)
    again = await finished(run)
    assert again[: len(seen)] == seen
    assert isinstance(again[-1], ReportFinished)


@pytest.mark.spec("Q1")
async def test_each_step_has_its_time_and_count(w: World) -> None:
    """Plan, searches, pages, writing."""
    run = await reported(w.without_model(), QUESTION)

    kinds = list(dict.fromkeys(type(event) for event in run.events))
    assert kinds[:2] == [PlanDecided, SearchStep]
    assert kinds[-4:] == [GatheringEnded, SectionsQuoted, ReportQuoted, ReportFinished]
    searched = ended(run, SearchStep)
    assert {e.call for e in begun(run, SearchStep)} == {0, 1, 2}
    assert {e.call for e in searched} == {0, 1, 2}
    assert all(e.provider == "searxng" for e in searched)
    assert sum(e.new for e in searched) <= sum(e.found for e in searched)
    read = ended(run, PageStep)
    assert {e.call for e in begun(run, PageStep)} == {e.call for e in read}
    assert all(bool(e.characters and e.digest) is (e.error is None) for e in read)
    assert run.report.spent.searches == len(searched)
    assert run.report.spent.pages == len(read)


async def test_the_plan_starts_by_itself(w: World) -> None:
    run = await reported(w.without_model(), QUESTION, plan_seconds=0.05)

    (proposed,) = of_kind(run, PlanProposed)
    (decided,) = of_kind(run, PlanDecided)
    assert [line.text for line in decided.plan.lines] == proposed.draft.lines


async def test_two_reports_at_once_do_not_mix(w: World, web: ResearchWeb) -> None:
    """Each has its own pages, numbers, events and budget."""
    questions = (QUESTION, "Tell me about the water supply of Mirava")
    runs = [w.without_model().report(question) for question in questions]

    await asyncio.gather(*map(finished, runs))

    for run, question, own in zip(runs, questions, ("tower", "water"), strict=True):
        check_report(run, web)
        alone = await reported(w.without_model(), question)
        assert run.report.sections == alone.report.sections
        assert {*run.report.sources} == {*range(1, len(run.report.sources) + 1)}
        assert all(f"/{own}/" in one.url for one in run.report.sources.values())
        assert run.report.spent.pages == alone.report.spent.pages
