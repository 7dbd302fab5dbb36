"""One conversation on the page: its messages, commands and settings panel."""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from enum import StrEnum
from typing import Any, Final, TypeAlias

import chainlit as cl

from agent import ConversationState, Event, Mode, Resources, open_session
from ui.answer.again import Again, Asking, completed_text
from ui.answer.draw import AnswerPage, draw
from ui.answer.evidence import AnswerEvidence, SourceTexts
from ui.panel.panel import Panel
from ui.panel.pickers import How
from ui.report.registry import Reports
from ui.report.tab import ReportTab
from ui.server.browser_id import address
from ui.server.headers import is_local
from ui.server.settings import EvidenceMode
from ui.server.turns import LineIsFullError, Turns
from ui.status import full_report
from ui.texts import text
from untrusted.text import clean_text, one_line, shown
from websearch import VISITOR
from websearch.doctor import Diagnosis

MAX_MESSAGE: Final = 20_000

Doctor: TypeAlias = Callable[[], Awaitable[Sequence[Diagnosis]]]

MOST_EDITABLE: Final = 100  # questions; an older one is asked as a new one

_STOP_SECONDS: Final = 5


class Command(StrEnum):
    """Commands for the search switch and the doctor."""

    ON = "search on"
    OFF = "search off"
    STATE = "search"
    DOCTOR = "doctor"


def report_question(message: str) -> str | None:
    """The question after `/report`; '' without one, None if it is no such command."""
    found = re.match(r"\s*/report(?:\s+|$)", message, re.IGNORECASE)
    return message[found.end() :].strip() if found else None


def parse(message: str) -> Command | None:
    """The command in *message*; None if it is a question."""
    words = message.strip().lower()
    if not words.startswith("/") or "\n" in words:
        return None
    name = re.sub(r"\s+", " ", words[1:])
    return Command(name) if name in {*Command} else None


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
        turns: Turns | None = None,
    ) -> None:
        self._doctor = doctor
        self._resources = resources
        self._budget = resources.research.model_dump()
        self._session = open_session(resources)
        self._language = language
        self._panel = Panel(self._session, language, evidence)
        self._texts = texts or SourceTexts()
        self._report = ReportTab(
            self._session, resources, language, reports or Reports()
        )
        self._turns = turns or Turns(most=1)
        self._running: asyncio.Task[Any] | None = None
        self._newest: object = None
        self._before: dict[str, ConversationState] = {}  # by the id of each message
        self._reported = ""  # the message that asked for the newest report
        self._page: AnswerPage | None = None  # of an answer that broke off

    async def open(self, environ: Mapping[str, Any]) -> None:
        """Restore the saved preferences, show the panel, and a report that goes on."""
        run = self._report.found
        if run is None or run.is_over:
            await self._panel.restore(environ)
            return
        self._running = asyncio.current_task()
        # A page that connects twice gets from its mirror what was sent to the first.
        session = cl.context.session
        session.chat_started = session.has_first_interaction = True
        try:
            await self._panel.restore(environ)
            # Its question can be edited here too.
            self._reported = str(run.id)
            self._before[self._reported] = self._session.state
            await self._report.attach(run, self._panel.evidence)
        finally:
            self._end()

    async def show_choices(self) -> None:
        """Show panel and pickers as they are now: there may be other models."""
        await self._panel.open()

    async def take_settings(self, sent: Mapping[str, Any]) -> None:
        """Take the values of the panel, and confirm with a toast what has changed."""
        if changed := await self._panel.take(sent):
            words = text("saved", self._language, changed=changed)
            await cl.context.emitter.send_toast(words, "success")

    async def pick(self, sent: Mapping[str, Any]) -> None:
        """Take what was picked in the composer, and show it in the panel too."""
        await self._panel.pick(sent)

    async def receive(self, message: cl.Message) -> None:
        """Answer a message or run its command; a running answer is stopped first."""
        is_edited = message.id in self._before
        if not is_edited and await self._report.takes(message):
            return
        if await self._begin(message):
            try:
                if is_edited:
                    # Asked as the composer shows now; a report stays one.
                    is_report = self._reported == message.id
                    message.modes = None
                    message.command = How.REPORT if is_report else None
                    await self._return_to(message)
                self._keep_before(message)
                await self._receive(message)
            finally:
                self._end()

    async def ask_again(self, action: cl.Action) -> None:
        """Answer a question again, as the button below its answer says."""
        names = ("question", "how", "model")
        question, how, model = (action.payload.get(name) for name in names)
        if not isinstance(question, str) or not 0 < len(question) <= MAX_MESSAGE:
            return
        known = ["", None, *self._session.models]
        if not isinstance(how, str) or how not in {*Again} or model not in known:
            return
        if how == Again.AS_TYPED and not self._session.is_search_on:
            await cl.context.emitter.send_toast(self._panel.state(), "info")
            return
        await action.remove()
        await cl.context.emitter.task_start()
        try:
            if await self._begin(action):
                _name_visitor()
                if how == Again.GO_ON and self._page and self._session.can_go_on:
                    await self._draw(self._session.go_on(), self._page)
                    return
                message = await cl.Message(question, type="user_message").send()
                self._keep_before(message, self._session.state.without(question))
                # As for a message of the user: the steps belong to its run.
                async with cl.Step("on_message", type="run", parent_id=message.id):
                    await self._answer(question, Again(how), model or None)
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
        if await self._end_running():
            await cl.context.emitter.task_start()  # the end of the other has hidden it
        if self._newest is not newest:
            return False
        self._running = asyncio.current_task()
        return True

    def _keep_before(
        self, message: cl.Message, state: ConversationState | None = None
    ) -> None:
        """Keep the state before *message*, to which an edit of it returns."""
        self._before[message.id] = state or self._session.state
        if len(self._before) > MOST_EDITABLE:
            del self._before[next(iter(self._before))]

    async def _return_to(self, edited: cl.Message) -> None:
        """Forget the old words of a question, and all that was asked after it."""
        ids = [*self._before]
        asked_since = ids[ids.index(edited.id) + 1 :]
        self._session.return_to(self._before[edited.id])
        for each in asked_since:
            del self._before[each]
        if self._reported in {edited.id, *asked_since}:
            self._report.forget()
        await self._report.clear(edited.id)
        shown = cl.chat_context.get()
        at = next(n for n, one in enumerate(shown) if one.id == edited.id)
        # The old words last: an edit that comes meanwhile begins at them as well.
        for later in reversed(shown[at:]):
            if later.id != edited.id:
                await later.remove()
            elif later is not edited:
                cl.chat_context.remove(later)

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
        _name_visitor()
        await self._panel.follow(message)
        words, question = message.content, report_question(message.content)
        listed = message.command or ""  # chosen in the list that "/" opens
        if listed in {*Command} and words:
            await self._run_command(Command(listed))
        elif listed in {*Command}:
            message.content = words = f"/{listed}"
            await message.update()
        if self._panel.how is How.REPORT and question is None and not parse(words):
            question = words
        if question is not None:
            await self._panel.begin_report()
            self._reported = message.id
            if not clean_text(question) and (kept := self._report.found):
                message.content = kept.report.question
                await message.update()
                await self._report.show(kept, self._panel.evidence)
            elif not clean_text(question):
                await self._say("report_usage", **self._budget)
            elif len(question) > MAX_MESSAGE:
                await self._say("too_long", most=MAX_MESSAGE)
            else:
                await self._report.start(question, self._panel.evidence)
        elif (command := parse(words)) is not None:
            await self._run_command(command)
        elif not clean_text(words):
            await self._say("empty")
        elif len(words) > MAX_MESSAGE:
            await self._say("too_long", most=MAX_MESSAGE)
        else:
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
        is_chat = self._session.state.mode is Mode.CHAT
        if is_chat and command is not Command.STATE:
            await self._panel.switch(on=command is Command.ON)
        lines = [self._panel.state()]
        if is_chat and command is Command.STATE:
            # How follow-up questions are searched, and the last one that was completed.
            chosen = text(f"follow_ups_{self._session.follow_ups}", self._language)
            lines.append(f"{text('follow_ups_label', self._language)}: {chosen}")
            if completion := self._session.completion:
                query = shown(one_line(completed_text(completion, self._language)))
                line = text("searched_for", self._language, query=query)
                asked = shown(one_line(completion.asked))
                lines.append(line + text("asked_for", self._language, asked=asked))
            lines.append(text("search_usage", self._language))
        await cl.Message("\n\n".join(lines)).send()

    async def _answer(
        self, question: str, how: Again | None = None, model: str | None = None
    ) -> None:
        """Draw an answer to *question*."""
        agent, chat = how is Again.AS_AGENT, how is Again.AS_CHAT
        asking = self._asking(question, model)
        page = AnswerPage(
            self._language, self._resources.settings, self._evidence(), asking
        )
        events = self._session.ask(
            question,
            again=how is not None,
            as_typed=how is Again.AS_TYPED,
            mode=Mode.AGENT if agent else Mode.CHAT if chat else None,
            search=True if chat else None,
            model=model,
            is_busy=self._turns.is_busy,
        )
        await self._draw(events, page)

    def _evidence(self) -> AnswerEvidence:
        return AnswerEvidence(self._texts, self._language, self._panel.evidence)

    def _asking(self, question: str, model: str | None) -> Asking:
        """A question, who answers it, and who else could."""
        session = self._session
        name = model or session.model
        is_chat = session.state.mode is Mode.CHAT
        return Asking(
            question,
            name,
            [other for other in session.models if other != name],
            can_be_agent=bool(name) and is_chat and session.can_search(""),
        )

    async def _draw(
        self, events: AsyncGenerator[Event, None], page: AnswerPage
    ) -> None:
        """Draw *events* when it is their turn; an answer that broke off goes on."""
        waiting: cl.Message | None = None

        async def tell(before: int) -> None:
            nonlocal waiting
            words = text("waiting", self._language, count=before + 1)
            if waiting is None:
                waiting = await cl.Message(words).send()
            else:
                waiting.content = words
                await waiting.update()

        try:
            async with self._turns.turn(VISITOR.get(), tell):
                if waiting is not None:
                    await waiting.remove()
                    waiting = None
                self._page = None
                try:
                    async with aclosing(events):
                        if page.is_cut:
                            await page.reopen(self._evidence())
                        await draw(events, page)
                finally:
                    self._page = page if page.is_cut else None
        except LineIsFullError:
            await self._say("line_full")
        except asyncio.CancelledError:
            if waiting is not None:
                waiting.content = text("stopped_empty", self._language)
                await waiting.update()
            raise

    async def _say(self, name: str, **values: object) -> None:
        await cl.Message(text(name, self._language, **values)).send()


def _name_visitor() -> None:
    """Tell the searches that follow whose they are; nobody's at this machine."""
    visitor = address(cl.context.session.environ)
    VISITOR.set("" if is_local(visitor) else visitor)
