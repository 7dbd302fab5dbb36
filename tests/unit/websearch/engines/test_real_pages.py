"""Pages that others captured from the engines, read as they are."""

from collections.abc import Sequence

import pytest
from support.asked_engine import answered, engine_at
from support.engine_pages import cuts, html
from support.paths import SHARED

from websearch.engines.google import Google
from websearch.errors import WebBlocked, WebParseError
from websearch.models import SearchItem
from websearch.network.client import HttpClient
from websearch.network.response import Reply

PAGES = SHARED / "pages"
GOOGLE_2019 = "google/serpspider_2019_05_plombier.html"
GOOGLE_2026 = "google/openserp_2026_results.html"
DDG, BAIDU = "ddg/danilo_ddg_html_pagina_1.html", "baidu/openserp_2026_results.html"

pytestmark = pytest.mark.skipif(
    not PAGES.is_dir(), reason="the captured pages are not beside the project"
)


async def read(name: str, body: bytes) -> list[SearchItem]:
    return list((await answered(name, html(body))).items)


async def google(file: str) -> Sequence[SearchItem]:
    engine = Google(HttpClient())
    try:
        return await engine.read(Reply(200, {}, (PAGES / file).read_bytes()))
    finally:
        await engine.aclose()


@pytest.mark.parametrize(
    ("name", "file", "count", "title"),
    [
        ("ddg_html", DDG, 10, "Rust Programming Language"),
        ("baidu_html", BAIDU, 8, "megadeath- Baidu Baike"),
        ("brave", "brave/vgi_brave_trimmed.json", 2, "DuckDB Arrow Protocol"),
        (
            "bocha",
            "bocha/web_search_sample.json",
            7,
            "阿里巴巴发布2024年ESG报告　持续推进减碳与数字化普惠",
        ),
    ],
    ids=["ddg_html", "baidu_html", "brave", "bocha"],
)
async def test_results(name: str, file: str, count: int, title: str) -> None:
    """As many results are found as a reader sees, the first of them first."""
    items = await read(name, (PAGES / file).read_bytes())

    assert (len(items), items[0].title) == (count, title)
    assert all(item.url.startswith("http") for item in items)
    assert all(item.snippet for item in items)


async def test_unwrapped() -> None:
    """DuckDuckGo's wrapped links lead to the pages themselves."""
    items = await read("ddg_html", (PAGES / DDG).read_bytes())

    assert items[0].url == "https://rust-lang.org/"
    assert not any("duckduckgo" in item.url for item in items)


@pytest.mark.parametrize(
    ("file", "first", "last"),
    [
        (
            GOOGLE_2019,
            "Plombier Paris - Meilleurs plombiers à Paris | 10% de réduction",
            "Plombier Paris | plombier 92 - 24H/ 7J - Devis gratuit - Tarifs pas chers",
        ),
        (
            GOOGLE_2026,
            "Using the Fetch API - MDN Web Docs",
            "Using Fetch API to Access JSON - javascript",
        ),
    ],
    ids=["2019", "2026"],
)
async def test_google(file: str, first: str, last: str) -> None:
    """Google's ten results are found, without its advertisements."""
    items = await google(file)

    assert (len(items), items[0].title, items[-1].title) == (10, first, last)
    assert all(item.snippet for item in items)


async def test_google_dates() -> None:
    """The dates that Google shows before a snippet are read, and leave it."""
    items = await google(GOOGLE_2026)

    assert sum(item.published_at is not None for item in items) == 5
    assert items[0].published_at == "2025-08-20"
    assert items[0].snippet.startswith("With the Fetch API")


async def test_google_nothing_found() -> None:
    """Google's page without results is a success."""
    assert await google("google/openserp_2026_no_results.html") == []


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("google_sorry_openserp_2026_04.html", "captcha_required"),
        ("google_enablejs_openserp_2026.html", "js_required"),
    ],
)
async def test_google_blocks(file: str, code: str) -> None:
    """Google's pages in place of results are known by their nodes."""
    with pytest.raises(WebBlocked) as caught:
        await google(f"block/{file}")

    assert caught.value.detail_code == code


async def test_nothing_found() -> None:
    """Baidu's page without results is a success."""
    file = PAGES / "baidu" / "openserp_2026_no_results.html"

    assert await read("baidu_html", file.read_bytes()) == []


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("ddg_html", "ddg_anomaly_202_crush.html"),
        ("ddg_html", "danilo_interstitial_ddg_anomaly.html"),
        ("baidu_html", "baidu_captcha_openserp_2026.html"),
    ],
)
async def test_blocks(name: str, file: str) -> None:
    """A challenge is known by its nodes, also where it comes with 200."""
    with pytest.raises(WebBlocked) as caught:
        await read(name, (PAGES / "block" / file).read_bytes())

    assert caught.value.detail_code == "captcha_required"


@pytest.mark.parametrize(("name", "file"), [("ddg_html", DDG), ("baidu_html", BAIDU)])
async def test_cut(name: str, file: str) -> None:
    """A page that broke off is an error, wherever it did."""
    engine = engine_at(name, "https://engine.example")
    for body in cuts((PAGES / file).read_bytes()):
        with pytest.raises(WebParseError):
            await engine.read(Reply(200, {}, body))
    await engine.aclose()


@pytest.mark.parametrize(
    ("name", "file"),
    [("ddg_html", BAIDU), ("baidu_html", DDG), ("brave", DDG), ("bocha", BAIDU)],
)
async def test_another_page(name: str, file: str) -> None:
    """The page of another engine is an error."""
    with pytest.raises(WebParseError):
        await read(name, (PAGES / file).read_bytes())
