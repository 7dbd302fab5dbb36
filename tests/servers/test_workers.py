"""Worker processes that read hostile pages: ended in time, replaced, none left."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
from support.command import run_code
from support.pages.hostile_pages import HOSTILE_PAGES
from support.pages.worker_processes import gone, needs_proc, until_busy, worker_ids
from support.paths import ROOT
from support.waiting import PATIENCE, wait_until

from websearch.errors import WebParseError, WebProviderError
from websearch.parsing.workers import Task, Workers, _Worker

PAGE = b"<title>Tower</title><body><p>The tower is 62 metres high.</p>"
ENDLESS = HOSTILE_PAGES["nested div"]().encode()
MOST_UNREAD = 2 * 65_536  # then asyncio reads no further, and sees no end
pytestmark = needs_proc


@pytest.fixture
async def workers() -> AsyncIterator[Workers]:
    started = Workers()
    yield started
    await started.aclose()


async def read(workers: Workers, data: bytes, seconds: float = 30) -> str:
    found = await workers.run(Task.PAGE, data, seconds=seconds, media="html")
    return str(found["text"])


def environment(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


@pytest.mark.spec("O5")
async def test_endless_page_is_ended(workers: Workers) -> None:
    """A page on which the parser does not end costs its time limit and its worker."""
    await workers.warm(Task.PAGE)
    await asyncio.to_thread(wait_until, worker_ids, "a worker")
    (first,) = worker_ids()

    with pytest.raises(WebParseError) as caught:
        await read(workers, ENDLESS, seconds=0.2)

    assert caught.value.detail_code == "page_too_slow"
    assert await gone(first)
    assert "62 metres" in await read(workers, PAGE)


@pytest.mark.spec("O5")
async def test_burst(workers: Workers) -> None:
    """Forty visitors in the same moment share three workers, and all are served."""

    async def visit() -> str:
        await workers.warm(Task.PAGE)
        return await read(workers, PAGE)

    visits = [asyncio.create_task(visit()) for _ in range(40)]
    most = 0
    while not all(visit.done() for visit in visits):
        most = max(most, len(worker_ids()))
        await asyncio.sleep(0.02)

    assert all("62 metres" in visit.result() for visit in visits)
    assert most <= 3


async def test_cancelled_page_ends_its_worker(workers: Workers) -> None:
    """A user who stops leaves no process behind."""
    reading = asyncio.create_task(read(workers, ENDLESS, seconds=60))
    await asyncio.to_thread(wait_until, worker_ids, "a worker")
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading

    assert worker_ids() == []


async def test_answer_that_is_not_read() -> None:
    """A worker ends although a large part of its answer is never read."""
    worker = await _Worker.start()
    answer = worker.process.stdout
    assert answer
    async with asyncio.timeout(PATIENCE):
        worker._send({"task": Task.PAGE, "media": "text"}, b"x" * 199_000)
        held: bytearray = answer._buffer  # type: ignore[attr-defined]
        arrived = partial(wait_until, lambda: len(held) > MOST_UNREAD, "the answer")
        await asyncio.to_thread(arrived)
        await worker.end()

    assert not worker.is_alive


async def test_worker_killed_while_idle(workers: Workers) -> None:
    """A worker that died before the page came does not fail the page."""
    await read(workers, PAGE)
    (pid,) = worker_ids()
    os.kill(pid, signal.SIGKILL)
    assert await gone(pid)

    assert "62 metres" in await read(workers, PAGE)


async def test_no_key_in_its_environment(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that reads strangers' pages holds no key."""
    monkeypatch.setenv("BRAVE_API_KEY", "canary-key")
    await workers.warm(Task.PAGE)
    await asyncio.to_thread(wait_until, worker_ids, "a worker")
    (pid,) = worker_ids()

    assert b"PATH=" in environment(pid)
    assert b"canary-key" not in environment(pid)


async def test_idle_workers_end() -> None:
    """Memory is given back after idle minutes."""
    await read(Workers(idle_seconds=0.1), PAGE)
    (pid,) = worker_ids()

    assert await gone(pid)


def test_end_of_loop() -> None:
    """A program that closes nothing leaves no process behind."""
    assert "62 metres" in asyncio.run(read(Workers(), PAGE))

    assert worker_ids() == []


async def test_closed_at_once() -> None:
    """A worker that was just started ends when it is closed."""
    workers = Workers()
    await workers.warm(Task.PAGE)
    await workers.aclose()

    assert worker_ids() == []


@pytest.mark.parametrize("moment", ["idle", "in mid-page"])
async def test_killed_app_leaves_no_worker(moment: str) -> None:
    """A worker ends with the app, also where that is killed in mid-page."""
    code = (
        "import asyncio, sys; from websearch.parsing.workers import Task, Workers\n"
        "async def main():\n"
        "    workers = Workers()\n"
        "    await workers.warm(Task.PAGE)\n"
        "    print('warm', flush=True)\n"
        "    if sys.argv[1] == 'idle':\n"
        "        await asyncio.sleep(600)\n"
        "    data = b'<body>' + b'<div>' * 200_000\n"
        "    await workers.run(Task.PAGE, data, seconds=600, media='html')\n"
        "asyncio.run(main())"
    )
    parent = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", code, moment), cwd=ROOT, stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    assert await parent.stdout.readline() == b"warm\n"
    (pid,) = worker_ids(parent.pid)
    if moment != "idle":
        await until_busy(pid)
    parent.kill()
    await parent.wait()

    assert await gone(pid)


def test_worker_imports_no_network() -> None:
    """A worker imports no HTTP client and no LangChain."""
    code = (
        "import sys, websearch.parsing.process, websearch.parsing.extract, "
        "websearch.parsing.result_page; print(*sys.modules)"
    )
    names = {name.partition(".")[0] for name in run_code(code).split()}

    assert not names & {"httpx", "httpcore", "langchain", "chainlit", "pydantic"}


async def test_hostile_pages(workers: Workers) -> None:
    """Pages made to cost time are read or refused, and the next one is read."""

    async def attempt(page: str) -> None:
        with contextlib.suppress(WebParseError):
            await read(workers, page.encode(), seconds=1)

    await asyncio.gather(*(attempt(page()) for page in HOSTILE_PAGES.values()))

    assert "62 metres" in await read(workers, PAGE)


async def test_worker_finds_the_project_wherever_the_app_runs(
    workers: Workers, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A worker starts where neither the path nor the folder leads to the project."""
    monkeypatch.chdir(tmp_path)
    outside = [entry for entry in sys.path if entry and Path(entry) != ROOT]
    monkeypatch.setattr(sys, "path", outside)

    assert "62 metres" in await read(workers, PAGE)


async def test_process_that_can_not_start(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that lets no process start is told apart from a heavy page."""
    monkeypatch.setattr(sys, "executable", "/does/not/exist")

    await workers.warm(Task.PAGE)
    with pytest.raises(WebProviderError) as caught:
        await read(workers, PAGE)

    assert caught.value.detail_code == "worker_failed"
