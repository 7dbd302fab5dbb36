"""Baidu: what is sent, and what becomes of every kind of page."""

import re
import time
from html import escape

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


def leading_to(href: str) -> str:
    return baidu_card().replace("http://www.baidu.com/link?url=k1", href)


NO_RESULTS = {
    # advertisements, by label, mark or redirect
    "label": baidu_card(extra="<span>广告</span>"),
    "link label": baidu_card(extra='<a class="m">商业推广</a>'),
    "label in parts": baidu_card(extra="<span>\n <b>广</b>告<!-- --> </span>"),
    "mark": baidu_card(extra='<i data-tuiguang="1"></i>'),
    "own mark": baidu_card(**{"data-tuiguang": "1"}),
    "class": baidu_card(extra='<b class="ec-tuiguang"></b>'),
    "own class": baidu_card().replace("result c-", "_3rq EC_result c-"),
    "own data": baidu_card(**{"data-cmatchid": "225"}),
    "redirect": baidu_card().replace("/link?url", "/baidu.php?url"),
    "label of a large card": baidu_card(extra="<u>x</u>" * 500 + "<span>广告</span>"),
    # searches and collections of Baidu's own
    "search": leading_to("/s?wd=more"),
    "whole address": leading_to("http://www.baidu.com/s?wd=more"),
    "videos": leading_to("/sf/vsearch?wd=q"),
    "script": leading_to("javascript:void(0)"),
    "stated search": baidu_card(mu="https://www.baidu.com/s?tn=news&amp;wd=ip"),
    "pictures": baidu_card(mu="https://image.baidu.com/search/index?tn=x&amp;word=ip"),
    "papers": baidu_card(mu="http://xueshu.baidu.com/s?wd=ip"),
    "placeholder": baidu_card(mu="http://3108.lightapp.baidu.com/ip"),
    "more searches": baidu_card(mu="http://28608.recommend_list.baidu.com"),
}


@pytest.mark.parametrize("kind", NO_RESULTS)
async def test_no_results(kind: str) -> None:
    """Advertisements, and links to Baidu's own searches, are no results."""
    response = await answered(html(baidu_page(NO_RESULTS[kind], baidu_card(2))))

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


def card_beside(*texts: str) -> str:
    return baidu_card().replace("</h3>", "</h3>" + "".join(texts))


DAY = "<span>2024年6月20日</span>"
BEFORE = '<p><span class="newTimeFactor_before_abs">2024年6月20日 - </span>'
# Cards whose date is that of the page, and their snippet without it.
DATED = {
    "2025": (card_with(f"{DAY}<span>{ABSTRACT}</span>"), ABSTRACT),
    "block": (
        card_with(f"<div><span> 2024年06月20日 </span>{ABSTRACT}</div>"),
        ABSTRACT,
    ),
    "2019": (card_with(BEFORE + ABSTRACT), ABSTRACT),
    "gray": (card_beside(DAY.replace(">", ' class="c-color-gray2">', 1)), "摘要 1。"),
    "prefix": (card_beside(DAY.replace(">", ' class="prefix-time_6">', 1)), "摘要 1。"),
}


@pytest.mark.parametrize("kind", DATED)
async def test_date(kind: str) -> None:
    """The date before a snippet is the page's, and no part of the snippet."""
    card, snippet = DATED[kind]

    (item,) = (await answered(html(baidu_page(card)))).items

    assert (item.published_at, item.snippet) == ("2024-06-20", snippet)


GRAY = '<p>条目 <span class="c-color-gray2">2024年6月{}日</span></p>'
# Cards without a date, and their snippet.
UNDATED = {
    "short texts": (card_with("<p>播报</p><p>暂停</p>", "no names"), ""),
    "entries": (card_beside(GRAY.format(20), GRAY.format(21)), "摘要 1。"),
    **{
        words: (card_with(words), re.sub("<[^>]+>", "", words))
        for words in (
            f"2024年6月20日，{ABSTRACT}",
            f"<span>2024年6月20日，北京</span>{ABSTRACT}",
            f"北京{DAY}{ABSTRACT}",
            f"<span>2周前</span> {ABSTRACT}",
            f"<span><em>今天</em></span>{ABSTRACT}",
        )
    },
}


@pytest.mark.parametrize("kind", UNDATED)
async def test_no_date(kind: str) -> None:
    """A date that belongs to the snippet's words or to one entry of several is not the
    page's, and the names of buttons are no snippet."""
    card, snippet = UNDATED[kind]

    (item,) = (await answered(html(baidu_page(card)))).items

    assert (item.published_at, item.snippet) == (None, snippet)


SCRIPTS = "<script>a()</script><style>b{}</style>" * 20
LARGE = f"<script>{'x' * 250_000}</script>"
BADGE = '<span class="c-icon">官方</span></h3>'
LIST = '<div id="content_left" class="result">'
# Pages, and the numbers of their results.
READ = {
    "cards in a frame": (
        f'<div class="c-group-wrapper">{baidu_card(1)}{baidu_card(2)}</div>',
        [1, 2],
    ),
    "scripts between cards": (
        "".join(baidu_card(n) + SCRIPTS for n in range(1, 11)),
        range(1, 11),
    ),
    "2.5 MB": ("".join(baidu_card(n) + LARGE for n in range(1, 11)), range(1, 11)),
    "card inside a card": (baidu_card(1, extra=baidu_card(2)), [1]),
    "list in lists": (LIST * 50 + baidu_card() + "</div>" * 50, [1]),
    "badge beside the title": (baidu_card().replace("</h3>", BADGE), [1]),
}


@pytest.mark.parametrize("kind", READ)
async def test_cards(kind: str) -> None:
    """Each card is one result, whatever stands beside it or around it."""
    cards, numbers = READ[kind]

    response = await answered(html(baidu_page(cards)))

    assert [item.title for item in response.items] == [
        f"第 {number} 个结果" for number in numbers
    ]


# Titles of results, and words of a query, that are elsewhere those of another page.
WORDS = ["广告", "百度安全验证", '<noscript><meta http-equiv="refresh">']


@pytest.mark.parametrize("words", WORDS)
async def test_words(words: str) -> None:
    """The words for an advertisement, a block or a refusal are none."""
    card = baidu_card().replace("第 1 个<em>结果</em>", f"<em>{escape(words)}</em>")

    response = await answered(html(baidu_page(card, query=words)))

    assert [item.title for item in response.items] == [words]


async def test_way_on_without_scripts() -> None:
    """A page of results that leads browsers without scripts elsewhere is no refusal."""
    way_on = BAIDU_REFUSAL.partition("<body>")[2]
    page = baidu_page(baidu_card()).partition("</body>")[0] + way_on

    assert len((await answered(html(page))).items) == 1


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
