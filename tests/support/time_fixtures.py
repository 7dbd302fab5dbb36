"""A time that only waits take, for tests of time limits."""

import asyncio
import time
from typing import Any

import pytest


@pytest.fixture
async def skipped_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time stands still while a task runs; where all wait, it jumps to the next timer.

    So a time limit neither takes time nor depends on a busy machine.
    """
    now = time.monotonic()
    selector: Any = asyncio.get_running_loop()._selector  # type: ignore[attr-defined]
    select = selector.select

    def skip(timeout: float | None = None) -> Any:
        nonlocal now
        ready = select(timeout and 0)
        if not ready and timeout:
            now += timeout
        return ready

    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setattr(selector, "select", skip)
