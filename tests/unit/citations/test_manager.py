"""Numbers go on rising, and a page keeps its own."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, dataclass

import pytest

from citations import CitationManager, Source


@dataclass
class Item:
    title: str
    url: str
    snippet: str = ""
    published_at: str | None = None


def items(*urls: str) -> list[Item]:
    return [Item(f"title {url}", url, "s") for url in urls]


@pytest.mark.spec("E6")
def test_numbers_rise() -> None:
    """A second search goes on where the first ended."""
    manager = CitationManager()
    first = manager.add("a", items("https://a.example/", "https://b.example/"))
    second = manager.add("b", items("https://c.example/"))

    assert [source.number for source in first.sources] == [1, 2]
    assert [source.number for source in second.sources] == [3]
    assert manager.sources[3] == Source(
        3, "title https://c.example/", "https://c.example/", "s"
    )


@pytest.mark.spec("E6")
def test_same_page_keeps_its_number() -> None:
    """A page has one number however its address is spelt; another page has its own."""
    manager = CitationManager()
    manager.add("a", items("https://a.example/x?id=1"))
    found = manager.add(
        "b",
        items(
            "https://a.example/x?id=2",
            "http://www.a.example/x?id=1&utm_source=y#part",
            "https://a.example/x?id=2#twin",
        ),
    )

    assert [source.number for source in found.sources] == [2, 1]


@pytest.mark.spec("D8", "E6")
def test_unusable_results_get_no_number() -> None:
    """A page without a usable address is no source."""
    found = CitationManager().add("a", items("javascript:x", "https://a.example/"))

    assert [source.url for source in found.sources] == ["https://a.example/"]
    assert found.sources[0].number == 1


@pytest.mark.spec("D8", "E6")
def test_private_results_have_numbers() -> None:
    """A result that is marked as private is a source without a link."""
    manager = CitationManager()
    item = Item("T", "http://wiki.corp/")
    item.is_private = True  # type: ignore[attr-defined]

    for query in "ab":
        (source,) = manager.add(query, [item]).sources
        assert (source.number, source.href, source.is_private) == (1, "", True)


def test_given_and_then_found() -> None:
    """An address of the user's that a search finds gets its title, words and date."""
    manager = CitationManager()
    given = manager.give("https://www.a.example/x/")
    item = Item("A", "https://a.example/x", "about a", "2026-05-01")

    (found,) = manager.add("q", [item]).sources

    assert found == Source(1, "A", given.url, "about a", "2026-05-01")
    assert manager.sources == {1: found}


@pytest.mark.spec("E6")
def test_threads() -> None:
    """Calls from many threads give each page one number, and no number twice."""
    manager = CitationManager()
    urls = [f"https://p{n}.example/" for n in range(40)]

    def search(start: int) -> None:
        for shift in range(40):
            manager.add(str(start), items(urls[(start + shift) % 40]))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(search, range(0, 40, 5)))

    assert sorted(manager.sources) == list(range(1, 41))
    assert {source.url for source in manager.sources.values()} == set(urls)


def test_sources_can_not_be_changed() -> None:
    """Nobody outside changes a number or a source."""
    manager = CitationManager()
    manager.add("a", items("https://a.example/"))

    with pytest.raises(TypeError):
        manager.sources[2] = manager.sources[1]  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        manager.sources[1].number = 2  # type: ignore[misc]


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://www.a.example/x", "a.example"),
        ("http://例子.测试/", "xn--fsqu00a.xn--0zwm56d"),
        ("https://a.example:8080/", "a.example"),
        ("javascript:x", ""),
    ],
)
def test_domain(url: str, domain: str) -> None:
    """A domain is the host without www, punycode as it is."""
    assert Source(1, "t", url).domain == domain
