"""What stays of a visitor who leaves: the session of a conversation, little else."""

import asyncio
import os
import shutil
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

from chainlit import config as chainlit_config
from chainlit import server
from chainlit.context import init_ws_context
from chainlit.session import WebsocketSession, ws_sessions_id

# A tab in which nothing was asked loses nothing when it opens anew.
UNUSED_SECONDS: Final = 60.0
MOST_UNUSED: Final = 200
MOST_SESSIONS: Final = 2_000  # 180 kB each

Handler = Callable[[str], Awaitable[None]]


async def make_room(session_id: str) -> bool:
    """Let go of the oldest session whose page is away, if it is one too many."""
    if session_id not in ws_sessions_id and len(ws_sessions_id) >= MOST_SESSIONS:
        for session in _away():
            await session.delete()
            return True
        return False
    return True


def is_full() -> bool:
    """Tell if a page that opens now would get no session."""
    return len(ws_sessions_id) >= MOST_SESSIONS and next(_away(), None) is None


def _away() -> Iterator[WebsocketSession]:
    """Sessions whose page is away and that write no answer, the oldest first."""
    for session in [*ws_sessions_id.values()]:
        task = session.current_task
        is_busy = task is not None and not task.done()
        if not is_busy and not server.sio.manager.is_connected(session.socket_id, "/"):
            yield session


class UnusedSessions:
    """
    Sessions that ended without a question: kept for a minute, and not too many.

    A session that its page has given up for a new chat is forgotten at once. Not by
    Chainlit's `on_chat_end`, which tells a page that a task has ended.
    """

    def __init__(self, disconnect: Handler, forget: Handler | None = None) -> None:
        self._disconnect = disconnect
        self._forget = forget
        self._ends: dict[str, asyncio.Task[None]] = {}

    async def leave(self, sid: str, *_reason: Any) -> None:
        """Follow a closed connection; Chainlit keeps each session for ten minutes."""
        session = WebsocketSession.get(sid)
        if session is None or session.to_clear or session.has_first_interaction:
            try:
                if session is not None and session.to_clear and self._forget:
                    init_ws_context(session)
                    await self._forget(session.id)
            finally:
                await self._disconnect(sid)
            return
        self._ends[sid] = asyncio.create_task(self._end(sid))
        while len(self._ends) > MOST_UNUSED:
            oldest = next(iter(self._ends))
            self._ends.pop(oldest).cancel()
            await _delete(oldest)

    async def _end(self, sid: str) -> None:
        await asyncio.sleep(UNUSED_SECONDS)
        del self._ends[sid]
        await _delete(sid)


async def _delete(sid: str) -> None:
    """Delete a session whose connection did not come back under another id."""
    if session := WebsocketSession.get(sid):
        await session.delete()


def own_files_folder() -> None:
    """
    Keep the files of reports in a folder of this process.

    Chainlit deletes its folder at its end, and with it the files of other processes.
    Folders of processes that were killed are deleted here.
    """
    folder = chainlit_config.FILES_DIRECTORY
    for left in folder.glob("process-*"):
        number = left.name.removeprefix("process-")
        if number.isdecimal() and not _is_running(int(number)):
            shutil.rmtree(left, ignore_errors=True)
    own = folder / f"process-{os.getpid()}"
    # In a container a process gets the number of the one that was killed.
    shutil.rmtree(own, ignore_errors=True)
    own.mkdir(parents=True)
    chainlit_config.FILES_DIRECTORY = own
    vars(server)["FILES_DIRECTORY"] = own  # a name that it imported


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
