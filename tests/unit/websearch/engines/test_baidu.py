"""Baidu: what it alone has."""

import time
from html import escape

import pytest
from support.search.asked_engine import answered, form, requested
from support.search.engine_pages import (
    BAIDU_EMPTY,
    baidu_card,
    baidu_page,
    html,
)
from support.servers.loopback import served

from websearch import SearchService
from websearch.engines import Baidu
from websearch.network.client import HttpClient

LINK = "http://www.baidu.com/link?url=k1"


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


async def test_way_of_a_link() -> None:
    """Baidu's `/link?url=` reaches provider_meta, by the address that replaced it."""
    page = baidu_page(baidu_card(1, mu="https://A.example/x"), baidu_card(2))
    with served(lambda _: html(page)) as server:
        async with SearchService(Baidu(HttpClient(), url=f"{server.url}/s")) as service:
            response = await service.asearch("q")

    view = response.as_items()
    assert [i["url"] for i in view["items"]] == [
        "https://a.example/x",
        "http://www.baidu.com/link?url=k2",
    ]
    assert view["provider_meta"]["links"] == {"https://a.example/x": LINK}
    assert all("link" not in i for i in view["items"])


async def test_direct_link() -> None:
    """A heading that links to the page itself is no redirect."""
    card = baidu_card(1, mu="https://a.example/").replace(LINK, "https://b.example/")
    found = (await answered("baidu_html", html(baidu_page(card)))).items

    assert [(i.url, i.link) for i in found] == [("https://a.example/", None)]
