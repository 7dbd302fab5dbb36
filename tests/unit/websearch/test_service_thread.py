"""Callers without an event loop share the one that a service keeps on a thread."""

import asyncio
import signal
import threading
from collections.abc import Iterator
from unittest.mock import AsyncMock

import pytest
from support.command import run_code
from support.waiting import PATIENCE

from websearch import SearchRequest, SearchResponse, SearchService
from websearch.errors import SearchError


class Backend:
    """Hangs where it is told to, and tells on which thread it is asked."""

    name = "here"

    def __init__(self) -> None:
        self.threads: set[str] = set()
        self.began = threading.Event()
        self.cancelled = threading.Event()
        self.hangs = False

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        self.threads.add(threading.current_thread().name)
        self.began.set()
        try:
            if self.hangs:
                await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        return SearchResponse(request.query, self.name)

    async def aclose(self) -> None:
        pass


@pytest.fixture
def backend() -> Backend:
    return Backend()


@pytest.fixture
def service(backend: Backend) -> Iterator[SearchService]:
    with SearchService(backend, timeout=PATIENCE) as service:
        yield service


def threads() -> int:
    """The number of services with a thread; other tests may have left some open."""
    return [thread.name for thread in threading.enumerate()].count("websearch")


@pytest.mark.spec("I7")
def test_one_thread(backend: Backend, service: SearchService) -> None:
    """Searches run on one thread, which starts with the first and ends when the service
    is closed; the next search starts another."""
    before = threads()
    for _ in range(3):
        service.search("q")
    assert threads() == before + 1
    assert backend.threads == {"websearch"}

    service.close()
    service.close()

    assert threads() == before
    assert service.search("q").provider == "here"


def test_close_where_the_backend_fails(
    monkeypatch: pytest.MonkeyPatch, backend: Backend, service: SearchService
) -> None:
    """A backend that fails while it is closed leaves no thread behind."""
    before = threads()
    service.search("q")
    monkeypatch.setattr(backend, "aclose", AsyncMock(side_effect=OSError("told")))

    with pytest.raises(OSError, match="told"):
        service.close()

    assert threads() == before


def test_close_while_another_waits(backend: Backend, service: SearchService) -> None:
    """A thread that waits when the service is closed is told so, and waits no more."""
    backend.hangs = True
    outcome: list[SearchError] = []

    def wait() -> None:
        try:
            service.search("q")
        except SearchError as error:
            outcome.append(error)

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert backend.began.wait(PATIENCE)
    service.close()
    waiting.join(PATIENCE)

    assert [str(error) for error in outcome] == ["The service was closed meanwhile"]


def test_interrupt_cancels(backend: Backend, service: SearchService) -> None:
    """A caller that is interrupted leaves no search behind."""
    backend.hangs = True
    waiting = threading.main_thread().ident
    assert waiting == threading.get_ident()

    def interrupt() -> None:
        assert backend.began.wait(PATIENCE)
        service._thread.run(asyncio.sleep(0))  # the search was handed over by now
        signal.pthread_kill(waiting, signal.SIGINT)

    known = signal.signal(signal.SIGINT, signal.default_int_handler)
    interrupting = threading.Thread(target=interrupt)
    interrupting.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            service.search("q")
    finally:
        signal.signal(signal.SIGINT, known)
    interrupting.join(PATIENCE)

    assert backend.cancelled.wait(PATIENCE)


PROGRAM = """
import os
from websearch import create_service
service = create_service(backend="stub")
print(len(service.search("q").items) > 0)
if {forks} and os.fork() == 0:
    raise SystemExit
if {forks}:
    os.wait()
"""


@pytest.mark.parametrize("forks", [False, True], ids=["ends", "forks"])
def test_never_closed(forks: bool) -> None:
    """A program that never closes its service ends, and so does a fork of it."""
    assert run_code(PROGRAM.format(forks=forks)) == "True\n"
