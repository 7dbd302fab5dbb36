"""Steps and messages that are sent once, and again after a lost connection."""

from typing import Final
from uuid import NAMESPACE_OID, UUID, uuid5

import chainlit as cl
from chainlit.utils import utc_now

from ui.report.looks import Look

REPORT_ICON: Final = "scroll-text"


def id_of(report: UUID, name: str) -> str:
    """The id of a part of a report; a page that has it already draws it anew."""
    return str(uuid5(NAMESPACE_OID, f"{report}/{name}"))


class DrawnStep:
    """A step that follows its look; only changes are sent."""

    def __init__(self, step_id: str, icon: str) -> None:
        self._id = step_id
        self._icon = icon
        self._step: cl.Step | None = None
        self._look: Look | None = None

    @property
    def id(self) -> str:
        """The id of the step on the page."""
        return self._id

    async def draw(self, look: Look) -> None:
        """Show the step with this look."""
        if look == self._look:
            return
        is_new = self._step is None
        step = self._step = self._step or self._made(look)
        self._look = look
        step.name, step.output, step.is_error = look.name, look.inside, look.is_error
        # Chainlit can collapse a drawn step, but not open it: each starts open.
        step.auto_collapse = not look.is_open
        if not (look.is_running or look.is_open):
            step.end = step.end or utc_now()
        await (step.send() if is_new else step.update())

    async def again(self) -> None:
        """Send the step once more."""
        if self._step is not None:
            await self._step.send()

    def _made(self, look: Look) -> cl.Step:
        step = cl.Step(
            name=look.name, type="tool", id=self._id, icon=self._icon, show_input=False
        )
        step.parent_id = _parent()
        step.default_open = True
        step.start = utc_now()  # until its end the page shows that it is running
        return step


class DrawnMessage:
    """A message that follows its content; only changes are sent."""

    def __init__(self, message_id: str, *, is_question: bool = False) -> None:
        self._message = cl.Message(
            "",
            id=message_id,
            type="user_message" if is_question else "assistant_message",
            metadata={} if is_question else {"icon": REPORT_ICON},
        )
        self._is_sent = False

    @property
    def id(self) -> str:
        """The id of the message on the page."""
        return str(self._message.id)

    async def draw(self, content: str) -> None:
        """Show the message with this content."""
        if content == self._message.content:
            return
        self._message.content = content
        self._message.parent_id = _parent()
        await (self._message.update() if self._is_sent else self._message.send())
        self._is_sent = True

    async def again(self) -> None:
        """Send the message once more."""
        if self._is_sent:
            await self._message.send()


def _parent() -> str | None:
    """The run of the handler; without a parent a step is drawn after the answer."""
    run = cl.context.current_run
    return run.id if run else None
