"""The offline samples."""

import pytest

from websearch import SearchRequest
from websearch.backends import BACKENDS, Stub
from websearch.http import Http
from websearch.settings import Settings


@pytest.mark.spec("H6")
async def test_samples() -> None:
    """Every query gives the same few results on hosts kept for examples."""
    first = await Stub().asearch(SearchRequest("one"))
    second = await Stub().asearch(SearchRequest("二"))

    assert 2 <= len(first.items) <= 3
    assert first.items == second.items
    assert all("example." in item.source for item in first.items)
    assert {item.provider for item in first.items} == {"stub"}


@pytest.mark.parametrize("name", BACKENDS)
def test_registry(name: str) -> None:
    """Each registered backend is made from the settings and bears its name."""
    assert BACKENDS[name](Settings.load(), Http()).name == name
