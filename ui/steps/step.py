"""A step on the page: it is sent once, and later where it has changed."""

from dataclasses import dataclass

import chainlit as cl
from chainlit.utils import utc_now


@dataclass(frozen=True, slots=True)
class StepView:
    """Title, body and state of a step; at its end it collapses unless it is open."""

    title: str
    body: str = ""
    is_running: bool = False
    is_open: bool = False
    is_error: bool = False


class DrawnStep:
    """A step that follows its view; drawing the same view again sends nothing."""

    def __init__(self, icon: str, step_id: str | None = None) -> None:
        self._id = step_id
        self._icon = icon
        self._step: cl.Step | None = None
        self._view: StepView | None = None

    async def draw(self, view: StepView) -> None:
        """Show the step like this."""
        if view == self._view:
            return
        self._view = view
        is_new = self._step is None
        step = self._step = self._step or new_step(view.title, self._icon, self._id)
        step.name, step.output, step.is_error = view.title, view.body, view.is_error
        # Chainlit can collapse a drawn step, but not open it: each starts open.
        step.default_open, step.auto_collapse = True, not view.is_open
        if not view.is_running:
            step.end = step.end or utc_now()
        await (step.send() if is_new else step.update())


def new_step(title: str, icon: str, step_id: str | None = None) -> cl.Step:
    """A step that begins now; until its end the page shows that it is running."""
    step = cl.Step(name=title, type="tool", id=step_id, icon=icon, show_input=False)
    step.parent_id = current_run()
    step.start = utc_now()
    return step


def current_run() -> str | None:
    """The run of the handler; without a parent a step is drawn after the answer."""
    run = cl.context.current_run
    return run.id if run else None
