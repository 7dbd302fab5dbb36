"""The parts of a report on the page; each is sent once, and later what has changed."""

from typing import Any, Final
from uuid import NAMESPACE_OID, UUID, uuid5

import chainlit as cl

from agent.research import PlanDraft
from ui.steps import current_run
from ui.texts import text

REPORT_ICON: Final = "scroll-text"
PLAN_ACTION: Final = "report_plan"  # the name of all buttons of a plan

_VERBS: Final = {  # label and icon
    "add": ("report_plan_add", "plus"),
    "start": ("report_plan_start", "play"),
    "cancel": ("report_plan_cancel", "square"),
}


def id_of(report: UUID, name: str) -> str:
    """The id of a part of a report; a page that has it already draws it anew."""
    return str(uuid5(NAMESPACE_OID, f"{report}/{name}"))


class DrawnMessage:
    """A message that follows its content."""

    def __init__(self, message_id: str, *, is_question: bool = False) -> None:
        self.id = message_id
        self._message = cl.Message(
            "",
            id=message_id,
            type="user_message" if is_question else "assistant_message",
            metadata={} if is_question else {"icon": REPORT_ICON},
        )

    async def draw(self, content: str) -> None:
        """Show the message with this content."""
        is_new, self._message.content = not self._message.content, content
        self._message.parent_id = current_run()
        await (self._message.send() if is_new else self._message.update())


class DrawnButtons:
    """
    The buttons below a proposed plan: one for each line, and add, start, cancel.

    `public/page.js` marks the lines that are struck.
    """

    def __init__(self, report: UUID, step_id: str, language: str) -> None:
        self._prefix = f"plan-{report.hex[:12]}"
        self._step_id = step_id
        self._language = language
        self._lines: list[cl.Action] = []
        self._verbs: list[cl.Action] = []
        self._struck: list[int] = []  # as the page marks them

    async def draw(self, draft: PlanDraft | None) -> None:
        """Show a button for each line, and the others at the end; none of no plan."""
        if draft is None:
            for action in (*self._lines, *self._verbs):
                await action.remove()
            self._lines, self._verbs = [], []
            return
        known = len(self._lines)
        lines = [
            self._action(f"line-{number}", line, "check", line=number)
            for number, line in enumerate(draft.lines[known:], start=known)
        ]
        if lines:  # the others go behind them
            for action in self._verbs:
                await action.remove()
            self._lines += lines
            self._verbs = [
                self._action(verb, text(label, self._language), icon)
                for verb, (label, icon) in _VERBS.items()
            ]
            for action in (*lines, *self._verbs):
                await action.send(self._step_id)
        struck = sorted(draft.struck)
        if lines or struck != self._struck:
            self._struck = struck
            marks = {"type": "websearch:plan", "id": self._prefix, "struck": struck}
            await cl.send_window_message(marks)

    def _action(self, name: str, label: str, icon: str, **line: int) -> cl.Action:
        payload: dict[str, Any] = {"do": "toggle" if line else name, **line}
        hint = text("report_plan_toggle", self._language) if line else ""
        return cl.Action(
            name=PLAN_ACTION,
            payload=payload,
            label=label,
            tooltip=hint,
            icon=icon,
            id=f"{self._prefix}-{name}",
        )
