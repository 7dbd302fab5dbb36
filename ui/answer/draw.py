"""Draw the events of an answer: steps, asides, the text as it comes, the sources."""

import asyncio
from collections.abc import AsyncIterator

import chainlit as cl

from agent import (
    Answer,
    Aside,
    Event,
    Failed,
    Notice,
    Recalled,
    SearchFailed,
    SearchFinished,
    SearchStarted,
    Thought,
    Token,
)
from ui.answer.markup import Markup
from ui.answer.presence import Presence
from ui.answer.search_errors import problem_note, trouble_of
from ui.answer.sources import Findings
from ui.answer.steps import SearchSteps, Thoughts
from ui.answer.streaming import Coalescer
from ui.texts import problem_text, text
from websearch.config import Settings


async def draw(events: AsyncIterator[Event], language: str, settings: Settings) -> None:
    """Show *events* as they come; a stopped answer keeps what was written."""
    page, presence = AnswerPage(language, settings), Presence()
    try:
        async for event in events:
            _heed_stop()
            if await presence.is_gone():
                await page.stop()
                return
            await page.show(event)
    except asyncio.CancelledError:
        await page.stop()
        raise
    except Exception:
        await page.give_up()
        raise


class AnswerPage:
    """The message that an answer becomes, and what stands before it."""

    def __init__(self, language: str, settings: Settings) -> None:
        self._language = language
        self._settings = settings
        self._findings = Findings(language)
        self._markup = Markup(language, self._findings)
        self._searches = SearchSteps(language)
        self._thoughts: Thoughts | None = None
        self._begin_message()
        self._is_complete = False

    async def show(self, event: Event) -> None:
        """Draw one event."""
        match event:
            case Recalled(sources):
                self._findings.recall(sources)
            case Notice():
                self._markup.notice(event)
            case SearchStarted() | SearchFinished() | SearchFailed():
                await self._show_search(event)
            case Thought() | Token() | Aside():
                await self._show_words(event)
            case Answer():
                await self._complete("")
            case Failed(problem):
                await self._complete(problem_text(problem, self._language))

    async def stop(self) -> None:
        """End what is open: no cursor goes on blinking, no step goes on running."""
        if not self._is_complete:
            name = "stopped" if self._markup.has_text else "stopped_empty"
            await self._complete(text(name, self._language), is_notice=False)

    async def give_up(self) -> None:
        """End what is open where something unforeseen happened."""
        if not self._is_complete:
            await self._complete(problem_text("unknown", self._language))

    async def _show_search(
        self, event: SearchStarted | SearchFinished | SearchFailed
    ) -> None:
        await self._end_thoughts()
        match event:
            case SearchStarted():
                self._findings.begin(event)
                await self._searches.start(event)
            case SearchFinished():
                self._findings.take(event)
                await self._searches.finish(event, self._found(event))
            case SearchFailed():
                trouble = trouble_of(event.error, self._settings, self._language)
                self._markup.fail(trouble)
                await self._searches.fail(event, trouble)

    async def _show_words(self, event: Thought | Token | Aside) -> None:
        if isinstance(event, Thought):
            await self._think(event.text)
            return
        await self._end_thoughts()
        if isinstance(event, Token):
            await self._stream.add(self._markup.feed(event.text))
        else:
            await self._close_message(self._markup.aside(event.text))
            self._begin_message()

    def _found(self, event: SearchFinished) -> str:
        """What a search found, for its step."""
        notes = [
            problem_note(error, event.provider, self._settings, self._language)
            for error in event.problems
        ]
        return "\n\n".join([self._findings.items(event.sources), *notes]).strip()

    async def _think(self, words: str) -> None:
        if self._thoughts is None:
            self._thoughts = Thoughts(self._language, self._markup.thoughts())
            await self._thoughts.begin()
        await self._thoughts.add(words)

    async def _end_thoughts(self) -> None:
        if self._thoughts is not None:
            await self._thoughts.end()
            self._thoughts = None

    async def _complete(self, closing: str, *, is_notice: bool = True) -> None:
        """Send the whole answer once more: links, notices and lists in one piece."""
        self._is_complete = True
        await self._end_thoughts()
        await self._searches.end()
        await self._close_message(self._markup.whole(closing, is_notice=is_notice))
        await self._searches.settle()  # last: the answer does not wait for it

    def _begin_message(self) -> None:
        self._message = cl.Message("")
        self._stream = Coalescer(self._message.stream_token)

    async def _close_message(self, content: str) -> None:
        """Give the message its final words; one that has none is taken away."""
        await self._stream.flush()
        self._message.content = content
        if self._stream.has_sent:
            await (self._message.update() if content else self._message.remove())
        elif content:
            await self._message.send()


def _heed_stop() -> None:
    """A library below may have swallowed the cancellation; the wish still stands."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
