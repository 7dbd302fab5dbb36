"""One search through an engine that is asked on loopback, or by a browser's double."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from pydantic import SecretStr
from support.servers.loopback import Answer, Request, served

from websearch.browser.visit import Rendered, Visit
from websearch.engines import Baidu, Bocha, Brave, DuckDuckGo, Google
from websearch.engines.base import HttpEngine
from websearch.models import SearchRequest, SearchResponse
from websearch.network.client import HttpClient
from websearch.parsing.workers import Workers

KEY = "canary-key"
Ask = Callable[..., Awaitable[SearchResponse]]
CLASSES: dict[str, type[HttpEngine]] = {
    engine.name: engine for engine in (DuckDuckGo, Baidu, Brave, Bocha)
}


@dataclass
class FakeBrowser:
    """A browser that shows *answer* for every address, and notes the address."""

    requests: list[Request]
    answer: Answer | None = None

    async def visit(self, visit: Visit) -> Rendered:
        self.requests.append(Request("GET", visit.url, {}, b""))
        answer = self.answer or Answer()
        body, headers = answer.body, answer.headers
        return Rendered(
            answer.status,
            headers.get("Content-Location", visit.url),
            body if isinstance(body, str) else body.decode("utf-8", "replace"),
            retry_after=headers.get("Retry-After", ""),
        )

    async def aclose(self) -> None:
        """Nothing runs."""


class GoogleThen(Google):
    """Google, asked at a moment that the tests know."""

    def now(self) -> datetime:
        return datetime(2026, 11, 19, 3, tzinfo=UTC)


def engine_at(
    name: str, url: str, *, key: str | None = KEY, language: str = "auto"
) -> HttpEngine:
    """The engine of that name, asked at *url*."""
    secret = SecretStr(key) if key else None
    return CLASSES[name](HttpClient(), url=url, key=secret, language=language)


@asynccontextmanager
async def asking(
    name: str, *, language: str = "auto"
) -> AsyncIterator[tuple[Ask, list[Request]]]:
    """Searches through one engine, each with its answer, and what they requested."""
    requests: list[Request] = []
    with served(lambda _: Answer()) as server:
        if name == Google.name:
            browser = FakeBrowser(requests)
            processes: Any = SimpleNamespace(browser=browser, workers=Workers())
            engine: HttpEngine = GoogleThen(HttpClient(), processes, language=language)
        else:
            engine = engine_at(name, f"{server.url}/search", language=language)

        async def ask(answer: Answer, query: str = "q", **options: Any) -> Any:
            if name == Google.name:
                browser.answer = answer
            server.script = lambda request: requests.append(request) or answer
            return await engine.asearch(SearchRequest(query, **options))

        try:
            yield ask, requests
        finally:
            await engine.aclose()


async def answered(name: str, answer: Answer, query: str = "q") -> SearchResponse:
    """Search once where the answer is this one."""
    async with asking(name) as (ask, _):
        return await ask(answer, query)


async def requested(
    name: str,
    answer: Answer,
    query: str = "q",
    *,
    language: str = "auto",
    **options: Any,
) -> list[Request]:
    """The requests of one search; *options* are those of the search."""
    async with asking(name, language=language) as (ask, requests):
        await ask(answer, query, **options)
    return requests


def form(request: Request) -> dict[str, Any]:
    """The parameters of a request, wherever it carries them."""
    is_json = request.headers.get("content-type") == "application/json"
    return dict(json.loads(request.body)) if is_json else request.params
