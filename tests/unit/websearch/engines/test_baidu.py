"""Baidu: what is sent, and what becomes of every kind of page."""

import time

import pytest
from support.asked_engine import asked
from support.engine_pages import (
    BAIDU_BLOCK,
    BAIDU_EMPTY,
    baidu_card,
    baidu_page,
    ddg_page,
    ddg_row,
    html,
)
from support.loopback import Answer, Loopback

from websearch.errors import WebBlocked, WebParseError

PAGE = baidu_page(*(baidu_card(n) for n in range(1, 11)))
ANSWER = html(PAGE)
GATE = "https://wappass.baidu.com/static/captcha/tuxing.html?ak=x"


search, answered = asked("baidu_html")


@pytest.mark.spec("J3")
async def test_chinese(server: Loopback) -> None:
    """Chinese is sent as UTF-8, and Chinese results come back."""
    response = await search(server, "北京 天气")

    (request,) = server.requests
    assert request.target.startswith(
        "/search?wd=%E5%8C%97%E4%BA%AC+%E5%A4%A9%E6%B0%94&"
    )
    assert request.params["ie"] == "utf-8"
    assert request.headers["user-agent"].startswith("websearch-chat/")
    assert response.items[0].title == "第 1 个结果"
    assert response.items[0].snippet == "摘要 1。"


async def test_options(server: Loopback) -> None:
    """Time range and site are passed on."""
    await search(server, time_range="week", site_filter="docs.example.org")

    params = server.requests[0].params
    since, until = params["gpc"].removesuffix("|stftype=1")[4:].split(",")
    assert params["wd"] == "q site:docs.example.org"
    assert int(until) - int(since) == 7 * 86_400
    assert abs(time.time() - int(until)) < 60


async def test_link_kept(server: Loopback) -> None:
    """Baidu's redirect stays where the page does not state the target."""
    response = await search(server)

    assert len(response.items) == 10
    assert response.items[0].url == "http://www.baidu.com/link?url=k1"


@pytest.mark.parametrize(
    ("stated", "url"),
    [
        ("https://a.example/x", "https://a.example/x"),
        ("http://nourl.ubs.baidu.com/1", "http://www.baidu.com/link?url=k1"),
        ("javascript:alert(1)", "http://www.baidu.com/link?url=k1"),
        ("//a.example/x", "http://www.baidu.com/link?url=k1"),
        ("https://[x", "http://www.baidu.com/link?url=k1"),
        ("", "http://www.baidu.com/link?url=k1"),
    ],
)
async def test_stated_target(stated: str, url: str) -> None:
    """A target that the page states is taken where it is an http(s) address."""
    response = await answered(html(baidu_page(baidu_card(mu=stated))))

    assert response.items[0].url == url


@pytest.mark.parametrize(
    "advert",
    [
        baidu_card(1, extra="<span>广告</span>"),
        baidu_card(1, extra='<a class="m">商业推广</a>'),
        baidu_card(1, extra="<span>\n <b>广</b>告<!-- --> </span>"),
        baidu_card(1, extra='<i data-tuiguang="1"></i>'),
        baidu_card(1, **{"data-tuiguang": "1"}),
        baidu_card(1, extra='<b class="ec-tuiguang"></b>'),
        baidu_card(1).replace("http://www.baidu.com/link", "/s"),
    ],
    ids=[
        "label",
        "link label",
        "label in parts",
        "mark",
        "own mark",
        "class",
        "further search",
    ],
)
async def test_advertisements(advert: str) -> None:
    """Advertisements and further searches are dropped."""
    response = await answered(html(baidu_page(advert, baidu_card(2))))

    assert [item.title for item in response.items] == ["第 2 个结果"]


async def test_words_are_no_advertisement() -> None:
    """A result whose title is the word for advertisement stays."""
    card = baidu_card().replace("第 1 个<em>结果</em>", "<em>广告</em>")

    assert (await answered(html(baidu_page(card)))).items[0].title == "广告"


async def test_nested_cards() -> None:
    """A card inside a card is part of it."""
    page = baidu_page(baidu_card(1, extra=baidu_card(2)))

    assert len((await answered(html(page))).items) == 1


async def test_nested_lists() -> None:
    """In nested lists only the outermost counts, so a card is read once."""
    card = baidu_card(1)
    for _ in range(50):
        card = f'<div id="content_left" class="result">{card}</div>'

    assert len((await answered(html(baidu_page(card)))).items) == 1


CHARSETS = {
    "meta": ("gbk", "gbk", ""),
    "meta of a subset": ("gb18030", "gb2312", ""),
    "guessed": ("gbk", "none", ""),
    "header before meta": ("gbk", "utf-8", "; charset=GBK"),
    "guessed UTF-8": ("utf-8", "none", ""),
    "byte order mark": ("utf-8-sig", "gbk", "; charset=gbk"),
    "Big5": ("big5", "big5", ""),
    "labels that are traps": ("gbk", "idna", "; charset=unicode_escape"),
}


@pytest.mark.parametrize(("charset", "meta", "header"), CHARSETS.values(), ids=CHARSETS)
async def test_charsets(charset: str, meta: str, header: str) -> None:
    """A page is decoded as it was written, also where nothing says how."""
    page = baidu_page(baidu_card().replace("摘要", "中文"), charset=meta)
    page = page.replace("个", "").replace("结果", "中").replace("百度搜索", "")
    answer = Answer(
        page.replace("问", "").encode(charset),
        headers={"Content-Type": f"text/html{header}"},
    )

    response = await answered(answer)

    assert response.items[0].snippet == "中文 1。"


async def test_empty() -> None:
    """A page that says so found nothing."""
    assert (await answered(html(BAIDU_EMPTY))).items == []


@pytest.mark.spec("H6")
@pytest.mark.parametrize(
    "answer",
    [
        html(BAIDU_BLOCK),
        html(BAIDU_BLOCK, 403),
        html("", 302, Location=GATE),
        html("<title>百度安全验证</title>"),
        html('<html><body><button class="timeout-button"></button></body></html>'),
    ],
    ids=["page", "403", "redirect", "title", "button"],
)
async def test_captcha(answer: Answer) -> None:
    """Baidu's security check is told as such."""
    with pytest.raises(WebBlocked, match="Baidu") as caught:
        await answered(answer)

    assert caught.value.detail_code == "captcha_required"


async def test_words_are_no_block() -> None:
    """A search for the security check is not one."""
    card = baidu_card().replace("第 1 个<em>结果</em>", "百度安全验证")

    response = await answered(html(baidu_page(card, query="百度安全验证")))

    assert response.items[0].title == "百度安全验证"


@pytest.mark.parametrize(
    "page",
    [
        PAGE.replace("content_left", "left"),
        PAGE.replace("h3", "h4"),
        baidu_page(),
        ddg_page(ddg_row()),
        "",
        "<html></html>",
    ],
    ids=["list renamed", "titles renamed", "no cards", "other", "nothing", "bare"],
)
async def test_unexpected(page: str) -> None:
    """A page that is not the one we know is an error that names the engine."""
    with pytest.raises(WebParseError, match="Baidu"):
        await answered(html(page))
