"""Baidu: what is sent, and what becomes of every kind of page."""

import re
import time

import pytest
from support.asked_engine import asked
from support.engine_pages import (
    BAIDU_BLOCK,
    BAIDU_EMPTY,
    BAIDU_REFUSAL,
    baidu_card,
    baidu_page,
    html,
)
from support.loopback import Answer, Loopback

from websearch.errors import WebBlocked, WebParseError

PAGE = baidu_page(*(baidu_card(n) for n in range(1, 11)))
ANSWER = html(PAGE)
ABSTRACT = "天气很好，适合出门散步，也适合在家里看书。"
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
        baidu_card(1).replace("result c-container", "_3rq EC_result c-container"),
        baidu_card(1, **{"data-cmatchid": "225"}),
        baidu_card(1).replace("/link?url", "/baidu.php?url"),
        baidu_card(1, extra="<u>x</u>" * 500 + "<span>广告</span>"),
    ],
    ids=[
        "label",
        "link label",
        "label in parts",
        "mark",
        "own mark",
        "class",
        "own class",
        "own data",
        "redirect",
        "label of a large card",
    ],
)
async def test_advertisements(advert: str) -> None:
    """Advertisements are dropped, by label, mark or redirect."""
    response = await answered(html(baidu_page(advert, baidu_card(2))))

    assert [item.title for item in response.items] == ["第 2 个结果"]


NO_PAGES = {
    "search": {"href": "/s?wd=more"},
    "whole address": {"href": "http://www.baidu.com/s?wd=more"},
    "videos": {"href": "/sf/vsearch?wd=q"},
    "script": {"href": "javascript:void(0)"},
    "stated search": {"mu": "https://www.baidu.com/s?tn=news&amp;wd=ip"},
    "pictures": {"mu": "https://image.baidu.com/search/index?tn=x&amp;word=ip"},
    "papers": {"mu": "http://xueshu.baidu.com/s?wd=ip"},
    "placeholder": {"mu": "http://3108.lightapp.baidu.com/ip"},
    "more searches": {"mu": "http://28608.recommend_list.baidu.com"},
}


@pytest.mark.parametrize("card", NO_PAGES.values(), ids=NO_PAGES)
async def test_own_searches(card: dict[str, str]) -> None:
    """A card that leads to a search or a collection of Baidu's own is no result."""
    stated = {name: value for name, value in card.items() if name == "mu"}
    own = baidu_card(1, **stated)
    own = own.replace("http://www.baidu.com/link?url=k1", card.get("href", "/link?u=1"))

    response = await answered(html(baidu_page(own, baidu_card(2))))

    assert [item.title for item in response.items] == ["第 2 个结果"]


@pytest.mark.parametrize(
    "url",
    [
        "https://baijiahao.baidu.com/s?id=1700&wfr=spider",
        "https://baike.baidu.com/item/Python/407313?word=x",
        "https://tieba.baidu.com/f?kw=python",
        "https://www.baidu.com/",
        "https://example.org/s?wd=q",
    ],
)
async def test_own_pages(url: str) -> None:
    """Pages of Baidu's sites, and searches of other sites, are results."""
    response = await answered(html(baidu_page(baidu_card(mu=url))))

    assert [item.url for item in response.items] == [url]


async def test_heading_in_link() -> None:
    """A card whose heading stands inside its link is read like any other."""
    card = (
        '<div class="c-container"><a href="http://www.baidu.com/link?url=c">'
        f"<h3>Python - <em>Gitee</em></h3><p>{ABSTRACT}</p></a></div>"
    )

    (item,) = (await answered(html(baidu_page(card)))).items

    assert (item.title, item.snippet) == ("Python - Gitee", ABSTRACT)
    assert item.url == "http://www.baidu.com/link?url=c"


async def test_title_alone() -> None:
    """A badge beside the link of a heading is no part of the title."""
    card = baidu_card().replace("</h3>", '<span class="c-icon">官方</span></h3>')

    assert (await answered(html(baidu_page(card)))).items[0].title == "第 1 个结果"


async def test_group() -> None:
    """Cards that Baidu puts into a frame are results each."""
    group = f'<div class="c-group-wrapper">{baidu_card(1)}{baidu_card(2)}</div>'

    response = await answered(html(baidu_page(group, baidu_card(3))))

    assert [item.title[2] for item in response.items] == ["1", "2", "3"]


async def test_scripts_between_cards() -> None:
    """Scripts and styles between the cards take the place of none."""
    between = "<script>a()</script><style>b{}</style>" * 20
    page = baidu_page(*(baidu_card(n) + between for n in range(1, 11)))

    assert len((await answered(html(page))).items) == 10


SNIPPETS = {
    "2026": '<div data-module="abstract"><div class="x_1">{}</div></div>',
    "2025": '<div class="summary-gap_3Jb4I"><span class="s_1">{}</span></div>',
    "2021": '<span class="content-right_8Zs40">{}</span>',
    "2017": '<div class="c-abstract">{}</div>',
    "text alone": '<div><span class="summary-text_15QGa">{}</span></div>',
    "encyclopedia": '<div class="text_2NOr6">{}</div>',
    "old encyclopedia": '<p class="c-color-text c-line-clamp2">{}</p>',
    "unknown names": '<div class="c-row"><span>视频</span><div><p>时长 03:20</p>'
    '<p class="n_9">{}</p></div><a href="#">' + 2 * ABSTRACT + "</a></div>",
    "font": '<font size="-1">{}</font>',
    "no names": "<div><span>来源</span><div>{} <em>详细</em></div></div>",
}


def card_with(text: str, kind: str = "2025") -> str:
    plain = '<span class="content-right_8Zs40">摘要 1。</span>'
    return baidu_card().replace(plain, SNIPPETS[kind].format(text))


@pytest.mark.parametrize("kind", SNIPPETS)
async def test_snippets(kind: str) -> None:
    """The abstract of a card is found in the forms of all years, and in others."""
    (item,) = (await answered(html(baidu_page(card_with(ABSTRACT, kind))))).items

    assert item.snippet.removesuffix(" 详细") == ABSTRACT


async def test_short_texts_are_no_snippet() -> None:
    """The names of buttons and sources don't stand for an abstract."""
    page = baidu_page(card_with("<p>播报</p><p>暂停</p>", "no names"))

    assert (await answered(html(page))).items[0].snippet == ""


@pytest.mark.parametrize(
    "text",
    [
        f"<span>2024年6月20日</span><span>{ABSTRACT}</span>",
        f"<div><span> 2024年06月20日 </span>{ABSTRACT}</div>",
        f'<p><span class="newTimeFactor_before_abs">2024年6月20日 - </span>{ABSTRACT}',
    ],
    ids=["2025", "block", "2019"],
)
async def test_date(text: str) -> None:
    """The date before a snippet is the page's, and no part of the snippet."""
    (item,) = (await answered(html(baidu_page(card_with(text))))).items

    assert (item.published_at, item.snippet) == ("2024-06-20", ABSTRACT)


@pytest.mark.parametrize("name", ["c-color-gray2", "prefix-time_650Xx"])
async def test_date_beside(name: str) -> None:
    """The date that stands before the snippet, and not in it, is the page's too."""
    date = f'<span class="{name}">2024年6月20日 </span>'
    card = baidu_card().replace("</h3>", f"</h3>{date}")

    (item,) = (await answered(html(baidu_page(card)))).items

    assert (item.published_at, item.snippet) == ("2024-06-20", "摘要 1。")


async def test_dates_of_a_list() -> None:
    """The dates of several entries in one card are the date of none."""
    entries = "".join(
        f'<p>条目 {n} <span class="c-color-gray2">2024年6月2{n}日</span></p>'
        for n in range(2)
    )

    (item,) = (await answered(html(baidu_page(baidu_card(extra=entries))))).items

    assert item.published_at is None


@pytest.mark.parametrize(
    "text",
    [
        f"2024年6月20日，{ABSTRACT}",
        f"<span>2024年6月20日，北京</span>{ABSTRACT}",
        f"北京<span>2024年6月20日</span>{ABSTRACT}",
        f"<span>2周前</span> {ABSTRACT}",
        f"<span><em>今天</em></span>{ABSTRACT}",
    ],
    ids=["sentence", "part of a sentence", "in the middle", "no day", "of the query"],
)
async def test_dates_in_words(text: str) -> None:
    """A date that belongs to the snippet's words stays there, and is nobody's."""
    (item,) = (await answered(html(baidu_page(card_with(text))))).items

    assert item.published_at is None
    assert item.snippet == re.sub("<[^>]+>", "", text)


async def test_large_page() -> None:
    """A page of 2.5 MB is read whole."""
    scripts = f"<script>{'x' * 250_000}</script>"
    page = baidu_page(*(baidu_card(n) + scripts for n in range(1, 11)))

    assert len((await answered(html(page))).items) == 10


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


async def test_charset() -> None:
    """The header's charset is known where the page names another one."""
    page = baidu_page(baidu_card(), charset="utf-8")
    headers = {"Content-Type": "text/html; charset=GBK"}

    response = await answered(Answer(page.encode("gbk"), headers=headers))

    assert response.items[0].snippet == "摘要 1。"


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


async def test_user_agent_refused() -> None:
    """The page for programs of an unknown User-Agent is a refusal of its own name."""
    with pytest.raises(WebBlocked, match="User-Agent") as caught:
        await answered(html(BAIDU_REFUSAL))

    assert caught.value.detail_code == "user_agent_refused"


@pytest.mark.parametrize(
    "page",
    [
        baidu_page(baidu_card()).replace("</body>", "<noscript><meta http-equiv=refresh"
        " content='0;url=http://www.baidu.com/'></noscript></body>"),
        baidu_page(baidu_card(), query='<noscript><meta http-equiv="refresh">'),
    ],
    ids=["page without scripts", "words of a query"],
)  # fmt: skip
async def test_results_are_no_refusal(page: str) -> None:
    """A page of results is none of a refusal, whatever else stands on it."""
    assert len((await answered(html(page))).items) == 1


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
    ],
    ids=["list renamed", "titles renamed", "no cards"],
)
async def test_unexpected(page: str) -> None:
    """A page that is not the one we know is an error that names the engine."""
    with pytest.raises(WebParseError, match="Baidu"):
        await answered(html(page))
