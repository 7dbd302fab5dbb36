"""The report of one tab: started here, or found again after a reload."""

import asyncio
from collections.abc import Mapping
from typing import Any

import chainlit as cl

from agent import Resources, Session
from agent.research import MOST_LINES, PlanDraft, ReportRun
from ui.report.drawn import DrawnMessage
from ui.report.registry import Reports
from ui.report.view import ReportView
from ui.server.browser_id import browser_id
from ui.server.settings import EvidenceMode
from ui.texts import text

PLAN_SECONDS = 10  # to change the plan on the page, before it starts by itself


class ReportTab:
    """Shows the report of its browser, and takes the user's changes of its plan."""

    def __init__(
        self,
        session: Session,
        resources: Resources,
        language: str,
        reports: Reports,
    ) -> None:
        self._session = session
        self._resources = resources
        self._language = language
        self._reports = reports
        self._view: ReportView | None = None
        self._started: ReportRun | None = None  # by this tab
        self._drawing: asyncio.Task[None] | None = None

    @property
    def found(self) -> ReportRun | None:
        """The report of this browser, if this tab does not show it."""
        run = self._reports.of(_owner())
        return None if self._view is not None and self._view.run is run else run

    async def start(self, question: str, evidence: EvidenceMode) -> None:
        """Start a report, and show it."""
        if self._reports.is_full(_owner()):
            await cl.Message(text("reports_full", self._language)).send()
            return
        run = self._session.report(question, plan_seconds=PLAN_SECONDS)
        self._started = run
        self._reports.add(_owner(), run)
        await self.show(run, evidence)

    async def attach(self, run: ReportRun, evidence: EvidenceMode) -> None:
        """Show a running report on a page that has just been opened."""
        await cl.context.emitter.task_start()
        # Chainlit has no stop button on a page that has not asked anything yet.
        await cl.context.emitter.init_thread("report")
        # A page can edit a message with a random id, as its own have.
        question = DrawnMessage(str(run.id), is_question=True)
        await question.draw(run.report.question)
        await self.show(run, evidence)

    async def show(self, run: ReportRun, evidence: EvidenceMode) -> None:
        """Show a report to its end; a stop keeps what is there."""
        settings = self._resources.settings
        self._view = ReportView(run, settings, self._language, evidence)
        self._drawing = drawing = asyncio.create_task(self._view.show())
        try:
            await asyncio.shield(drawing)
        except asyncio.CancelledError:
            if not drawing.done():  # else the page has gone, and the report goes on
                run.stop()
                await drawing
            raise

    async def detach(self) -> None:
        """Show the report no longer, while it goes on."""
        if self._drawing is not None and not self._drawing.done():
            self._drawing.cancel()
            await asyncio.wait([self._drawing])

    async def change_plan(self, sent: Mapping[str, Any]) -> None:
        """Follow a button of the plan."""
        view, draft = self._view, self._draft
        if view is None or draft is None:
            return
        match sent.get("do"), sent.get("line"):
            case "toggle", int(number):
                await self._say_if_full(draft.toggle(number))
            case "add", _:
                draft.hold()
                view.adds_lines = True
                await cl.send_window_message("websearch:write")
            case "start", _:
                draft.start()
            case "cancel", _:
                view.run.stop()

    async def takes(self, message: cl.Message) -> bool:
        """Add a message to the plan, if the user is adding lines; False if not."""
        draft = self._draft
        if self._view is None or draft is None or not self._view.adds_lines:
            return False
        await message.remove()
        await self._say_if_full(draft.add(message.content))
        return True

    async def clear(self, question: str) -> None:
        """Take the steps off a page that was opened anew with the *question*'s id."""
        if self._view is not None and str(self._view.run.id) == question:
            await self._view.clear()

    def forget(self) -> None:
        """Stop the report that this tab has started: its user begins a new chat."""
        run = self._reports.of(_owner())
        if run is not None and run is self._started and not run.is_over:
            self._reports.forget(_owner())

    @property
    def _draft(self) -> PlanDraft | None:
        """The plan that is shown, while it can be changed."""
        draft = self._view.run.draft if self._view else None
        return draft if draft is not None and draft.is_open else None

    async def _say_if_full(self, is_room: bool) -> None:
        if not is_room:
            words = text("report_plan_full", self._language, most=MOST_LINES)
            await cl.context.emitter.send_toast(words, "info")


def _owner() -> str:
    """The id of this browser; where it keeps no cookies, that of the tab."""
    session = cl.context.session
    return browser_id(session.environ) or session.id
