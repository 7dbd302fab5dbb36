"""Steps above an answer: its searches and the model's thoughts."""

import asyncio
from typing import Final

import chainlit as cl
from chainlit.utils import utc_now

from agent import SearchFailed, SearchFinished, SearchStarted
from citations import PageLinker
from ui.answer.search_errors import Explanation
from ui.answer.streaming import Coalescer
from ui.texts import text
from untrusted.text import one_line
from websearch.doctor import engine_title

QUERY_SHOWN: Final = 60
TOO_SHORT_TO_COUNT: Final = 100  # milliseconds
DRAWN_SECONDS: Final = 0.1  # until the browser has drawn the last update


class SearchSteps:
    """One step for each search, in the order of their start."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._open: dict[str, tuple[str, cl.Step]] = {}
        self._explained: set[str] = set()
        self._filling: set[asyncio.Task[None]] = set()

    async def start(self, event: SearchStarted) -> None:
        """Show a running search with its query."""
        step = _step(self._line("searching", event.query), "search")
        # Chainlit can collapse a drawn step, but not open it: each starts open and
        # empty, and only a failed one stays open.
        step.default_open, step.auto_collapse = True, True
        self._open[event.call] = (event.query, step)
        await step.send()

    async def finish(self, event: SearchFinished, results: str) -> None:
        """Show the number of results; *results* appear when the step is opened."""
        step = self._close(event.call)
        facts = [
            self._line(
                "found" if event.sources else "found_nothing",
                event.query,
                count=len(event.sources),
                provider=engine_title(event.provider, self._language),
                seconds=_seconds(event.took_ms),
            )
        ]
        if event.cached:
            facts.append(text("from_cache", self._language))
        step.name = " · ".join(facts)
        await self._collapse(step, results)

    async def fail(self, event: SearchFailed, explanation: Explanation) -> None:
        """Show the error; the step stays open the first time that it explains it."""
        step = self._close(event.call)
        step.name = self._line(
            "search_failed",
            event.query,
            title=explanation.title,
            seconds=_seconds(event.took_ms),
        )
        step.is_error = True
        if explanation.details in self._explained:
            await self._collapse(step, explanation.details)
            return
        self._explained.add(explanation.details)
        step.auto_collapse, step.output = False, explanation.details
        await step.update()

    async def end(self) -> None:
        """Mark running searches as stopped."""
        for call, (query, _) in list(self._open.items()):
            step = self._close(call)
            step.name = self._line("search_stopped", query)
            await step.update()

    async def wait_until_filled(self) -> None:
        """Wait until each step has its content."""
        await asyncio.gather(*self._filling)

    async def _collapse(self, step: cl.Step, inside: str) -> None:
        await step.update()
        if inside:
            filling = asyncio.create_task(_fill(step, inside))
            self._filling.add(filling)
            filling.add_done_callback(self._filling.discard)

    def _close(self, call: str) -> cl.Step:
        _, step = self._open.pop(call)
        step.end = utc_now()
        return step

    def _line(self, name: str, query: str, **values: object) -> str:
        words = one_line(query, QUERY_SHOWN)
        return text(name, self._language, query=words, **values)


class Thoughts:
    """The model's thoughts before an answer, in a collapsed step."""

    def __init__(self, language: str, linker: PageLinker) -> None:
        self._step = _step(text("thinking", language), "lightbulb")
        self._linker = linker
        self._stream = Coalescer(self._step.stream_token)
        self._written: list[str] = []

    async def begin(self) -> None:
        """Show the step."""
        await self._step.send()

    async def add(self, words: str) -> None:
        """Stream more thoughts."""
        await self._show(self._linker.feed(words))

    async def end(self) -> None:
        """Replace the streamed text by the complete thoughts."""
        await self._show(self._linker.close())
        await self._stream.flush()
        self._step.output = "".join(self._written)
        self._step.end = utc_now()
        await self._step.update()

    async def _show(self, piece: str) -> None:
        self._written.append(piece)
        await self._stream.add(piece)


def _step(name: str, icon: str) -> cl.Step:
    """A step of the current run; without a parent it is drawn after the answer."""
    step = cl.Step(name=name, type="tool", icon=icon, show_input=False)
    step.parent_id = cl.context.current_run.id if cl.context.current_run else None
    step.start = utc_now()  # until its end the page shows that it is running
    return step


async def _fill(step: cl.Step, inside: str) -> None:
    """Add the content once the step has collapsed; before, it would flash up."""
    await asyncio.sleep(DRAWN_SECONDS)
    step.output = inside
    await step.update()


def _seconds(took_ms: int) -> str:
    return f"{took_ms / 1000:.1f} s" if took_ms >= TOO_SHORT_TO_COUNT else "<0.1 s"
