"""A server for the tests of one engine."""

from collections.abc import Iterator

import pytest
from support.loopback import Loopback, served


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[Loopback]:
    """A server that answers every search with the ANSWER of the test's module."""
    answer = request.module.ANSWER
    with served(lambda _: answer) as loopback:
        yield loopback
