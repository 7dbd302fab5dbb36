"""A real SearXNG on loopback, started as users start theirs, searching our corpus."""

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.servers.corpus import Corpus
from support.servers.ports import free_port

from deploy.searxng import start
from websearch import SearchResponse, SearchService
from websearch.config.address import BaseAddress
from websearch.engines import Searxng
from websearch.network.client import HttpClient, Reply


@dataclass(frozen=True, slots=True)
class RealSearxng:
    """The address of the server, and the corpus of its engines."""

    url: str
    corpus: Corpus

    def backend(self, http: HttpClient | None = None) -> Searxng:
        """Our backend, set to this server."""
        return Searxng(http or HttpClient(), BaseAddress(self.url))

    def search(
        self,
        query: str,
        *,
        http: HttpClient | None = None,
        timeout: float = 5.0,
        **options: Any,
    ) -> SearchResponse:
        """One search as the app does it, from an event loop of its own."""

        async def asearch() -> SearchResponse:
            async with SearchService(self.backend(http), timeout=timeout) as service:
                return await service.asearch(query, **options)

        return asyncio.run(asearch())

    def ask(self, **form: str) -> Reply:
        """One request with our headers, and nothing done to the words."""

        async def ask() -> Reply:
            backend = self.backend()
            try:
                return await backend.ask("/search", form)
            finally:
                await backend.aclose()

        return asyncio.run(ask())


@contextmanager
def real_searxng(
    corpus: Corpus, folder: Path, settings: dict[str, Any], *, answer: int = start.ALIVE
) -> Iterator[RealSearxng]:
    """A server with *settings*, ready as soon as it gives *answer*."""
    file = folder / "settings.yml"
    file.write_text(json.dumps(settings), encoding="utf-8")
    port = free_port()
    with start.serve(file, port, home=folder, answer=answer):
        yield RealSearxng(f"http://127.0.0.1:{port}", corpus)


def as_typed(words: str) -> str:
    """Signs at the start of words as they were before they were neutralised."""
    twins = {"！": "!", "：": ":", "＜": "<"}
    return re.sub(r"(?<!\S)[！：＜]", lambda sign: twins[sign[0]], words)
