"""A report can be followed by several views, and its plan can be changed."""

import asyncio
from contextlib import aclosing

import pytest
from support.research_reports import check_report, finished, of_kind, reported
from support.research_web import ResearchWeb
from support.waiting import wait_until
from support.world import World

from agent.research import (
    GatheringEnded,
    Origin,
    PageEnded,
    PageStarted,
    PlanDecided,
    PlanProposed,
    QueryEnded,
    QueryStarted,
    ReportEvent,
    ReportFinished,
    ReportQuoted,
    ReportRun,
    ReportStarted,
    SectionQuoted,
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
    run = w.without_model().report(QUESTION)

    one, other = await asyncio.gather(finished(run), finished(run))

    assert one == other == [*run.events]


@pytest.mark.parametrize("moment", range(1, 40, 4))
async def test_a_view_that_comes_back(w: World, moment: int) -> None:
    """A view that was gone at any moment sees all events from the first on."""
    run = w.without_model().report(QUESTION)
    seen = await first(run, moment)

    again = await finished(run)

    assert again[: len(seen)] == seen
    assert isinstance(again[-1], ReportFinished)


async def test_a_view_after_the_end(w: World) -> None:
    run = await reported(w.without_model(), QUESTION)

    assert await finished(run) == [*run.events]


async def test_a_report_goes_on_while_nobody_looks(w: World, web: ResearchWeb) -> None:
    run = w.without_model().report(QUESTION)
    await first(run, 3)

    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, wait_until, lambda: run.is_over, "the report")

    check_report(run, web)


@pytest.mark.spec("Q1")
async def test_each_step_has_its_time_and_count(w: World) -> None:
    """Plan, searches, pages, writing; the budget is told before all of them."""
    run = await reported(w.without_model(), QUESTION)

    kinds = list(dict.fromkeys(type(event) for event in run.events))
    assert kinds[:3] == [ReportStarted, PlanDecided, QueryStarted]
    assert kinds[-4:] == [GatheringEnded, SectionQuoted, ReportQuoted, ReportFinished]
    started, ended = of_kind(run, QueryStarted), of_kind(run, QueryEnded)
    assert {e.call for e in started} == {e.call for e in ended} == {0, 1, 2}
    assert all(e.took_ms >= 0 and e.provider == "searxng" for e in ended)
    assert sum(e.new for e in ended) <= sum(e.found for e in ended)
    opened, read = of_kind(run, PageStarted), of_kind(run, PageEnded)
    assert {e.call for e in opened} == {e.call for e in read}
    assert all(bool(e.characters and e.digest) is (e.error is None) for e in read)
    (begun,) = of_kind(run, ReportStarted)
    assert begun.budget == run.report.budget
    assert run.report.spent.searches == len(ended)
    assert run.report.spent.pages == len(read)


async def test_the_plan_starts_by_itself(w: World) -> None:
    run = await reported(w.without_model(), QUESTION, plan_seconds=0.05)

    (proposed,) = of_kind(run, PlanProposed)
    (decided,) = of_kind(run, PlanDecided)
    assert decided.plan == proposed.plan


async def test_the_user_changes_the_plan(w: World, web: ResearchWeb) -> None:
    """Lines are struck and added; each added one is searched and has its section."""
    run = w.without_model().report(QUESTION, plan_seconds=1000)
    async for event in run.follow():
        if isinstance(event, PlanProposed):
            kept = event.plan.lines[0].text
            run.hold()
            run.decide([kept, "restaurant of the Lintow Tower", "  ", "\n"])

    (decided,) = of_kind(run, PlanDecided)
    assert decided.plan.origin is Origin.USER
    expected = [kept, "restaurant of the Lintow Tower"]
    assert [section.question for section in run.report.sections] == expected
    assert {e.query for e in of_kind(run, QueryEnded)} == {*expected}
    assert "140 seats" in " ".join(s.text for s in run.report.sections[1].statements)
    check_report(run, web)


async def test_a_plan_that_is_struck_altogether_stays(w: World) -> None:
    run = w.without_model().report(QUESTION, plan_seconds=1000)
    async for event in run.follow():
        if isinstance(event, PlanProposed):
            run.decide([])

    (decided,) = of_kind(run, PlanDecided)
    (proposed,) = of_kind(run, PlanProposed)
    assert decided.plan == proposed.plan


async def test_hold_waits_for_the_user(w: World) -> None:
    """The plan's time does not pass while it is held."""
    run = w.without_model().report(QUESTION, plan_seconds=0.2)
    async for event in run.follow():
        if isinstance(event, PlanProposed):
            run.hold()
            await asyncio.sleep(0.4)
            assert not of_kind(run, PlanDecided)
            run.decide(["height of the Lintow Tower"])

    assert [s.question for s in run.report.sections] == ["height of the Lintow Tower"]


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
