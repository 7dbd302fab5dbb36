"""The proposed plan of a report, as the user changes it."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from support.report.research_reports import of_kind
from support.sessions import offline_session

from agent.research import MOST_LINES, Ended, PlanDraft, ReportRun
from agent.research import plan as module
from agent.research.plan import Origin
from agent.research.report import PlanDecided, PlanProposed

THREE = "The height, cost and architect of the Lintow Tower"


@pytest.fixture
async def run() -> AsyncIterator[ReportRun]:
    """A report that waits for its user."""
    made = offline_session().report(THREE, plan_seconds=60)
    async for event in made.follow():
        if isinstance(event, PlanProposed):
            break
    yield made
    await made.aclose()


@pytest.fixture
def draft(run: ReportRun) -> PlanDraft:
    assert run.draft is not None
    return run.draft


async def searched(run: ReportRun) -> list[str]:
    """The lines of the plan that was decided."""
    await run.wait()
    (decided,) = of_kind(run, PlanDecided)
    assert [section.question for section in run.report.sections] == [
        line.text for line in decided.plan.lines
    ]
    return [line.text for line in decided.plan.lines]


async def test_the_user_changes_the_plan(run: ReportRun, draft: PlanDraft) -> None:
    """Struck lines go, unless they are taken back; added ones are cut and cleaned."""
    _, cost, architect = draft.lines
    assert all(draft.toggle(number) for number in (0, 1, 1))
    assert draft.add("  restaurant \n\n\u202efloors\n" + "x" * 9_999)
    assert draft.is_held
    draft.start()

    *told, long = await searched(run)

    assert told == [cost, architect, "restaurant", "floors"]
    assert len(long) == 200
    (decided,) = of_kind(run, PlanDecided)
    assert decided.plan.origin is Origin.USER
    assert not draft.is_open


@pytest.mark.parametrize("number", [-1, 3, 10**9])
async def test_no_such_line(draft: PlanDraft, number: int) -> None:
    """A number that the page can't have sent changes nothing."""
    assert draft.toggle(number)
    assert len(draft.kept) == 3
    assert not draft.is_held


async def test_a_full_plan(draft: PlanDraft) -> None:
    """A plan takes eight lines; a struck one makes room, and finds none to return."""
    assert not draft.add("\n".join("defghijkl"))
    assert len(draft.kept) == MOST_LINES
    assert draft.toggle(0)
    assert draft.add("m")
    assert not draft.toggle(0)
    assert len(draft.kept) == MOST_LINES


async def test_a_plan_without_a_line_does_not_start(draft: PlanDraft) -> None:
    for number in range(3):
        draft.toggle(number)
    draft.start()

    assert draft.is_open


async def test_a_held_plan_starts_in_the_end(
    run: ReportRun, draft: PlanDraft, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan that nobody comes back to does not wait for ever."""
    monkeypatch.setattr(module, "HOLD_SECONDS", 0.01)
    _, *kept = draft.lines
    draft.toggle(0)

    assert await searched(run) == kept


async def test_a_held_plan_without_a_line_ends_the_report(
    run: ReportRun, draft: PlanDraft, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "HOLD_SECONDS", 0.01)
    for number in range(3):
        draft.toggle(number)

    await run.wait()

    assert run.report.ended is Ended.STOPPED
    assert run.report.spent.searches == 0


async def test_a_held_plan_waits() -> None:
    """The plan's own time does not pass while it is held."""
    quick = offline_session().report(THREE, plan_seconds=0.05)
    async for event in quick.follow():
        if isinstance(event, PlanProposed):
            event.draft.hold()
            break
    await asyncio.sleep(0.1)

    assert not of_kind(quick, PlanDecided)
    await quick.aclose()
