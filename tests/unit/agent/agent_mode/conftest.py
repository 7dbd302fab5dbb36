"""The tool of Agent mode, as most of its tests need it."""

from collections.abc import AsyncIterator

import pytest
from support.search.searching import searching
from support.servers.loopback import Loopback

from agent.agent_mode.tools import WebSearchTool


@pytest.fixture
async def searched() -> AsyncIterator[tuple[WebSearchTool, Loopback]]:
    """The tool, and the scripted SearXNG that it searches."""
    async with searching() as made:
        yield made
