"""One search through an engine that is asked at a server on loopback."""

from functools import partial
from typing import Any

from pydantic import SecretStr
from support.loopback import Answer, Loopback, served

from websearch.engines import Baidu, Bocha, Brave, DuckDuckGo
from websearch.engines.base import HttpEngine
from websearch.models import SearchRequest, SearchResponse
from websearch.network.client import HttpClient

KEY = "canary-key"
CLASSES: dict[str, type[HttpEngine]] = {
    engine.name: engine for engine in (DuckDuckGo, Baidu, Brave, Bocha)
}


def engine_at(
    name: str, url: str, *, key: str | None = KEY, language: str = "auto"
) -> HttpEngine:
    """The engine of that name, asked at *url*."""
    secret = SecretStr(key) if key else None
    return CLASSES[name](HttpClient(), url=url, key=secret, language=language)


async def search_at(
    name: str,
    server: Loopback,
    query: str = "q",
    *,
    path: str = "/search",
    key: str | None = KEY,
    language: str = "auto",
    **options: Any,
) -> SearchResponse:
    """Search once at *server*; *options* are those of the request."""
    engine = engine_at(name, server.url + path, key=key, language=language)
    try:
        return await engine.asearch(SearchRequest(query, **options))
    finally:
        await engine.aclose()


async def answered(name: str, answer: Answer) -> SearchResponse:
    """Search once at a server that answers so."""
    with served(lambda _: answer) as server:
        return await search_at(name, server)


def asked(name: str) -> tuple[partial[Any], partial[Any]]:
    """`search_at` and `answered` of the engine of that name."""
    return partial(search_at, name), partial(answered, name)
