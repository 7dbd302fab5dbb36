"""The plan as the user changes it."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from agent.research import MOST_LINES
from ui.report import draft as module
from ui.report.draft import LONGEST_LINE, PlanDraft


class Run:
    """A run that notes what it is told."""

    def __init__(self) -> None:
        self.holds = 0
        self.decided: list[Sequence[str]] = []

    def hold(self) -> None:
        self.holds += 1

    def decide(self, lines: Sequence[str]) -> None:
        self.decided.append([*lines])


@pytest.fixture
def run() -> Run:
    return Run()


def drafted(run: Any, *lines: str) -> PlanDraft:
    return PlanDraft(lines or ("a", "b", "c"), run)


async def test_strike_and_take_back(run: Run) -> None:
    draft = drafted(run)

    assert draft.toggle(1)
    assert draft.kept == ["a", "c"]
    assert draft.toggle(1)
    assert draft.kept == ["a", "b", "c"]
    assert run.holds == 2
    draft.close()


@pytest.mark.parametrize("number", [-1, 3, 10**9])
async def test_no_such_line(run: Run, number: int) -> None:
    """A number that the page can't have sent changes nothing."""
    draft = drafted(run)

    assert draft.toggle(number)
    assert draft.kept == ["a", "b", "c"]
    assert run.holds == 0


async def test_add_lines(run: Run) -> None:
    draft = drafted(run)

    assert draft.add("  d \n\n\u202ee\n" + "x" * 9_999)
    assert draft.kept[:5] == ["a", "b", "c", "d", "e"]
    assert len(draft.kept[5]) == LONGEST_LINE
    draft.close()


async def test_a_full_plan(run: Run) -> None:
    """A plan takes eight lines; a struck one makes room, and finds none to return."""
    draft = drafted(run)

    assert not draft.add("\n".join("defghijkl"))
    assert len(draft.kept) == MOST_LINES
    assert draft.toggle(0)
    assert draft.add("m")
    assert not draft.toggle(0)
    assert len(draft.kept) == MOST_LINES
    draft.close()


async def test_start(run: Run) -> None:
    draft = drafted(run, "a")
    draft.toggle(0)
    assert not draft.start()
    draft.toggle(0)

    assert draft.start()
    assert run.decided == [["a"]]


async def test_a_held_plan_starts_in_the_end(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan that nobody comes back to does not wait for ever."""
    monkeypatch.setattr(module, "HOLD_SECONDS", 0)
    draft = drafted(run)
    draft.toggle(0)

    await asyncio.sleep(0.01)

    assert run.decided == [["b", "c"]]
