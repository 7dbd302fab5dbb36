"""A report on one page: drawn from its progress until it is finished."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

import chainlit as cl

from agent import FileProblem
from agent.research import (
    Report,
    ReportRun,
    as_bundle,
    as_html,
    as_markdown,
    body,
    references,
    summary,
)
from citations import page_form
from citations.evidence import shared_words
from ui.answer.search_errors import failure
from ui.answer.streaming import PageConnection
from ui.report.drawn import DrawnButtons, DrawnMessage, id_of
from ui.report.steps import ReportSteps
from ui.server.settings import EvidenceMode
from ui.steps import DrawnStep
from ui.texts import text
from websearch.config import Settings

logger = logging.getLogger(__name__)

DRAW_SECONDS: Final = 0.2  # between two looks at the progress

_ICONS: Final = {
    "budget": "gauge",
    "plan": "list-checks",
    "search": "search",
    "reading": "book-open",
    "writing": "pen-line",
}


class ReportView:
    """
    The steps, the plan, the text and the files of a report on one page.

    A look at the progress five times a second draws what has changed, so that many
    pages at once don't make it restless. A page that reconnects gets everything again.
    """

    def __init__(
        self,
        run: ReportRun,
        settings: Settings,
        language: str,
        evidence: EvidenceMode,
        greet: Callable[[], Awaitable[None]],
    ) -> None:
        self.run = run
        self.adds_lines = False  # the next message of this tab is a line of the plan
        self._log_queries = settings.log_queries
        self._language = language
        self._evidence = evidence
        self._greet = greet
        self._views = ReportSteps(settings, language)
        self._connection = PageConnection(self._again)
        self._has_question = False
        self._is_idle = False
        self._edition: int  # of the report that is drawn
        self._begin()

    async def show_question(self) -> None:
        """Show the question of a report that another page has started."""
        self._has_question = True
        # Chainlit has no stop button on a page that has not asked anything yet.
        cl.context.session.has_first_interaction = True
        await cl.context.emitter.init_thread("report")
        question = DrawnMessage(id_of(self.run.id, "question"), is_question=True)
        await question.draw(self.run.report.question)

    async def show(self) -> bool:
        """Draw the report until it is finished; False if the page went away before."""
        while not await self._connection.is_gone():
            is_over = self.run.is_over
            for name, step in self._views.views(self.run, adds=self.adds_lines):
                await self._steps[name].draw(step)
            draft = self.run.draft
            is_open = draft is not None and draft.is_open
            await self._buttons.draw(draft if is_open else None)
            # The page can be used while it waits; Chainlit locks it while a task runs.
            if is_open is not self._is_idle:
                self._is_idle, emitter = is_open, cl.context.emitter
                await (emitter.task_end() if is_open else emitter.task_start())
            progress, report = self.run.progress, self.run.report
            if progress.edition != self._edition:
                self._edition = progress.edition
                words = await asyncio.to_thread(markdown_of, report, self._language)
                await self._message.draw(words)
                if self._evidence != "off":
                    evidence = await asyncio.to_thread(
                        evidence_of, report, self._message.id, self._language
                    )
                    await cl.send_window_message(evidence)
                if progress.finished:
                    await self._send_files(report)
            if is_over and self._connection.is_there:
                return True
            await asyncio.sleep(DRAW_SECONDS)
        return False

    def _begin(self) -> None:
        """Begin with a page that shows nothing of the report."""
        key = self.run.id
        self._steps = {
            name: DrawnStep(icon, id_of(key, name)) for name, icon in _ICONS.items()
        }
        self._buttons = DrawnButtons(key, id_of(key, "plan"), self._language)
        self._message = DrawnMessage(id_of(key, "report"))
        self._unwritten = DrawnMessage(id_of(key, "unwritten"))
        self._edition = 0

    async def _again(self) -> None:
        """Draw all of it for a page that has lost what was sent to it."""
        if cl.context.current_run:
            await cl.context.current_run.send()
        await self._greet()
        if not self._is_idle:
            await cl.context.emitter.task_start()
        if self._has_question:
            await self.show_question()
        self._begin()

    async def _send_files(self, report: Report) -> None:
        def written() -> dict[str, str]:
            bundle = as_bundle(self.run, log_queries=self._log_queries)
            return {
                "report.md": as_markdown(report),
                "report.html": as_html(report),
                "bundle.json": json.dumps(bundle, ensure_ascii=False, indent=2),
            }

        files = await asyncio.to_thread(written)
        try:
            # The folder is gone where somebody has swept up old files.
            cl.context.session.files_dir.mkdir(parents=True, exist_ok=True)
            for name, content in files.items():
                file = cl.File(
                    id=id_of(self.run.id, name),
                    name=name,
                    content=content.encode(errors="replace"),
                    display="inline",
                    mime="application/octet-stream",  # is stored, never opened here
                )
                await file.send(for_id=self._message.id)
        except OSError as error:
            problem = FileProblem.of(error)
            logger.error("The files of a report were not written: %s", problem)  # noqa: TRY400  its text has a path
            await self._unwritten.draw(failure(problem, self._language))


def markdown_of(report: Report, language: str) -> str:
    """The whole message: sections, references, the spent budget."""
    image = f"[{text('image_blocked', language)}]"
    linked = page_form(body(report), report.sources, image=image)
    parts = [linked.strip("\n"), references(report, heading="####")]
    if report.ended is not None:
        parts.append(f"*{summary(report)}*")
    return "\n\n".join(part for part in parts if part)


def evidence_of(report: Report, message_id: str, language: str) -> dict[str, Any]:
    """The message to the page's script: the sentence behind each citation, in order."""
    citations = [
        {
            "number": number,
            "quote": (quote := statement.evidence.get(number, "")),
            "kind": text(
                "full_text" if report.is_read(number) else "snippet", language
            ),
            "shared": shared_words(statement.text, quote),
            "missing": [],
            "values": [],
        }
        for statement in report.statements
        for number in statement.numbers
        if number in report.sources
    ]
    return {"type": "websearch:evidence", "id": message_id, "citations": citations}
