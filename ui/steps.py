"""The steps above an answer or a report: their drawer, and the words they share."""

from dataclasses import dataclass
from typing import Final
from uuid import uuid4

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
    """
    A step that follows its view; drawing the same view again sends nothing.

    It starts open, or *starts_closed* and is then opened by its reader alone.
    """

    def __init__(
        self, icon: str, step_id: str | None = None, *, starts_closed: bool = False
    ) -> None:
        self.id = step_id or str(uuid4())
        self._icon = icon
        self._starts_open = not starts_closed
        self._step: cl.Step | None = None
        self._view: StepView | None = None

    async def draw(self, view: StepView) -> None:
        """Show the step like this."""
        if view == self._view:
            return
        self._view = view
        is_new = self._step is None
        step = self._step = self._step or new_step(view.title, self._icon, self.id)
        step.name, step.output, step.is_error = view.title, view.body, view.is_error
        # Chainlit can collapse a drawn step, but not open it.
        step.default_open = self._starts_open
        step.auto_collapse = self._starts_open and not view.is_open
        step.end = None if view.is_running else step.end or utc_now()
        await (step.send() if is_new else step.update())

    async def remove(self) -> None:
        """Take the step off the page."""
        if self._step is not None:
            await self._step.remove()


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


def counted(name: str, count: int, language: str) -> str:
    """The text *name* with a count; a single one has words of its own."""
    return text(f"{name}_one" if count == 1 else name, language, count=count)


def search_line(
    count: int, engine: str, took_ms: int, language: str, *, is_cached: bool
) -> str:
    """Count the results of *engine*, with the time they took."""
    return joined(
        counted("results", count, language) if count else text("no_results", language),
        engine,
        text("from_cache", language) if is_cached else seconds(took_ms),
    )


def pages_line(read: int, unread: int, language: str) -> str:
    """Count the pages that were read, and those that could not be."""
    if not unread:
        return counted("read", read, language)
    name = "read_some" if read else "read_none"
    return text(name, language, count=read, unread=unread)
