"""A page to open in the browser, and the moment at which its HTML is taken."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from websearch.config.address import BaseAddress

if TYPE_CHECKING:
    from playwright.async_api import Page

Wait = Callable[["Page"], Awaitable[None]]

_POLL_SECONDS: Final = 0.05
_UNCHANGED_SECONDS: Final = 0.2
_AFTER_LOAD_SECONDS: Final = 1.0
_AFTER_DOCUMENT_SECONDS: Final = 3.0  # a picture may keep a page from being loaded
_RESULTS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """
    A page to open, and the *wait* after which its HTML is taken.

    Visits of one *session* share cookies; a visit without one has a context of its own.
    *most_requests* is for strangers' pages: then they get no more.
    """

    url: str = field(repr=False)
    wait: Wait
    seconds: float
    session: str | None = None
    proxy: BaseAddress | None = None
    most_requests: int | None = None


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as the browser shows it, at the address to which it was led."""

    status: int
    url: str = field(repr=False)
    html: str = field(repr=False)
    is_cut: bool = False
    retry_after: str = ""


def until_results(results: str, others: str) -> Wait:
    """
    Wait until ten elements match *results*, or no more come.

    The wait ends at once at *others*, the marks of a page that never has results, and
    soon after the page was loaded.
    """

    async def wait(page: "Page") -> None:
        from playwright.async_api import Error  # noqa: PLC0415  optional package

        ends: list[float] = []  # no result comes after the first of these moments

        def end_in(seconds: float) -> None:
            ends.append(time.monotonic() + seconds)

        page.on("domcontentloaded", lambda _: end_in(_AFTER_DOCUMENT_SECONDS))
        page.on("load", lambda _: end_in(_AFTER_LOAD_SECONDS))
        before, since = 0, time.monotonic()
        while before < _RESULTS and not (ends and time.monotonic() > min(ends)):
            try:
                count = await page.locator(results).count()
                if not count and await page.locator(others).count():
                    return
            except Error:
                if page.is_closed():
                    raise
                count = 0  # the page leads to another one
            if count != before:
                before, since = count, time.monotonic()
            elif count and time.monotonic() - since > _UNCHANGED_SECONDS:
                return
            await asyncio.sleep(_POLL_SECONDS)

    return wait


def until_quiet(seconds: float) -> Wait:
    """Wait until nothing is on its way any more, for at most *seconds*."""

    async def wait(page: "Page") -> None:
        from playwright.async_api import TimeoutError as StillBusy  # noqa: PLC0415

        try:
            await page.wait_for_load_state("networkidle", timeout=seconds * 1000)
        except StillBusy:
            return  # a page that never rests: its text is there all the same

    return wait
