"""Baidu: what it alone has."""

import time
from html import escape

import pytest
from support.search.asked_engine import answered, form, requested
from support.search.engine_pages import (
    BAIDU_EMPTY,
    BAIDU_REFUSAL,
    baidu_card,
    baidu_page,
    html,
)

from websearch.errors import WebBlocked


async def test_time_range() -> None:
    """A time range is sent as the moments between which a page was found."""
    (request,) = await requested("baidu_html", html(BAIDU_EMPTY), time_range="week")

    span = form(request)["gpc"].removeprefix("stf=").removesuffix("|stftype=1")
    since, until = map(int, span.split(","))
    assert until - since == 7 * 86_400
    assert abs(time.time() - until) < 60


@pytest.mark.parametrize(
    "words", ["广告", "百度安全验证", '<noscript><meta http-equiv="refresh">']
)
async def test_words(words: str) -> None:
    """The words for an advertisement, a block or a refusal may be those of a title."""
    card = baidu_card().replace("第 1 个<em>结果</em>", f"<em>{escape(words)}</em>")

    response = await answered("baidu_html", html(baidu_page(card, query=words)))

    assert [item.title for item in response.items] == [words]


async def test_refused() -> None:
    """The page for programs of an unknown User-Agent is a refusal that names it."""
    with pytest.raises(WebBlocked, match="User-Agent"):
        await answered("baidu_html", html(BAIDU_REFUSAL))
