"""DuckDuckGo's pages."""

from support.engine_cases.case import Case, of_pages
from support.search.engine_pages import DDG_BLOCK, DDG_EMPTY, ddg_page, ddg_row, html

from websearch.models import SearchItem

ABOUT = "About page 1."
OWN = "https://duckduckgo.com/"
ADVERT = f"{OWN}y.js?ad_domain=shop.example&u3=x"
MORE = f"{OWN}?q=more&ia=images"
END = "http://www.google.com/search?hl=en&q=q"
TEN = ddg_page(*map(ddg_row, range(1, 11)))
OLDER = ddg_row(wrapped=False).replace("result__a", "large")
OLDER = OLDER.replace("result__snippet", "snippet").replace('"result ', '"')
# By their mark or by their target.
NO_RESULTS = {
    "advertisement": ddg_row(kind="result--ad"),
    "small advertisement": ddg_row(kind="result--ad--small"),
    "sponsored": ddg_row(kind="web-result web-result-sponsored"),
    "link of an advertisement": ddg_row(url=ADVERT, wrapped=False),
    "wrapped link of an advertisement": ddg_row(url=ADVERT),
    "own search": ddg_row(url=MORE, wrapped=False),
    "wrapped own search": ddg_row(url=MORE),
    "redirect without a target": ddg_row(url=f"{OWN}l/?rut=abc", wrapped=False),
    "end of the list": ddg_row(url=END, wrapped=False).replace("Title 1", "EOF"),
    "wrapped end of the list": ddg_row(url=END).replace("Title 1", "EOF"),
}
MARKS = "anomaly.js challenge-form anomaly-modal__title"

DUCKDUCKGO = Case(
    page=ddg_page,
    row=ddg_row,
    first=SearchItem(
        "Title 1", "https://site1.example.org/page?a=1&b=2", ABOUT, "ddg_html"
    ),
    method="POST",
    form={"q": "q", "b": "", "kl": "wt-wt"},
    headers={"user-agent": "websearch-chat/"},
    asked=[
        ("北京 天气", {}, {"q": "北京 天气", "kl": "cn-zh"}),
        ("q", {"locale": "zh-TW"}, {"kl": "tw-tzh"}),
        ("q", {"locale": "zh-HK"}, {"kl": "hk-tzh"}),
        ("q", {"locale": "zh"}, {"kl": "cn-zh"}),
        ("q", {"locale": "en-GB"}, {"kl": "uk-en"}),
        ("q", {"locale": "fr"}, {"kl": "fr-fr"}),
        ("q", {"locale": "ja"}, {"kl": "jp-jp"}),
        ("q", {"locale": "ar"}, {"kl": "wt-wt"}),
        ("q", {"country": "DE"}, {"kl": "de-de"}),
        ("天气", {"country": "US"}, {"kl": "us-en"}),
        ("q", {"locale": "all"}, {"kl": "wt-wt"}),
        ("q", {"country": "AQ"}, {"kl": "wt-wt"}),
        ("q", {"time_range": "month"}, {"df": "m"}),
        ("q", {"site_filter": "a.example"}, {"q": "q site:a.example"}),
    ],
    too_long=["x" * 500],
    names=["result"],
    empty={"said": DDG_EMPTY},
    unexpected={
        "links renamed": TEN.replace("result__a", "outcome"),
        "rows renamed": TEN.replace('class="result', 'class="hit'),
        "no rows": ddg_page(),
        "advertisement only": ddg_page(ddg_row(kind="result--ad")),
        "no address": ddg_page(ddg_row(url="javascript:alert(1)", wrapped=False)),
        "zeros": "\0" * 100,
    },
    statuses=of_pages(),
    blocked={
        "202 with results": (html(TEN, 202), "captcha_required"),
        "200": (html(DDG_BLOCK), "captcha_required"),
        "403": (html(DDG_BLOCK, 403), "captcha_required"),
        "empty 202": (html("", 202), "captcha_required"),
    },
    results={
        **{kind: (ddg_page(row, ddg_row(2)), [2]) for kind, row in NO_RESULTS.items()},
        "words of a block": (ddg_page(ddg_row(), query=MARKS), [1]),
        "page of 2015": (ddg_page(OLDER), [1]),
    },
    links={
        path or "own page": (ddg_row(url=OWN + path), OWN + path)
        for path in ("", "duckduckgo-help-pages/", "about?ref=q")
    },
    details={
        "date": (
            ddg_page(ddg_row(date="2025-11-07T00:00:00.0000000")),
            ABOUT,
            "2025-11-07T00:00:00",
        ),
        "no date": (ddg_page(ddg_row(date="new")), ABOUT, None),
        "page of 2015": (ddg_page(OLDER), ABOUT, None),
    },
)
