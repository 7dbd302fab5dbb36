"""Objects and tasks of the running server: resources, checks, freeing of sessions."""

import asyncio
import logging
import signal
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final

import uvicorn
from chainlit.chat_context import chat_contexts
from chainlit.context import init_ws_context
from chainlit.session import WebsocketSession, ws_sessions_id

from agent import Resources, diagnosis_of
from ui.conversation import Conversation
from ui.report.registry import Reports
from websearch import DEFAULT_BACKEND, UNCONFIGURED
from websearch.doctor import Diagnosis, adiagnose, adiagnose_reading

logger = logging.getLogger(__name__)

SWEEP_SECONDS: Final = 60
WAIT_SECONDS: Final = 1.5  # the welcome screen waits for the state of search
AGAIN_SECONDS: Final = 5.0
END_SECONDS: Final = 4.0
CLOSE_SECONDS: Final = 3
SEND_SECONDS: Final = 0.3  # the last words of stopped answers reach their pages


class Lifecycle:
    """The shared objects and background tasks of the server."""

    def __init__(self, resources: Resources) -> None:
        self.resources = resources
        self.conversations: dict[str, Conversation] = {}
        self.reports = Reports()
        self.diagnosis: Diagnosis | None = None
        self._reading: Diagnosis | None = None
        self._checking: asyncio.Task[None] | None = None
        self._examining: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._wait_ends = 0.0
        self._ending: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Check search and load libraries in the background, without a wait."""
        for line in self.resources.destinations():
            logger.info("Queries are sent to: %s", line)
        self._checking = self._begin(self._check())
        self._begin(self._sweep())
        self._begin(self._warm_up())
        # Answers end before a signal makes uvicorn close their sockets.
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            server_ends: Any = signal.getsignal(number)
            server = getattr(server_ends, "__self__", None)
            if isinstance(server, uvicorn.Server):
                # A peer that reads nothing would hold it up for ever.
                server.config.timeout_graceful_shutdown = CLOSE_SECONDS
                loop.add_signal_handler(number, self._end_first, server_ends, number)

    def _end_first(
        self, server_ends: Callable[..., Any], number: signal.Signals
    ) -> None:
        """End running answers, then the server."""
        if self._ending is not None:
            server_ends(number, None)  # a second signal does not wait
            return
        self._ending = self._begin(self._stop_answers())
        self._ending.add_done_callback(lambda _: server_ends(number, None))

    async def _stop_answers(self) -> None:
        stops = [asyncio.create_task(c.stop()) for c in self.conversations.values()]
        if stops:
            stopped, _ = await asyncio.wait(stops, timeout=END_SECONDS)
            if any(not stop.exception() and stop.result() for stop in stopped):
                await asyncio.sleep(SEND_SECONDS)

    async def stop(self) -> None:
        """Cancel all tasks, and close connections."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.reports.aclose()
        await self.resources.aclose()

    async def end(self, session_id: str) -> None:
        """Stop and free the conversation of an ended session."""
        conversation = self.conversations.pop(session_id, None)
        if conversation is not None:
            await conversation.aclose()

    async def leave(self, session_id: str) -> None:
        """End the conversation of a session for a new chat, and its report."""
        if session_id in self.conversations:
            self.conversations[session_id].forget_report()
        await self.end(session_id)

    async def examine(self) -> list[Diagnosis]:
        """Diagnose everything again; callers at the same time share one run."""
        if self._examining is None or self._examining.done():
            self._examining = self._begin(self._examine())
        await asyncio.shield(self._examining)
        found = [one for one in (self.diagnosis, self._reading) if one is not None]
        return [*found, diagnosis_of(self.resources.models)]

    async def reload(self) -> None:
        """Take changed settings: from the next question on, and in every open panel."""
        before = self.resources.settings
        self.resources.reload()
        checks = [self.resources.models.refresh(force=True)]
        if self.resources.settings is not before:
            checks.append(self._check())
        await asyncio.gather(*checks)
        self._begin(self._warm_up())
        for session_id, conversation in list(self.conversations.items()):
            if session := WebsocketSession.get_by_id(session_id):
                self._begin(_reopened(session, conversation))

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _examine(self) -> None:
        _, self._reading, _ = await asyncio.gather(
            self._check(is_thorough=True),
            adiagnose_reading(self.resources.settings),
            self.resources.models.refresh(force=True),
        )

    async def state_of_search(self) -> Diagnosis | None:
        """The state of search; a bad one is checked again, with a short wait."""
        checks = [self._begin(self.resources.models.refresh())]
        known = self.diagnosis
        if (
            known is None
            or not known.is_usable
            # Nothing is configured, and no SearXNG was found.
            or (known.backend == UNCONFIGURED.title and not known.parts[0].is_usable)
        ):
            if self._checking is None or self._checking.done():
                self._checking = self._begin(self._check_again())
            checks.append(self._checking)
        await asyncio.wait(checks, timeout=self._remaining_wait())
        return self.diagnosis

    def _remaining_wait(self) -> float:
        """Seconds left to wait; all requests of an opening page share them."""
        now = time.monotonic()
        if now > self._wait_ends + AGAIN_SECONDS:
            self._wait_ends = now + WAIT_SECONDS
        return max(self._wait_ends - now, 0)

    async def _check_again(self) -> None:
        """Check all engines; if others answer, only after SearXNG has changed."""
        known, settings = self.diagnosis, self.resources.settings
        if known is not None and known.is_usable:
            before = known.parts[0]
            now = await adiagnose(settings, backend=before.backend)
            if now.main.cause is before.main.cause:
                return
        await self._check()

    async def _check(self, *, is_thorough: bool = False) -> None:
        settings = self.resources.settings
        found = await adiagnose(
            settings, limits=self.resources.limits, is_thorough=is_thorough
        )
        if settings is not self.resources.settings:
            return  # others were set meanwhile, and have a check of their own
        self.diagnosis = found
        self.diagnosis.log()
        for part in self.diagnosis.parts or [self.diagnosis]:
            if part.backend == DEFAULT_BACKEND and part.is_usable:
                # The next question need not wait for the end of its cool-down.
                self.resources.limits.cooldowns.succeeded(part.backend)

    async def _warm_up(self) -> None:
        """Load the model's libraries before the first question."""
        await self.resources.models.refresh()
        if not self.resources.models.is_built_in:
            await self.resources.load_agent()

    async def _sweep(self) -> None:
        """Free ended sessions regularly; Chainlit has no hook for their real end."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            await self.sweep_once()

    async def sweep_once(self) -> None:
        """Stop and free the conversations of sessions that Chainlit has dropped."""
        for gone in self.conversations.keys() - ws_sessions_id.keys():
            await self.end(gone)
        self.reports.sweep()
        for gone in chat_contexts.keys() - ws_sessions_id.keys():
            del chat_contexts[gone]


async def _reopened(session: WebsocketSession, conversation: Conversation) -> None:
    """Show the panel of a conversation anew; its models may be others now."""
    init_ws_context(session)
    await conversation.show_choices()
