"""A page without server or browser."""

from collections.abc import AsyncIterator

import pytest
from support.browser.screen import Screen, open_screen


@pytest.fixture
async def screen() -> AsyncIterator[Screen]:
    """A session of Chainlit that notes what would be shown."""
    async with open_screen() as opened:
        yield opened
