"""Draw the events of an answer: search steps, asides, streamed text, sources."""

import asyncio
import time
from collections.abc import AsyncIterator

import chainlit as cl

from agent import ModelProblem
from agent.events import (
    Answer,
    Aside,
    Event,
    Failed,
    Notice,
    NoticeKind,
    PageEnded,
    PromptCut,
    ReadingFinished,
    ReadingStarted,
    Recalled,
    SearchFailed,
    SearchFinished,
    SearchStarted,
    Thought,
    Token,
)
from ui.answer.again import Again, Asking, again, bar
from ui.answer.evidence import AnswerEvidence, Findings, Written
from ui.answer.markup import Markup
from ui.answer.search_errors import explain_error, model_failure, problem_note
from ui.answer.sources import AnswerSources
from ui.answer.steps import Thoughts, Work
from ui.answer.streaming import Coalescer
from ui.steps import joined, seconds
from ui.texts import text
from websearch.config import Settings


async def draw(events: AsyncIterator[Event], page: "AnswerPage") -> None:
    """Show *events* on *page* as they come; a stopped answer keeps its text."""
    try:
        async for event in events:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise asyncio.CancelledError  # which a library below has swallowed
            await page.show(event)
        await page.end()
    except asyncio.CancelledError:
        await page.stop()
        raise
    except Exception:
        await page.fail()
        raise


class AnswerPage:
    """The message of an answer, and the steps before it."""

    def __init__(
        self,
        language: str,
        settings: Settings,
        evidence: AnswerEvidence | None = None,
        asking: Asking | None = None,
    ) -> None:
        self._language = language
        self._settings = settings
        self._evidence = evidence
        self._asking = asking or Asking()
        self._began = time.monotonic()
        self._sources = AnswerSources(language)
        self._markup = Markup(language, self._sources)
        self._work = Work(language)
        self._thoughts: Thoughts | None = None
        self._ways: list[Again] = []  # other ways to ask, by what happened
        self._begin_message()
        self._closing = ""
        # Nothing is searched, read or recalled: the model answers alone.
        self._is_offline = bool(self._asking.model)
        self._failed = False  # the model, before its first word
        self._is_complete = False
        self.is_cut = False  # the answer has begun, and not ended

    async def reopen(self, evidence: AnswerEvidence) -> None:
        """Go on below the text of an answer that broke off."""
        await self._message.remove_actions()
        self._evidence, self._began = evidence, time.monotonic()
        self._closing, self._is_complete, self.is_cut = "", False, False
        self._message.actions, self._message.content = [], ""
        self._stream = Coalescer(self._send)
        await self._stream.add(self._markup.reopen())

    async def show(self, event: Event) -> None:  # noqa: C901, PLR0912, PLR0915  a case an event
        """Draw one event."""
        if not isinstance(event, Thought | Recalled | Notice):
            await self._end_thoughts()
        match event:
            case Recalled(sources):
                self._sources.recall(sources)
                self._is_offline = self._is_offline and not sources
            case Notice(NoticeKind.NO_SEARCH):
                self._is_offline = True
            case Notice(kind):
                self._markup.notice(event)
                if kind.is_unsourced:
                    self._ways = [Again.AS_CHAT]
            case SearchStarted():
                self._is_offline = False
                if event.completion:
                    self._ways = [Again.AS_TYPED]
                self._sources.begin(event)
                await self._work.start_search(event)
            case SearchFinished():
                self._sources.add(event)
                self._markup.finds_nothing = bool(self._asking.model)
                notes = [  # engines that failed beside it
                    problem_note(error, event.provider, self._settings, self._language)
                    for error in event.problems
                ]
                await self._work.finish_search(event, "\n\n".join(notes).strip())
            case SearchFailed():
                explanation = explain_error(event.error, self._settings, self._language)
                self._markup.fail(explanation)
                await self._work.fail_search(event, explanation)
            case ReadingStarted():
                self._is_offline = False
                await self._work.start_reading(event)
            case PageEnded():
                await self._work.end_page(event)
            case ReadingFinished():
                self._sources.read(event)
                await self._work.finish_reading(event)
            case PromptCut():
                await self._work.show_cut(event)
            case Thought(words):
                if self._thoughts is None:
                    self._thoughts = Thoughts(self._language, self._markup.thoughts)
                await self._thoughts.add(words)
            case Token(words):
                await self._work.rest()
                if not self._markup.has_text:
                    # A page that was still being opened has lost its stop button.
                    await cl.context.emitter.emit("task_start", {"goes_on": True})
                piece = self._markup.feed(words)
                await self._stream.add(piece)
                if self._evidence:
                    self._evidence.follow(piece, self._written, cl.send_window_message)
            case Aside(words):
                await self._take_back(self._markup.aside(words))
            case Answer():
                await self._complete("")
            case Failed(problem, address):
                notice = model_failure(problem, self._language, address)
                if self._markup.has_text:
                    self._closing, self.is_cut = notice, True
                else:
                    self._failed = True
                    self._markup.lead(notice)

    async def end(self) -> None:
        """Close the message where no complete answer has done so."""
        if not self._is_complete:
            await self._complete(self._closing)

    async def stop(self) -> None:
        """Close the message and the steps of a stopped answer."""
        if not self._is_complete:
            self.is_cut = self._markup.has_text
            name = "stopped" if self._markup.has_text else "stopped_empty"
            await self._complete(text(name, self._language), is_notice=False)

    async def fail(self) -> None:
        """Close the message and the steps after an unexpected error."""
        if not self._is_complete:
            await self._complete(model_failure(ModelProblem.UNKNOWN, self._language))

    async def _end_thoughts(self) -> None:
        if self._thoughts is not None:
            await self._thoughts.end()

    async def _complete(self, closing: str, *, is_notice: bool = True) -> None:
        """Close the message; a stop that comes now leaves no half of it."""
        self._is_complete = True
        closed = asyncio.create_task(self._close(closing, is_notice=is_notice))
        try:
            await asyncio.shield(closed)
        except asyncio.CancelledError:
            await closed
            raise

    async def _close(self, closing: str, *, is_notice: bool) -> None:
        """Replace the streamed text by the complete answer, with notices and lists."""
        await self._end_thoughts()
        await self._work.stop()
        findings: Findings | None = None
        if self._evidence and self._markup.has_text:
            self._markup.close()
            findings = await self._evidence.find(self._written())
        note = findings.note if findings else ""
        is_whole = self._markup.has_text and not (self.is_cut or self._failed)
        if self._is_offline and is_whole:
            self._ways = [Again.AS_CHAT]
            if not self._markup.has_notices:
                line = text(f"notice_{NoticeKind.NO_SEARCH}", self._language)
                note = f"{note}\n\n{line}"
        whole = self._markup.whole(closing, is_notice=is_notice, note=note)
        if self._asking.question and whole:
            ways = [again(how, self._asking, self._language) for how in self._ways]
            ways += bar(self._asking, self._language, is_cut=self.is_cut)
            self._message.actions = ways
        await self._close_message(whole)
        if self._asking.question and whole:
            await cl.send_window_message(self._facts())
        if findings:
            await cl.send_window_message(findings.message(self._message.id))

    def _written(self) -> Written:
        return Written(
            self._message.id,
            self._markup.linked,
            dict(self._sources.sources),  # read in a thread, while a search may end
            self._asking.question,
        )

    def _facts(self) -> dict[str, object]:
        """The message to the page with what made the answer, for its bar."""
        model = "" if self._failed else self._asking.model
        if self._markup.has_text and not model:
            model = text("no_model", self._language)
        count = self._sources.count
        took_ms = round((time.monotonic() - self._began) * 1000)
        return {
            "type": "websearch:answer",
            "id": self._message.id,
            "facts": joined(
                model,
                text("source_count", self._language, count=count) if count else "",
                seconds(took_ms),
            ),
            "failed": self._failed,
        }

    def _begin_message(self) -> None:
        self._message = cl.Message("")
        self._stream = Coalescer(self._send)
        self._is_taken_back = False

    async def _send(self, piece: str) -> None:
        """Stream a piece; the first after an aside takes its place."""
        is_first, self._is_taken_back = self._is_taken_back, False
        await self._message.stream_token(piece, is_sequence=is_first)

    async def _take_back(self, aside: str) -> None:
        """Move the text so far into the line of the work: it was an *aside*."""
        if aside:
            await self._work.add_aside(aside)
        if aside and self._work.has_begun:  # nothing moves until other text comes
            await self._stream.flush()
            self._is_taken_back = True
        else:
            await self._close_message("")
            self._begin_message()

    async def _close_message(self, content: str) -> None:
        """Give the message its final content; remove it if that is empty."""
        await self._stream.flush()
        self._message.content = content
        if self._stream.has_sent:
            await (self._message.update() if content else self._message.remove())
        elif content:
            await self._message.send()
