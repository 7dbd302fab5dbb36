"""The tool of Agent mode with a scripted SearXNG behind it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fakes.loopback import Script, served
from fakes.searxng_pages import own_pages

from agent.searches import Searches
from agent.tools import WebSearchTool
from websearch.create import create_service
from websearch.settings import Settings


@contextmanager
def searching(script: Script = own_pages, **more: Any) -> Iterator[tuple[Any, Any]]:
    """A tool, and the scripted SearXNG that it searches."""
    with served(script) as engine:
        settings = Settings(SEARXNG_BASE_URL=engine.url, **more)
        service = create_service(settings)
        yield WebSearchTool(searches=Searches(service, settings)), engine
        service.close()
