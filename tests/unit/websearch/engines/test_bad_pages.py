"""Whatever an engine sends instead of its page is an error that names the engine."""

import asyncio
import gzip
import json
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.asked_engine import CLASSES, search_at
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
)
from support.loopback import Answer, served

from websearch.errors import SearchError, WebParseError
from websearch.models import SearchItem
from websearch.network.client import HttpClient
from websearch.network.response import Reply

TITLES = {
    "ddg_html": "DuckDuckGo",
    "baidu_html": "Baidu",
    "brave": "Brave",
    "bocha": "Bocha",
}
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
DEEP = "<div>" * 50_000


async def read(name: str, body: bytes, **headers: str) -> list[SearchItem]:
    answer = Answer(body, headers=headers)
    with served(lambda _: answer) as server:
        try:
            return list((await search_at(name, server)).items)
        finally:
            await asyncio.sleep(0.01)  # the end of the server blocks this loop


def reader(name: str, page: str) -> list[SearchItem]:
    reply = Reply(200, {}, page.encode("utf-8", "replace"))
    return list(CLASSES[name](HttpClient()).read(reply))


def changed(name: str, page: str) -> str:
    for known in NAMES[name]:
        page = page.replace(known, "novel")
    return page


@pytest.mark.parametrize("name", PAGES)
async def test_page(name: str) -> None:
    """The pages that these tests spoil are good ones."""
    assert len(await read(name, PAGES[name].encode())) == 10


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(
    "spoiled",
    [
        lambda _, page: page[: len(page) // 2],
        lambda _, page: page[:-15],
        lambda *_: "",
        lambda *_: "\n \n",
        changed,
        lambda *_: "<!DOCTYPE html><html><body>Welcome.</body></html>",
        lambda *_: "null",
        lambda *_: DEEP,
        lambda *_: "[" * 50_000,
    ],
    ids=[
        "half",
        "end missing",
        "empty",
        "blank",
        "changed",
        "other page",
        "null",
        "deep",
        "deep JSON",
    ],
)
async def test_spoiled(name: str, spoiled: Callable[[str, str], str]) -> None:
    """A page that is cut, empty, changed or deep is no empty success."""

    with pytest.raises(WebParseError, match=TITLES[name]) as caught:
        await read(name, spoiled(name, PAGES[name]).encode())

    assert caught.value.provider == name


@pytest.mark.parametrize("cut", range(20))
@pytest.mark.parametrize("name", PAGES)
async def test_cut(name: str, cut: int) -> None:
    """A page that broke off anywhere is an error that names the engine."""
    with pytest.raises(WebParseError, match=TITLES[name]):
        await read(name, cuts(PAGES[name].encode())[cut])


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("is_packed", [False, True], ids=["plain", "packed"])
async def test_huge(name: str, is_packed: bool) -> None:
    """A page of 10 MB is refused, also where it came packed in few bytes."""
    body = PAGES[name].encode() + b" " * 10_000_000
    coding = {"Content-Encoding": "gzip"} if is_packed else {}

    with pytest.raises(WebParseError, match=TITLES[name]) as caught:
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


@pytest.mark.parametrize("name", SCRAPED)
@pytest.mark.parametrize(
    "filler",
    [
        DEEP,
        '<a class="result__a">' * 45_000,
        "<table>" * 100_000,
        "<p " + " ".join(f"a{n}" for n in range(100_000)) + ">",
        "<p>" + "".join(f"<font size={n}>" for n in range(900)) + "<p>x" * 900,
    ],
    ids=["nested", "links", "tables", "attributes", "formats"],
)
@pytest.mark.parametrize("place", ["in the list", "before the list"])
async def test_tangled(name: str, filler: str, place: str) -> None:
    """A page made to cost time is refused, wherever it is tangled."""
    mark = '<div id="links"' if name == "ddg_html" else '<div id="content_left"'
    before, _, after = PAGES[name].partition(mark)
    page = before + filler + mark + after
    if place == "in the list":
        page = before + mark + after.replace("</body>", filler + "</body>")

    with pytest.raises(WebParseError, match=TITLES[name]) as caught:
        await read(name, page.encode())

    assert caught.value.detail_code == "too_deep"


@pytest.mark.parametrize("name", SCRAPED)
@given(
    words=st.lists(
        st.sampled_from(
            [
                '<div class="result">',
                '<div class="result c-container">',
                '<div id="links" class="results">',
                '<div id="content_left">',
                '<a class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fa">',
                '<h3><a href="/link?url=x">',
                "</div></a></h3>",
                "<td><b>",
                "x",
                "</html>",
            ]
        ),
        max_size=30,
    )
)
def test_any_page(name: str, words: list[str]) -> None:
    """However its parts are mixed, a page gives results or an error, never neither."""
    found: list[SearchItem] | None = None
    with suppress(WebParseError):
        found = reader(name, "".join(words))

    assert found is None or found


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

    for item in reader(name, json.dumps(page)):
        assert {type(item.title), type(item.url), type(item.snippet)} == {str}


@pytest.mark.parametrize("name", ["brave", "bocha"])
@given(data=st.dictionaries(st.sampled_from(["type", "web", "code", "data"]), JSON))
def test_any_envelope(name: str, data: dict[str, object]) -> None:
    """Whatever an answer holds, it gives results or an error of the tree."""
    with suppress(SearchError):
        reader(name, json.dumps(data))
