"""Pages that others captured from the engines, read as they are."""

from collections.abc import Sequence

import pytest
from support.paths import SHARED
from support.search.asked_engine import answered
from support.search.engine_pages import html

from websearch.errors import WebBlocked
from websearch.models import SearchItem

PAGES = SHARED / "pages"
DDG, BAIDU = "ddg/danilo_ddg_html_pagina_1.html", "baidu/openserp_2026_results.html"
GOOGLE = "google/openserp_2026_results.html"

pytestmark = pytest.mark.skipif(
    not PAGES.is_dir(), reason="the captured pages are not beside the project"
)


async def read(name: str, file: str) -> Sequence[SearchItem]:
    return (await answered(name, html((PAGES / file).read_bytes()))).items


# Page and engine: how many results a reader sees, and the title of the first.
RESULTS = {
    ("ddg_html", DDG): (10, "Rust Programming Language"),
    ("baidu_html", BAIDU): (8, "megadeath- Baidu Baike"),
    ("brave", "brave/vgi_brave_trimmed.json"): (2, "DuckDB Arrow Protocol"),
    ("bocha", "bocha/web_search_sample.json"): (
        7,
        "阿里巴巴发布2024年ESG报告　持续推进减碳与数字化普惠",
    ),
    ("google", "google/serpspider_2019_05_plombier.html"): (
        10,
        "Plombier Paris - Meilleurs plombiers à Paris | 10% de réduction",
    ),
    ("google", GOOGLE): (10, "Using the Fetch API - MDN Web Docs"),
}


@pytest.mark.parametrize(("name", "file"), RESULTS)
async def test_results(name: str, file: str) -> None:
    """As many results are found as a reader sees, the first of them first, and no
    advertisements."""
    items = await read(name, file)

    assert (len(items), items[0].title) == RESULTS[name, file]
    assert all(item.url.startswith("http") for item in items)
    assert all(item.snippet for item in items)


async def test_unwrapped() -> None:
    """DuckDuckGo's wrapped links lead to the pages themselves."""
    items = await read("ddg_html", DDG)

    assert items[0].url == "https://rust-lang.org/"
    assert not any("duckduckgo" in item.url for item in items)


async def test_google_dates() -> None:
    """The dates that Google shows before a snippet are read, and leave it."""
    items = await read("google", GOOGLE)

    assert sum(item.published_at is not None for item in items) == 5
    assert items[0].published_at == "2025-08-20"
    assert items[0].snippet.startswith("With the Fetch API")


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("google", "google/openserp_2026_no_results.html"),
        ("baidu_html", "baidu/openserp_2026_no_results.html"),
    ],
)
async def test_nothing_found(name: str, file: str) -> None:
    """A page without results is a success."""
    assert not await read(name, file)


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("ddg_html", "ddg_anomaly_202_crush.html"),
        ("ddg_html", "danilo_interstitial_ddg_anomaly.html"),
        ("baidu_html", "baidu_captcha_openserp_2026.html"),
        ("google", "google_sorry_openserp_2026_04.html"),
        ("google", "google_enablejs_openserp_2026.html"),
    ],
)
async def test_blocks(name: str, file: str) -> None:
    """A challenge is known by its nodes, also where it comes with 200."""
    with pytest.raises(WebBlocked) as caught:
        await read(name, f"block/{file}")

    code = "js_required" if "enablejs" in file else "captcha_required"
    assert caught.value.detail_code == code
