"""Engines that do as they are told, and a clock that is moved by hand."""

import asyncio
from collections.abc import Callable, Sequence
from copy import copy
from types import SimpleNamespace
from typing import Final

import pytest

from websearch import SearchItem, SearchRequest, SearchResponse
from websearch.errors import NetworkError, WebBlocked
from websearch.routing.cooldown import Cooldowns
from websearch.routing.limits import Limited

HANGS: Final = "hangs"
CAPTCHA: Final = WebBlocked("robot?", detail_code="captcha_required")
DOWN: Final = NetworkError("down", detail_code="refused")

Outcome = SearchResponse | Exception | Sequence[str] | str


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class FakeEngine:
    """Each search has the next outcome, and the last one stays: pages or an error."""

    def __init__(self, name: str, *outcomes: Outcome) -> None:
        self.name = name
        self.requests: list[SearchRequest] = []
        self.cancelled = 0
        self.closed = 0
        self._outcomes = outcomes or ([f"https://{name}.example/"],)

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        outcome = self._outcomes[min(len(self.requests), len(self._outcomes) - 1)]
        self.requests.append(request)
        if outcome == HANGS:
            await self._hang()
        if isinstance(outcome, Exception):
            raise copy(outcome)  # an error is told whose it is
        if isinstance(outcome, SearchResponse):
            return outcome
        return response(self.name, *outcome)

    async def aclose(self) -> None:
        self.closed += 1

    async def _hang(self) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise


def limited(*engines: FakeEngine) -> list[Limited]:
    """The engines as a service has them, with cool-downs and time limits."""
    cooldowns = Cooldowns(clock=Clock())
    return [Limited(engine, cooldowns) for engine in engines]


def registry(patch: pytest.MonkeyPatch, *engines: FakeEngine) -> None:
    """These are the backends that settings can name."""
    known = {e.name: registered(e.name, lambda *_, e=e: e) for e in engines}
    patch.setattr("websearch.engines.BACKENDS", known)


def registered(title: str, make: Callable[..., object]) -> SimpleNamespace:
    """A row of the registry: *make* gets the settings and the HTTP client."""
    return SimpleNamespace(title=title, from_settings=make)


def response(name: str, *urls: str) -> SearchResponse:
    items = [SearchItem(f"Title of {url}", url, "words", name) for url in urls]
    return SearchResponse("q", name, items)


def request(budget_ms: int = 5_000) -> SearchRequest:
    return SearchRequest("q", budget_ms=budget_ms)


def others() -> set[asyncio.Task[object]]:
    """Tasks that run beside the test."""
    return asyncio.all_tasks() - {asyncio.current_task()}  # type: ignore[arg-type]
