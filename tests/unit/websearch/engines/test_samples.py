"""The offline samples."""

import pytest

from websearch import SearchRequest
from websearch.engines import Stub


@pytest.mark.spec("H6")
async def test_samples() -> None:
    """Every query of a language gives the same few results, on hosts for examples."""
    for one, other in (("one", "two"), ("一", "二 two")):
        first = await Stub().asearch(SearchRequest(one))
        second = await Stub().asearch(SearchRequest(other))

        assert 2 <= len(first.items) <= 3
        assert first.items == second.items
        assert all("example." in item.source for item in first.items)
        assert {item.provider for item in first.items} == {"stub"}


@pytest.mark.spec("M1")
@pytest.mark.parametrize(
    ("query", "mark"), [("天气", "离线示例"), ("weather", "Offline sample")]
)
async def test_samples_say_so(query: str, mark: str) -> None:
    """Each sample says in title and snippet, in the reader's language, what it is."""
    found = await Stub().asearch(SearchRequest(query))

    assert all(item.title.startswith(mark) for item in found.items)
    assert all(mark[-3:] in item.snippet for item in found.items)
