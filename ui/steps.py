"""The steps above an answer or a report: their drawer, and the words they share."""

from dataclasses import dataclass
from typing import Final

import chainlit as cl
from chainlit.utils import utc_now

from ui.texts import text

QUERY_SHOWN: Final = 60
_TOO_SHORT_TO_COUNT: Final = 100  # milliseconds


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


def joined(*parts: str) -> str:
    """The parts that are not empty, as one line."""
    return " · ".join(filter(None, parts))


def seconds(took_ms: int) -> str:
    """A duration in seconds."""
    return f"{took_ms / 1000:.1f} s" if took_ms >= _TOO_SHORT_TO_COUNT else "<0.1 s"


def search_line(
    query: str,
    count: int,
    engine: str,
    took_ms: int,
    language: str,
    *,
    is_cached: bool,
) -> str:
    """Count the results of *engine* for *query*, with the time they took."""
    line = text(
        "found" if count else "found_nothing",
        language,
        query=query,
        count=count,
        provider=engine,
        seconds=seconds(took_ms),
    )
    return joined(line, text("from_cache", language) if is_cached else "")


def pages_line(read: int, unread: int, took_ms: int, language: str) -> str:
    """Count the pages that were read, and those that could not be."""
    name = "read"
    if unread:
        name = "read_some" if read else "read_none"
    line = text(name, language, count=read, unread=unread)
    return joined(line, seconds(took_ms))
