"""Pages that others captured from the engines, read as they are."""

import pytest
from support.asked_engine import answered, engine_at
from support.engine_pages import cuts, html
from support.paths import SHARED

from websearch.errors import WebBlocked, WebParseError
from websearch.models import SearchItem
from websearch.network.response import Reply

PAGES = SHARED / "pages"
DDG, BAIDU = "ddg/danilo_ddg_html_pagina_1.html", "baidu/openserp_2026_results.html"

pytestmark = pytest.mark.skipif(
    not PAGES.is_dir(), reason="the captured pages are not beside the project"
)


async def read(name: str, body: bytes) -> list[SearchItem]:
    return list((await answered(name, html(body))).items)


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
