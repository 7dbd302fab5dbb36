"""A step is sent once, and again only where it has changed."""

import pytest
from support.browser.screen import Screen

from ui.steps import DrawnStep, StepView

RUNNING = StepView("Searching …", is_running=True)


@pytest.mark.parametrize(
    ("view", "is_ended", "collapses"),
    [
        (StepView("Found 3", "results"), True, True),
        (StepView("Failed", "cause", is_open=True, is_error=True), True, False),
        (StepView("Plan", "hint", is_running=True, is_open=True), False, False),
    ],
    ids=["done", "failed", "waiting for the user"],
)
async def test_step(
    screen: Screen, view: StepView, is_ended: bool, collapses: bool
) -> None:
    """The same view draws nothing; another changes title, body and state."""
    step = DrawnStep("search", "an-id")
    for each in (RUNNING, RUNNING, view, view):
        await step.draw(each)

    assert screen.names == ["new_message", "update_message"]
    (shown,) = screen.steps
    assert (shown["id"], shown["metadata"]["icon"]) == ("an-id", "search")
    assert (shown["name"], shown["output"]) == (view.title, view.body)
    assert shown["isError"] is view.is_error
    assert bool(shown["end"]) is is_ended
    assert shown["autoCollapse"] is collapses
