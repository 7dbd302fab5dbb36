"""Draw the events of an answer: steps, notices, the text as it comes, the sources."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

import chainlit as cl

from agent.events import (
    Answer,
    Event,
    Failed,
    SearchFailed,
    SearchFinished,
    SearchStarted,
    Thought,
    Token,
)
from citations import Linker
from ui.coalesce import Coalescer
from ui.markup import Markup
from ui.texts import problem_text, text
from websearch.settings import Settings

QUERY_SHOWN: Final = 60
RECONNECT_SECONDS: Final = 0.5  # until Chainlit has greeted the page that is back
TOO_SHORT_TO_COUNT: Final = 100  # milliseconds


async def draw(events: AsyncIterator[Event], language: str, settings: Settings) -> None:
    """Show *events* as they come; a stopped answer keeps what was written."""
    page = AnswerPage(language, settings)
    try:
        async for event in events:
            _heed_stop()
            await page.show(event)
    except asyncio.CancelledError:
        await page.stop()
        raise
    except Exception:
        await page.give_up()
        raise


class AnswerPage:
    """The message that an answer becomes, and the steps before it."""

    def __init__(self, language: str, settings: Settings) -> None:
        self._language = language
        self._markup = Markup(language, settings)
        self._message = cl.Message("")
        self._stream = Coalescer(self._message.stream_token)
        self._thoughts: Thoughts | None = None
        self._search: cl.Step | None = None
        self._is_complete = False
        self._socket = getattr(cl.context.session, "socket_id", None)
        self._say_again: float | None = None

    async def show(self, event: Event) -> None:
        """Draw one event."""
        await self._keep_stoppable()
        match event:
            case SearchStarted():
                await self._start_search(event)
            case SearchFinished():
                await self._finish_search(event)
            case SearchFailed():
                await self._fail_search(event)
            case Thought(words):
                await self._think(words)
            case Token(words):
                await self._end_thoughts()
                await self._stream.add(self._markup.feed(words))
            case Answer():
                await self._complete("")
            case Failed(problem):
                await self._complete(problem_text(problem, self._language))

    async def _keep_stoppable(self) -> None:
        """A page that was away for a moment is told by Chainlit that nothing runs."""
        now = asyncio.get_running_loop().time()
        socket = getattr(cl.context.session, "socket_id", None)
        if socket != self._socket:
            self._socket, self._say_again = socket, now + RECONNECT_SECONDS
        if self._say_again is not None and now >= self._say_again:
            self._say_again = None
            await cl.context.emitter.task_start()

    async def stop(self) -> None:
        """End what is open: no cursor goes on blinking, no step goes on running."""
        if not self._is_complete:
            name = "stopped" if self._markup.has_text else "stopped_empty"
            await self._complete(text(name, self._language), is_notice=False)

    async def give_up(self) -> None:
        """End what is open where something unforeseen happened."""
        if not self._is_complete:
            await self._complete(problem_text("unknown", self._language))

    async def _start_search(self, event: SearchStarted) -> None:
        name = self._say("searching", event.query)
        self._search = _step(name)
        await self._search.send()

    async def _finish_search(self, event: SearchFinished) -> None:
        self._markup.take_sources(event.sources)
        if not event.sources:
            name = "found_nothing"
        else:
            name = "found_cached" if event.cached else "found"
        await self._end_search(
            self._say(
                name,
                event.query,
                count=len(event.sources),
                provider=event.provider,
                seconds=_seconds(event.took_ms),
            ),
            self._markup.found(event),
        )

    async def _fail_search(self, event: SearchFailed) -> None:
        trouble = self._markup.trouble(event.error)
        name = self._say(
            "search_failed",
            event.query,
            title=trouble.title,
            seconds=_seconds(event.took_ms),
        )
        if self._search is not None:
            await self._search.remove()  # what is drawn already can't be opened
            self._search = None
        step = _step(name)
        step.is_error, step.default_open = True, True  # cause and cure are to be read
        step.output = trouble.details
        await step.send()
        await self._stream.add(self._markup.notice(trouble.notice))

    async def _end_search(self, name: str, output: str) -> None:
        if self._search is not None:
            self._search.name = name
            self._search.output = output
            await self._search.update()
            self._search = None

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
        if self._search is not None:
            await self._end_search(text("search_stopped", self._language), "")
        await self._stream.flush()
        self._message.content = self._markup.whole(closing, is_notice=is_notice)
        if self._stream.has_sent:
            await self._message.update()
        else:
            await self._message.send()

    def _say(self, name: str, query: str, **values: object) -> str:
        short = query if len(query) <= QUERY_SHOWN else f"{query[:QUERY_SHOWN]}…"
        words = " ".join(short.split())
        return text(name, self._language, query=words, **values)


def _heed_stop() -> None:
    """A library below may have swallowed the cancellation; the wish still stands."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def _step(name: str) -> cl.Step:
    """A step of this run: without its parent it would be drawn after the answer."""
    step = cl.Step(name=name, type="tool", show_input=False)
    step.parent_id = cl.context.current_run.id if cl.context.current_run else None
    return step


class Thoughts:
    """What a model thinks before it answers: a folded step of its own."""

    def __init__(self, language: str, linker: Linker) -> None:
        self._step = _step(text("thinking", language))
        self._linker = linker
        self._stream = Coalescer(self._step.stream_token)
        self._written: list[str] = []

    async def begin(self) -> None:
        """Show the step."""
        await self._step.send()

    async def add(self, words: str) -> None:
        """The next words."""
        await self._show(self._linker.feed(words))

    async def end(self) -> None:
        """All of it once more, in one piece."""
        await self._show(self._linker.close())
        await self._stream.flush()
        self._step.output = "".join(self._written)
        await self._step.update()

    async def _show(self, piece: str) -> None:
        self._written.append(piece)
        await self._stream.add(piece)


def _seconds(took_ms: int) -> str:
    return f"{took_ms / 1000:.1f} s" if took_ms >= TOO_SHORT_TO_COUNT else "<0.1 s"
