"""Pages that are made to cost time and memory, and pages that nobody thought of."""

import asyncio
import json
import random
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.engine_cases import CASES
from support.pages.hostile_pages import HOSTILE_PAGES
from support.search.asked_engine import CLASSES
from support.search.engine_pages import bocha_row, brave_row, html
from support.servers.loopback import served

from websearch.engines import Baidu, DuckDuckGo, Google
from websearch.engines.page_engine import PageEngine
from websearch.errors import SearchError, WebParseError
from websearch.models import SearchItem, SearchRequest
from websearch.network.client import HttpClient
from websearch.network.response import Reply

HOSTILE: dict[str, Callable[[], str]] = {
    "nested": lambda: "<div>" * 180_000,
    "attributes": lambda: f"<p {attributes(0, 120_000)}>",
    "attributes of one element": lambda: "".join(
        f"<html {attributes(20 * n, 20)}>" for n in range(6_000)
    ),
    "formats that stay open": lambda: (
        "<p>" + "".join(f"<font size={n}>" for n in range(9_000)) + "<p>x" * 100_000
    ),
    "rows in rows": lambda: '<div class="result">' * 45_000,
}
PARTS = {
    DuckDuckGo: [
        *('<div class="result">', '<div id="links" class="results">', "</div></a>"),
        '<a class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fa">',
    ],
    Baidu: [
        *('<div id="content_left">', '<div class="result c-container">'),
        *('<h3><a href="/link?url=x">', "</div></a></h3>"),
    ],
    Google: [
        *(
            '<div id="search">',
            '<div id="rso">',
            '<div id="tads">',
            "<h3>",
            "</h3></a>",
        ),
        *('<a href="https://a.example/x">', '<a href="/search?q=x">', "</td></div>"),
        *('<div class="VwiC3b">', '<div id="botstuff">', "<table><tr><td>", "<p>"),
        '<iframe src="/httpservice/retry/enablejs">',
    ],
}


def attributes(first: int, count: int) -> str:
    return " ".join(f"a{number}" for number in range(first, first + count))


class Hasty(DuckDuckGo):
    """An engine that soon gives up on a page."""

    parse_seconds = 0.5


@pytest.mark.spec("O5")
@pytest.mark.parametrize("shape", HOSTILE)
@pytest.mark.parametrize(
    "mark",
    ['<div id="links"', pytest.param("</body>", marks=pytest.mark.slow)],
    ids=["head", "end"],
)
async def test_hostile(shape: str, mark: str) -> None:
    """A page made to cost time is an error in time, and the next search works."""
    good = CASES["ddg_html"].ten
    hostile = good.replace(mark, HOSTILE[shape]() + mark)
    with served(lambda _: html(hostile)) as server:
        engine = Hasty(HttpClient(), url=server.url)
        with pytest.raises(WebParseError, match="DuckDuckGo") as caught:
            await engine.asearch(SearchRequest("q"))
        server.script = lambda _: html(good)
        response = await engine.asearch(SearchRequest("q"))
        await engine.aclose()

    assert caught.value.detail_code == "page_too_slow"
    assert len(response.items) == 10


async def test_much_memory() -> None:
    """A page made to cost gigabytes ends at the worker's limit."""
    page = CASES["ddg_html"].ten.replace("</body>", HOSTILE_PAGES["unclosed fonts"]())
    engine = DuckDuckGo(HttpClient())
    engine.parse_seconds = 60
    with pytest.raises(WebParseError) as caught:
        await engine.read(Reply(200, {}, page.encode()))
    await engine.aclose()

    assert caught.value.detail_code in {"page_too_heavy", "page_unreadable"}


@pytest.mark.parametrize("kind", PARTS)
async def test_any_page(kind: type[PageEngine]) -> None:
    """However its parts are mixed, a page gives results or an error, never neither."""
    engine, dice = kind(HttpClient()), random.Random(1)
    parts = [*PARTS[kind], "<td><b>", "<em>x</em>", "x", "</html>"]
    for _ in range(200):
        page = "".join(dice.choices(parts, k=dice.randrange(30)))
        with suppress(SearchError):
            assert await engine.read(Reply(200, {}, page.encode()))
    await engine.aclose()


def parsed(name: str, page: str) -> list[SearchItem]:
    reply = Reply(200, {}, page.encode("utf-8", "replace"))
    return list(asyncio.run(CLASSES[name](HttpClient()).read(reply)))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@pytest.mark.parametrize("name", ["brave", "bocha"])
@given(fields=st.dictionaries(st.sampled_from(sorted(brave_row() | bocha_row())), JSON))
def test_any_row(name: str, fields: dict[str, object]) -> None:
    """Whatever the fields of a row hold, it is an item of texts, or malformed."""
    case = CASES[name]
    page = case.page(case.row(), case.row() | fields)

    for item in parsed(name, page):
        assert {type(item.title), type(item.url), type(item.snippet)} == {str}


@pytest.mark.parametrize("name", ["brave", "bocha"])
@given(data=st.dictionaries(st.sampled_from(["type", "web", "code", "data"]), JSON))
def test_any_envelope(name: str, data: dict[str, object]) -> None:
    """Whatever an answer holds, it gives results or an error of the tree."""
    with suppress(SearchError):
        parsed(name, json.dumps(data))
