"""The one limit of every wait in a test: generous, since a machine may be busy."""

import time
from collections.abc import Callable
from typing import Final

PATIENCE: Final = 90  # seconds


def wait_until(holds: Callable[[], object], what: str) -> None:
    """Look again and again until *holds*; *what* names the wait that was in vain."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, f"waited {PATIENCE} s in vain for {what}"
        time.sleep(0.05)
