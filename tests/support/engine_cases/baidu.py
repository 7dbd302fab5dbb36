"""Baidu's pages."""

import re

from support.engine_cases.case import Case, of_pages
from support.search.engine_pages import (
    BAIDU_BLOCK,
    BAIDU_EMPTY,
    BAIDU_NO_PAGE,
    BAIDU_REFUSAL,
    baidu_card,
    baidu_page,
    html,
)
from support.servers.loopback import Answer

from websearch.models import SearchItem

ABSTRACT = "天气很好，适合出门散步，也适合在家里看书。"
REDIRECT = "http://www.baidu.com/link?url=k1"
GATE = "https://wappass.baidu.com/static/captcha/tuxing.html?ak=x"
TEN = baidu_page(*map(baidu_card, range(1, 11)))


def leading_to(href: str) -> str:
    return baidu_card().replace(REDIRECT, href)


def card_beside(*texts: str) -> str:
    return baidu_card().replace("</h3>", "</h3>" + "".join(texts))


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

SCRIPTS = "<script>a()</script><style>b{}</style>" * 20
LARGE = f"<script>{'x' * 250_000}</script>"
BADGE = '<span class="c-icon">官方</span></h3>'
LIST = '<div id="content_left" class="result">'
# Cards, and the numbers of their results.
CARDS = {
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
# A page of results that leads browsers without scripts elsewhere is no refusal.
WAY_ON = BAIDU_REFUSAL.partition("<body>")[2]
WAY_ON_IN_LIST = WAY_ON.partition("</body>")[0]


# Where the abstract of a card stands, in the forms of all years, and in others.
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
    "no names": "<div><span>来源</span><div>{}</div></div>",
}


def card_with(text: str, kind: str = "2025") -> str:
    plain = '<span class="content-right_8Zs40">摘要 1。</span>'
    return baidu_card().replace(plain, SNIPPETS[kind].format(text))


DAY = "<span>2024年6月20日</span>"
BEFORE = '<p><span class="newTimeFactor_before_abs">2024年6月20日 - </span>'
# Cards whose date is that of the page, and their snippet without it.
DATED = {
    "date, 2025": (card_with(f"{DAY}<span>{ABSTRACT}</span>"), ABSTRACT),
    "date in a block": (
        card_with(f"<div><span> 2024年06月20日 </span>{ABSTRACT}</div>"),
        ABSTRACT,
    ),
    "date, 2019": (card_with(BEFORE + ABSTRACT), ABSTRACT),
    "gray date": (
        card_beside(DAY.replace(">", ' class="c-color-gray2">', 1)),
        "摘要 1。",
    ),
    "date before": (
        card_beside(DAY.replace(">", ' class="prefix-time_6">', 1)),
        "摘要 1。",
    ),
}
GRAY = '<p>条目 <span class="c-color-gray2">2024年6月{}日</span></p>'
# A date that belongs to the snippet's words or to one entry of several is not the
# page's, and the names of buttons are no snippet.
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
STATED = {
    "https://a.example/x": "https://a.example/x",
    **dict.fromkeys(
        (
            *("http://nourl.ubs.baidu.com/1", "javascript:alert(1)", "//a.example/x"),
            *("https://[x", ""),
        ),
        REDIRECT,
    ),
    # Pages of Baidu's sites, and searches of other sites, are results.
    **{
        url: url
        for url in (
            "https://baijiahao.baidu.com/s?id=1700&wfr=spider",
            "https://baike.baidu.com/item/Python/407313?word=x",
            "https://tieba.baidu.com/f?kw=python",
            "https://www.baidu.com/",
            "https://example.org/s?wd=q",
        )
    },
}
IN_LINK = (
    f'<div class="c-container"><a href="{REDIRECT}"><h3>第 1 个<em>结果</em></h3>'
    f"<p>{ABSTRACT}</p></a></div>"
)
# The header's charset is known where the page names another one.
GBK = Answer(
    baidu_page(baidu_card(), charset="utf-8").encode("gbk"),
    headers={"Content-Type": "text/html; charset=GBK"},
)
SECURITY = "captcha_required"

BAIDU = Case(
    page=baidu_page,
    row=baidu_card,
    first=SearchItem("第 1 个结果", REDIRECT, "摘要 1。", "baidu_html"),
    form={"wd": "q", "ie": "utf-8", "rn": "10"},
    headers={"user-agent": "websearch-chat/"},
    asked=[
        ("北京 天气", {}, {"wd": "北京 天气", "ie": "utf-8"}),
        ("q", {"site_filter": "a.example"}, {"wd": "q site:a.example"}),
    ],
    names=["content_left", "c-container"],
    empty={"said": BAIDU_EMPTY},
    unexpected={
        "list renamed": TEN.replace("content_left", "left"),
        "titles renamed": TEN.replace("h3", "h4"),
        "no cards": baidu_page(),
    },
    statuses={
        **of_pages(),
        "no such page": (html(BAIDU_NO_PAGE), "WebParseError no_such_page"),
        "no such page, 404": (html(BAIDU_NO_PAGE, 404), "WebParseError no_such_page"),
    },
    blocked={
        "page": (html(BAIDU_BLOCK), SECURITY),
        "403": (html(BAIDU_BLOCK, 403), SECURITY),
        "redirect": (html("", 302, Location=GATE), SECURITY),
        "title": (html("<title>百度安全验证</title>"), SECURITY),
        "button": (
            html('<html><body><button class="timeout-button"></button></body></html>'),
            SECURITY,
        ),
        "User-Agent": (html(BAIDU_REFUSAL), "user_agent_refused"),
    },
    results={
        **{
            kind: (baidu_page(card, baidu_card(2)), [2])
            for kind, card in NO_RESULTS.items()
        },
        **{kind: (baidu_page(cards), n) for kind, (cards, n) in CARDS.items()},
        "way on": (baidu_page(baidu_card()).partition("</body>")[0] + WAY_ON, [1]),
        "way on in the list": (baidu_page(WAY_ON_IN_LIST, baidu_card()), [1]),
        "query that names a page": (
            baidu_page(baidu_card(), query="页面不存在 baiduerr"),
            [1],
        ),
        "heading in a link": (baidu_page(IN_LINK), [1]),
        "GBK": (GBK, [1]),
    },
    links={stated: (baidu_card(mu=stated), url) for stated, url in STATED.items()},
    details={
        **{
            kind: (baidu_page(card_with(ABSTRACT, kind)), ABSTRACT, None)
            for kind in SNIPPETS
        },
        **{
            k: (baidu_page(card), text, "2024-06-20")
            for k, (card, text) in DATED.items()
        },
        **{k: (baidu_page(card), text, None) for k, (card, text) in UNDATED.items()},
        "heading in a link": (baidu_page(IN_LINK), ABSTRACT, None),
    },
)
