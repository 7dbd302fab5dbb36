"""Whatever an engine sends instead of its page is an error that names the engine."""

import asyncio
import gzip
import json
import random
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.asked_engine import CLASSES, engine_at, search_at
from support.engine_pages import (
    baidu_card,
    baidu_page,
    bocha_page,
    bocha_row,
    brave_page,
    brave_row,
    cuts,
    ddg_page,
    ddg_row,
    html,
)
from support.hostile_pages import HOSTILE_PAGES
from support.loopback import Answer, served

from websearch.engines import Baidu, DuckDuckGo, Google
from websearch.engines.page_engine import PageEngine
from websearch.errors import SearchError, WebParseError
from websearch.models import SearchItem, SearchRequest
from websearch.network.client import HttpClient
from websearch.network.response import Reply

PAGES = {
    "ddg_html": ddg_page(*(ddg_row(n) for n in range(1, 11))),
    "baidu_html": baidu_page(*(baidu_card(n) for n in range(1, 11))),
    "brave": json.dumps(brave_page(*(brave_row(n) for n in range(1, 11)))),
    "bocha": json.dumps(bocha_page(*(bocha_row(n) for n in range(1, 11)))),
}
# What a redesign changes: every name that we know the page by.
NAMES = {
    "ddg_html": ("result",),
    "baidu_html": ("content_left", "c-container"),
    "brave": ("results",),
    "bocha": ("webPages",),
}
SCRAPED = ("ddg_html", "baidu_html")
SPOILED = {
    "blank": "\n \n",
    "other page": "<!DOCTYPE html><html><body>Welcome.</body></html>",
    "null": "null",
    "deep": "<div>" * 50_000,
    "deep JSON": "[" * 50_000,
}
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


async def read(name: str, body: bytes, **headers: str) -> list[SearchItem]:
    answer = Answer(body, headers=headers)
    with served(lambda _: answer) as server:
        try:
            return list((await search_at(name, server)).items)
        finally:
            await asyncio.sleep(0.01)  # the end of the server blocks this loop


def parsed(name: str, page: str) -> list[SearchItem]:
    reply = Reply(200, {}, page.encode("utf-8", "replace"))
    return list(asyncio.run(CLASSES[name](HttpClient()).read(reply)))


def changed(name: str, page: str) -> str:
    for known in NAMES[name]:
        page = page.replace(known, "novel")
    return page


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("kind", [*SPOILED, "changed"])
async def test_spoiled(name: str, kind: str) -> None:
    """A page that is empty, changed or deep is no empty success."""
    page = changed(name, PAGES[name]) if kind == "changed" else SPOILED[kind]

    with pytest.raises(WebParseError, match=CLASSES[name].title) as caught:
        await read(name, page.encode())

    assert caught.value.provider == name


@pytest.mark.parametrize("name", PAGES)
async def test_cut(name: str) -> None:
    """A page that broke off anywhere is an error that names the engine."""
    with served(lambda _: Answer("")) as server:
        engine = engine_at(name, server.url)
        for body in cuts(PAGES[name].encode()):
            server.script = lambda _, body=body: Answer(body)
            with pytest.raises(WebParseError, match=CLASSES[name].title):
                await engine.asearch(SearchRequest("q"))
        await engine.aclose()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("is_packed", [False, True], ids=["plain", "packed"])
async def test_huge(name: str, is_packed: bool) -> None:
    """A page of 10 MB is refused, also where it came packed in few bytes."""
    body = PAGES[name].encode() + b" " * 10_000_000
    coding = {"Content-Encoding": "gzip"} if is_packed else {}

    with pytest.raises(WebParseError, match=CLASSES[name].title) as caught:
        await read(name, gzip.compress(body) if is_packed else body, **coding)

    assert caught.value.detail_code == "too_large"


@pytest.mark.parametrize("name", SCRAPED)
@pytest.mark.parametrize(
    "kind", ["text/html", "text/html; charset=unknown", "application/octet-stream"]
)
async def test_chinese_without_label(name: str, kind: str) -> None:
    """A page in GBK that nobody labelled is read as it was written."""
    page = PAGES[name].replace('<meta charset="utf-8">', "")
    page = page.replace("About", "关于").replace("摘要", "关于")

    found = await read(name, page.encode("gbk"), **{"Content-Type": kind})

    assert len(found) == 10
    assert found[0].snippet.startswith("关于")


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
    good = PAGES["ddg_html"]
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
    page = PAGES["ddg_html"].replace("</body>", HOSTILE_PAGES["unclosed fonts"]())
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


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@pytest.mark.parametrize("name", ["brave", "bocha"])
@given(fields=st.dictionaries(st.sampled_from(sorted(brave_row() | bocha_row())), JSON))
def test_any_row(name: str, fields: dict[str, object]) -> None:
    """Whatever the fields of a row hold, it is an item of texts, or malformed."""
    row = bocha_row() if name == "bocha" else brave_row()
    page = (bocha_page if name == "bocha" else brave_page)(row, row | fields)

    for item in parsed(name, json.dumps(page)):
        assert {type(item.title), type(item.url), type(item.snippet)} == {str}


@pytest.mark.parametrize("name", ["brave", "bocha"])
@given(data=st.dictionaries(st.sampled_from(["type", "web", "code", "data"]), JSON))
def test_any_envelope(name: str, data: dict[str, object]) -> None:
    """Whatever an answer holds, it gives results or an error of the tree."""
    with suppress(SearchError):
        parsed(name, json.dumps(data))
