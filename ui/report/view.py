"""A report on one page: drawn from its progress until it is finished."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import chainlit as cl

from ui.answer.streaming import PageConnection
from ui.report.drawn import DrawnMessage, DrawnStep, id_of
from ui.report.looks import Looks
from ui.report.message import ReportMessage
from ui.report.plan import PlanButtons
from ui.report.registry import BrowserReport
from ui.server.settings import EvidenceMode
from websearch.config import Settings

DRAW_SECONDS: Final = 0.2  # between two looks at the progress


class ReportView:
    """
    The steps, the plan and the text of a report on one page.

    A look at the progress five times a second draws what has changed, so that many
    pages at once don't make it restless. A page that reconnects gets everything again.
    """

    def __init__(
        self,
        report: BrowserReport,
        settings: Settings,
        language: str,
        evidence: EvidenceMode,
        greet: Callable[[], Awaitable[None]],
    ) -> None:
        self.report = report
        self.adds_lines = False  # the next message of this tab is a line of the plan
        self._greet = greet
        self._looks = Looks(settings, language)
        self._connection = PageConnection(self._again)
        icons = {
            "budget": "gauge",
            "plan": "list-checks",
            "search": "search",
            "reading": "book-open",
            "writing": "pen-line",
        }
        self._steps = {
            name: DrawnStep(id_of(report.key, name), icon)
            for name, icon in icons.items()
        }
        self._question: DrawnMessage | None = None
        plan_id = self._steps["plan"].id
        self._buttons = PlanButtons(report.key, plan_id, language)
        self._message = ReportMessage(
            report.key, language, evidence, log_queries=settings.log_queries
        )
        self._is_idle = False

    async def show_question(self) -> None:
        """Show the question of a report that another page has started."""
        await self._unlock_stop()
        question_id = id_of(self.report.key, "question")
        self._question = DrawnMessage(question_id, is_question=True)
        await self._question.draw(self.report.run.report.question)

    async def show(self) -> bool:
        """Draw the report until it is finished; False if the page went away before."""
        while not await self._connection.is_gone():
            is_over = self.report.progress.is_over
            await self._draw()
            if is_over and self._connection.is_there:
                return True
            await asyncio.sleep(DRAW_SECONDS)
        return False

    async def _draw(self) -> None:
        progress, report = self.report.progress, self.report.run.report
        await self._steps["budget"].draw(self._looks.budget(report))
        await self._draw_plan()
        if progress.queries:
            await self._steps["search"].draw(self._looks.search(progress, report))
        if progress.pages:
            await self._steps["reading"].draw(self._looks.reading(progress))
        if progress.writing.began is not None:
            is_stopped = self.report.is_stopped
            look = self._looks.writing(progress, report, is_stopped=is_stopped)
            await self._steps["writing"].draw(look)
        await self._message.draw(self.report)

    async def _draw_plan(self) -> None:
        progress, draft = self.report.progress, self.report.draft
        look = self._looks.plan(progress, draft, adds=self.adds_lines)
        await self._steps["plan"].draw(look)
        if progress.is_planning and draft is not None:
            await self._buttons.draw(draft)
        else:
            await self._buttons.remove()
        await self._free_page(progress.is_planning)

    async def _free_page(self, is_idle: bool) -> None:
        """Let the page be used while it waits; Chainlit locks it while a task runs."""
        if is_idle is not self._is_idle:
            self._is_idle = is_idle
            emitter = cl.context.emitter
            await (emitter.task_end() if is_idle else emitter.task_start())

    async def _unlock_stop(self) -> None:
        # Chainlit has no stop button on a page that has not asked anything yet.
        cl.context.session.has_first_interaction = True
        await cl.context.emitter.init_thread("report")

    async def _again(self) -> None:
        """Draw all of it for a page that has lost what was sent to it."""
        if cl.context.current_run:
            await cl.context.current_run.send()
        await self._greet()
        if not self._is_idle:
            await cl.context.emitter.task_start()
        if self._question:
            await self._unlock_stop()
            await self._question.again()
        for step in self._steps.values():
            await step.again()
        await self._buttons.again()
        await self._message.again()
