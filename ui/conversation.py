"""One conversation on the page: its messages, commands and settings panel."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Final, TypeAlias

import chainlit as cl

from agent import Mode, Resources, open_session
from ui.answer.completed import completed_text
from ui.answer.draw import draw
from ui.answer.evidence import AnswerEvidence, SourceTexts
from ui.panel.commands import Command, parse, report_question
from ui.panel.panel import Panel
from ui.report.registry import Reports
from ui.report.tab import ReportTab
from ui.server.settings import EvidenceMode
from ui.status import full_report
from ui.texts import text
from untrusted.text import clean_text, one_line, shown
from websearch.doctor import Diagnosis

MAX_MESSAGE: Final = 20_000

Doctor: TypeAlias = Callable[[], Awaitable[Sequence[Diagnosis]]]

_STOP_SECONDS: Final = 5


class Conversation:
    """A session with its panel and its language."""

    def __init__(
        self,
        resources: Resources,
        language: str,
        doctor: Doctor,
        evidence: EvidenceMode = "sentence",
        texts: SourceTexts | None = None,
        *,
        reports: Reports | None = None,
    ) -> None:
        self._doctor = doctor
        self._settings = resources.settings
        self._budget = resources.research.model_dump()
        self._session = open_session(resources)
        self._language = language
        self._panel = Panel(self._session, language, evidence)
        self._texts = texts or SourceTexts()
        self._report = ReportTab(
            self._session, resources, language, reports or Reports(), self._panel.open
        )
        self._running: asyncio.Task[Any] | None = None
        self._newest: object = None

    async def open(self, environ: Mapping[str, Any]) -> None:
        """Restore the saved preferences, show the panel, and a report that goes on."""
        if await self._report.detach() and self._running is not None:
            await asyncio.wait([self._running], timeout=_STOP_SECONDS)
        await self._panel.restore(environ)
        if self._report.is_found:
            self._running = asyncio.current_task()
            # A second connection of the page is greeted by the report.
            cl.context.session.chat_started = True
            try:
                await self._report.attach(self._panel.evidence)
            finally:
                cl.context.session.chat_started = False
                self._end()

    async def edit_settings(self, sent: Mapping[str, Any]) -> None:
        """Follow a change inside the open panel."""
        await self._panel.edit(sent)

    async def take_settings(self, sent: Mapping[str, Any]) -> None:
        """Take confirmed settings, and confirm them with a toast."""
        await self._panel.commit(sent)
        await cl.context.emitter.send_toast(self._panel.confirmation(), "success")

    async def receive(self, message: cl.Message) -> None:
        """Answer a message or run its command; a running answer is stopped first."""
        if await self._report.takes(message):
            return
        if await self._begin(message):
            try:
                await self._receive(message)
            finally:
                self._end()

    async def search_as_typed(self, action: cl.Action) -> None:
        """Answer a completed question again, with the user's own words searched."""
        question: Any = action.payload.get("question")
        if not isinstance(question, str) or not 0 < len(question) <= MAX_MESSAGE:
            return
        if not self._session.is_search_on:
            await cl.context.emitter.send_toast(self._panel.state(), "info")
            return
        await action.remove()
        await cl.context.emitter.task_start()
        try:
            if await self._begin(action):
                message = await cl.Message(question, type="user_message").send()
                # As for a message of the user: the steps belong to its run.
                async with cl.Step("on_message", type="run", parent_id=message.id):
                    await self._answer(question, as_typed=True)
        finally:
            self._end()
            # The stop button may be that of a newer message already.
            if self._newest is action or self._newest is None:
                await cl.context.emitter.task_end()

    async def change_plan(self, sent: Mapping[str, Any]) -> None:
        """Follow a button of a report's plan."""
        await self._report.change_plan(sent)

    def forget_report(self) -> None:
        """Stop the report of this tab, which new pages then don't show."""
        self._report.forget()

    async def stop(self) -> bool:
        """Stop the running answer; False if there is none."""
        self._newest = None
        return await self._end_running()

    async def aclose(self) -> None:
        """Stop the running answer, and free the session, which is over."""
        await self._report.detach()
        await self.stop()
        await self._session.aclose()

    async def _begin(self, newest: object) -> bool:
        """Stop the running answer; False if a newer message or a stop came then."""
        self._newest = newest
        await self._end_running()
        if self._newest is not newest:
            return False
        self._running = asyncio.current_task()
        return True

    def _end(self) -> None:
        if self._running is asyncio.current_task():
            self._running = None

    async def _end_running(self) -> bool:
        task = self._running
        if task is None or task is asyncio.current_task():
            return False
        if not task.cancelling():  # a second cancellation would interrupt its clean-up
            task.cancel()
        await asyncio.wait([task], timeout=_STOP_SECONDS)
        return True

    async def _receive(self, message: cl.Message) -> None:
        words, question = message.content, report_question(message.content)
        if question is None and message.command == text("report", self._language):
            question = words
        if question is not None:
            await self._panel.show_buttons()  # Chainlit has released that for search
            if not clean_text(question):
                await self._say("report_usage", **self._budget)
            elif len(question) > MAX_MESSAGE:
                await self._say("too_long", count=len(question), most=MAX_MESSAGE)
            else:
                await self._report.start(question, self._panel.evidence)
        elif (command := parse(words)) is not None:
            await self._run_command(command)
        elif not clean_text(words):
            await self._say("empty")
        elif len(words) > MAX_MESSAGE:
            await self._say("too_long", count=len(words), most=MAX_MESSAGE)
        else:
            pressed = message.command == text("search", self._language)
            # The state of the search button comes with each message.
            if (
                self._session.mode is Mode.CHAT
                and pressed is not self._session.is_search_on
            ):
                await self._panel.switch(on=pressed)
            await self._answer(words)

    async def _run_command(self, command: Command) -> None:
        if command is Command.DOCTOR:
            message = cl.Message(text("examining", self._language))
            await message.send()
            message.content = text("stopped_empty", self._language)
            try:
                message.content = full_report(self._language, await self._doctor())
            finally:
                await message.update()
            return
        is_chat = self._session.mode is Mode.CHAT
        if is_chat and command is not Command.STATE:
            await self._panel.switch(on=command is Command.ON)
        lines = [self._panel.state()]
        if is_chat and command is Command.STATE:
            lines += [*self._follow_ups(), text("search_usage", self._language)]
        await cl.Message("\n\n".join(lines)).send()

    def _follow_ups(self) -> list[str]:
        """The way follow-up questions are searched, and the last completed one."""
        chosen = text(f"follow_ups_{self._session.follow_ups}", self._language)
        lines = [f"{text('follow_ups_label', self._language)}: {chosen}"]
        if completion := self._session.completion:
            query = shown(one_line(completed_text(completion, self._language)))
            asked = shown(one_line(completion.asked))
            line = text("searched_for", self._language, query=query)
            lines.append(line + text("asked_for", self._language, asked=asked))
        return lines

    async def _answer(self, question: str, *, as_typed: bool = False) -> None:
        asked = self._session.ask(question, as_typed=as_typed)
        async with aclosing(asked) as events:
            mode = self._panel.evidence
            evidence = AnswerEvidence(self._texts, self._language, mode)
            await draw(events, self._language, self._settings, evidence, question)

    async def _say(self, name: str, **values: object) -> None:
        await cl.Message(text(name, self._language, **values)).send()
