"""The buttons below a proposed plan: one for each line, and add, start, cancel."""

from typing import Any, Final
from uuid import UUID

import chainlit as cl

from ui.report.draft import PlanDraft
from ui.texts import text

ACTION: Final = "report_plan"  # the name of all of them

_VERBS: Final = {  # label and icon
    "add": ("report_plan_add", "plus"),
    "start": ("report_plan_start", "play"),
    "cancel": ("report_plan_cancel", "square"),
}


class PlanButtons:
    """The buttons of one tab; `public/page.js` marks the lines that are struck."""

    def __init__(self, key: UUID, step_id: str, language: str) -> None:
        self._prefix = f"plan-{key.hex[:12]}"
        self._step_id = step_id
        self._language = language
        self._lines: list[cl.Action] = []
        self._verbs: list[cl.Action] = []
        self._told: list[int] = []

    async def draw(self, draft: PlanDraft) -> None:
        """Show a button for each line, those for all of them at the end."""
        new = draft.lines[len(self._lines) :]
        if new:
            await self._remove(self._verbs)
            for line in new:
                await self._send_line(line)
            await self._send_verbs()
        struck = sorted(draft.struck)
        if new or struck != self._told:
            self._told = struck
            await self._tell()

    async def again(self) -> None:
        """Send the buttons once more."""
        shown = [*self._lines, *self._verbs]
        for action in shown:
            await action.remove()
        for action in shown:
            await action.send(self._step_id)
        if shown:
            await self._tell()

    async def remove(self) -> None:
        """Take the buttons away; the plan is decided."""
        await self._remove(self._lines)
        await self._remove(self._verbs)

    async def _send_line(self, line: str) -> None:
        number = len(self._lines)
        action = cl.Action(
            name=ACTION,
            payload={"do": "toggle", "line": number},
            label=line,
            tooltip=text("report_plan_toggle", self._language),
            icon="check",
            id=f"{self._prefix}-line-{number}",
        )
        self._lines.append(action)
        await action.send(self._step_id)

    async def _send_verbs(self) -> None:
        for verb, (label, icon) in _VERBS.items():
            action = cl.Action(
                name=ACTION,
                payload={"do": verb},
                label=text(label, self._language),
                icon=icon,
                id=f"{self._prefix}-{verb}",
            )
            self._verbs.append(action)
            await action.send(self._step_id)

    async def _tell(self) -> None:
        message: dict[str, Any] = {
            "type": "websearch:plan",
            "id": self._prefix,
            "struck": self._told,
        }
        await cl.send_window_message(message)

    async def _remove(self, actions: list[cl.Action]) -> None:
        for action in actions:
            await action.remove()
        actions.clear()
