"""A report on one page: drawn from its progress until it is finished."""

import asyncio
import json
import logging
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
    ending,
    file_name,
    references,
)
from citations import page_form
from citations.evidence import shared_words
from ui.answer.search_errors import failure
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
    pages at once don't make it restless. What a page misses that is away for a while is
    sent to it again by its session's mirror.
    """

    def __init__(
        self,
        run: ReportRun,
        settings: Settings,
        language: str,
        evidence: EvidenceMode,
    ) -> None:
        self.run = run
        self.adds_lines = False  # the next message of this tab is a line of the plan
        self._log_queries = settings.log_queries
        self._language = language
        self._evidence = evidence
        self._views = ReportSteps(settings, language)
        self._steps = {
            name: DrawnStep(icon, id_of(run.id, name)) for name, icon in _ICONS.items()
        }
        self._buttons = DrawnButtons(run.id, id_of(run.id, "plan"), language)
        self._message = DrawnMessage(id_of(run.id, "report"))
        self._is_idle = False
        self._edition = 0  # of the report that is drawn

    async def show(self) -> None:
        """Draw the report until it is finished."""
        is_over = False
        while not is_over:
            is_over = self.run.is_over
            for name, step in self._views.views(self.run, adds=self.adds_lines):
                await self._steps[name].draw(step)
            draft = self.run.draft
            is_open = draft is not None and draft.is_open
            await self._buttons.draw(draft if is_open else None)
            # The page can be used while it waits; Chainlit locks it while a task runs.
            if is_open is not self._is_idle:
                self._is_idle = is_open
                event = "task_end" if is_open else "task_start"
                await cl.context.emitter.emit(event, {"goes_on": True})
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
            if not is_over:
                await asyncio.sleep(DRAW_SECONDS)

    async def clear(self) -> None:
        """Take the steps off the page: after a reload they hang on no question."""
        for step in self._steps.values():
            await step.remove()

    async def _send_files(self, report: Report) -> None:
        def written() -> dict[str, tuple[str, str]]:
            """Content and step of each file: who looks for defects opens the budget."""
            bundle = as_bundle(self.run, log_queries=self._log_queries)
            encoded = json.dumps(bundle, ensure_ascii=False, indent=2)
            name, budget = file_name(report.question), id_of(self.run.id, "budget")
            return {
                f"{name}.md": (as_markdown(report), self._message.id),
                f"{name}.html": (as_html(report), self._message.id),
                "bundle.json": (encoded, budget),
            }

        files = await asyncio.to_thread(written)
        try:
            # The folder is gone where somebody has swept up old files.
            cl.context.session.files_dir.mkdir(parents=True, exist_ok=True)
            for name, (content, step_id) in files.items():
                file = cl.File(
                    id=id_of(self.run.id, name),
                    name=name,
                    content=content.encode(errors="replace"),
                    display="inline",
                    mime="application/octet-stream",  # is stored, never opened here
                )
                await file.send(for_id=step_id)
        except OSError as error:
            problem = FileProblem.of(error)
            logger.error("The files of a report were not written: %s", problem)  # noqa: TRY400  its text has a path
            unwritten = DrawnMessage(id_of(self.run.id, "unwritten"))
            await unwritten.draw(failure(problem, self._language))


def markdown_of(report: Report, language: str) -> str:
    """The whole message: title, sections, references, why it ended early."""
    image = f"[{text('image_blocked', language)}]"
    linked = page_form(body(report), report.sources, image=image)
    parts = [linked.strip("\n"), references(report, heading="####")]
    if early := ending(report):
        parts.append(f"*{early}*")
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
        for statement in (*report.key_points, *report.statements)
        for number in statement.numbers
        if number in report.sources
    ]
    return {"type": "websearch:evidence", "id": message_id, "citations": citations}
