"""The tool of Agent mode with a scripted SearXNG behind it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from support.servers.loopback import Loopback, Script, served
from support.servers.searxng_pages import own_pages

from agent.agent_mode.tools import WebSearchTool
from agent.numbered_search import Searches
from agent.settings import AgentSettings
from websearch.cache import with_session_cache
from websearch.factory import create_service


@asynccontextmanager
async def searching(
    script: Script = own_pages, **more: Any
) -> AsyncIterator[tuple[WebSearchTool, Loopback]]:
    """A tool, and the scripted SearXNG that it searches."""
    with served(script) as engine:
        settings = AgentSettings(SEARXNG_BASE_URL=engine.url, **more)
        service = create_service(settings)
        cached = with_session_cache(service, settings.cache_queries)
        yield WebSearchTool(searches=Searches(cached, settings)), engine
        await service.aclose()
        service.close()
