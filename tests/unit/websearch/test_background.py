"""Callers without an event loop share one on a thread."""

import asyncio
import threading
import time

import pytest

from websearch.background import Background
from websearch.errors import WebProviderError


async def _thread_name() -> str:
    return threading.current_thread().name


async def _fail() -> None:
    raise LookupError("told")


def test_run() -> None:
    """Work runs on one thread of its own, which starts with the first call."""
    background = Background()
    assert not background.is_running

    names = {background.run(_thread_name()) for _ in range(3)}
    background.close()

    assert names == {"websearch"}


def test_errors_come_back() -> None:
    """What the work raises, the caller gets."""
    background = Background()

    with pytest.raises(LookupError, match="told"):
        background.run(_fail())
    background.close()


async def test_inside_a_loop() -> None:
    """A caller that stands in a running loop can wait all the same."""
    background = Background()

    assert background.run(_thread_name()) == "websearch"
    background.close()


def test_close_and_again() -> None:
    """After closing, no thread is left, and the next call starts anew."""
    background = Background()
    background.run(_thread_name())

    background.close()
    background.close()

    assert "websearch" not in {thread.name for thread in threading.enumerate()}
    assert background.run(_thread_name()) == "websearch"
    background.close()


def test_close_while_another_waits() -> None:
    """A thread that waits when the service is closed is told so, and waits no more."""
    background = Background()
    outcome: list[BaseException] = []

    def wait() -> None:
        try:
            background.run(asyncio.sleep(60))
        except BaseException as error:  # noqa: BLE001  whatever it is, is looked at
            outcome.append(error)

    waiting = threading.Thread(target=wait)
    waiting.start()
    while not background.is_running:
        time.sleep(0.01)
    time.sleep(0.05)
    background.close()
    waiting.join(5)

    assert [type(error) for error in outcome] == [WebProviderError]


def test_interrupt_cancels() -> None:
    """A caller that is interrupted leaves no work behind."""
    cancelled = threading.Event()
    background = Background()

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    class Interrupted:
        def result(self) -> None:
            raise KeyboardInterrupt

    real = asyncio.run_coroutine_threadsafe

    def submit(work: object, loop: asyncio.AbstractEventLoop) -> object:
        future = real(work, loop)  # type: ignore[arg-type]  # what Background gives
        future.result = Interrupted().result  # type: ignore[method-assign]
        return future

    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(asyncio, "run_coroutine_threadsafe", submit)
        background.run(work())

    assert cancelled.wait(5)
    background.close()
