"""The message with the report, which grows better section by section."""

import asyncio
import json
from uuid import UUID

import chainlit as cl

from agent.research import Report, as_bundle, as_html, as_markdown
from ui.report.drawn import DrawnMessage, id_of
from ui.report.registry import BrowserReport
from ui.report.text import evidence_of, markdown_of
from ui.server.settings import EvidenceMode


class ReportMessage:
    """The text of a report, its evidence, and at the end its files."""

    def __init__(
        self, key: UUID, language: str, evidence: EvidenceMode, *, log_queries: bool
    ) -> None:
        self._key = key
        self._language = language
        self._evidence = evidence
        self._log_queries = log_queries
        self._drawn = DrawnMessage(id_of(key, "report"))
        self._edition = 0
        self._report: Report | None = None
        self._files: list[cl.File] = []

    async def draw(self, current: BrowserReport) -> None:
        """Show the newest edition; with the last one come the files."""
        progress = current.progress
        if progress.edition == self._edition:
            return
        self._edition = progress.edition
        self._report = report = current.run.report
        words = await asyncio.to_thread(markdown_of, report, self._language)
        await self._drawn.draw(words)
        await self._tell_evidence(report)
        if progress.is_over:
            self._files = await asyncio.to_thread(self._made_files, current)
            await self._send_files()

    async def again(self) -> None:
        """Send everything once more."""
        await self._drawn.again()
        if self._report is not None:
            await self._tell_evidence(self._report)
        await self._send_files()

    async def _tell_evidence(self, report: Report) -> None:
        if self._evidence != "off":
            found = await asyncio.to_thread(
                evidence_of, report, self._drawn.id, self._language
            )
            await cl.send_window_message(found)

    async def _send_files(self) -> None:
        for file in self._files:
            await file.send(for_id=self._drawn.id)

    def _made_files(self, ended: BrowserReport) -> list[cl.File]:
        report, events = ended.run.report, ended.run.events
        bundle = as_bundle(report, events, log_queries=self._log_queries)
        contents = {
            "report.md": as_markdown(report),
            "report.html": as_html(report),
            "bundle.json": json.dumps(bundle, ensure_ascii=False, indent=2),
        }
        return [
            cl.File(
                id=id_of(self._key, name),
                name=name,
                content=content.encode(errors="replace"),
                display="inline",
                mime="application/octet-stream",  # is stored, never opened here
            )
            for name, content in contents.items()
        ]
