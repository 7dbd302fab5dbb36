"""A report can be followed by several views, and goes on without any."""

import asyncio
from contextlib import aclosing

import pytest
from support.report.research_reports import (
    check_report,
    finished,
    of_kind,
    opened,
    read,
    reported,
    searched,
    searches,
)
from support.report.research_web import ResearchWeb
from support.world import World

from agent.events import SearchFinished, SearchStarted
from agent.research import ReportRun
from agent.research.report import (
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
    assert kinds[:2] == [PlanDecided, SearchStarted]
    assert kinds[-4:] == [GatheringEnded, SectionsQuoted, ReportQuoted, ReportFinished]
    ended = [one for one in searched(run) if isinstance(one, SearchFinished)]
    assert {one.call for one in searches(run)} == {"0", "1", "2"}
    assert {one.call for one in ended} == {"0", "1", "2"}
    assert all(one.provider == "searxng" for one in ended)
    assert all(0 <= (one.new or 0) <= len(one.sources) for one in ended)
    pages = read(run)
    assert {*opened(run)} == {one.source.url for one in pages}
    assert all(bool(one.digest) is (one.error is None) for one in pages)
    assert run.report.spent.searches == len(ended)
    assert run.report.spent.pages == len(pages)


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
