"""One web and one world for all tests of a file: a new process a test takes seconds."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from support.report.research_web import ResearchWeb, research_web
from support.world import World, world


@pytest.fixture(scope="module")
def web() -> Iterator[ResearchWeb]:
    with research_web() as served:
        yield served


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def w(web: ResearchWeb) -> AsyncIterator[World]:
    async with world(web=web) as made:
        yield made
