"""DuckDuckGo: what is sent, and what becomes of every kind of page."""

import pytest
from support.asked_engine import asked
from support.engine_pages import (
    DDG_BLOCK,
    DDG_EMPTY,
    ddg_page,
    ddg_row,
    html,
)
from support.loopback import Answer, Loopback

from websearch.errors import SearchError, WebBlocked, WebParseError

ADVERT = "https://duckduckgo.com/y.js?ad_domain=shop.example&u3=x"
OWN = "https://duckduckgo.com/"
MORE = f"{OWN}?q=more&ia=images"
END = "http://www.google.com/search?hl=en&q=q"
PAGE = ddg_page(*(ddg_row(n) for n in range(1, 11)))
ANSWER = html(PAGE)


search, answered = asked("ddg_html")


async def test_form(server: Loopback) -> None:
    """The page's own form is posted, under our own name."""
    await search(server)

    (request,) = server.requests
    assert (request.method, request.target) == ("POST", "/search")
    assert request.params == {"q": "q", "b": "", "kl": "wt-wt"}
    assert request.headers["user-agent"].startswith("websearch-chat/")


@pytest.mark.spec("J3")
async def test_chinese(server: Loopback) -> None:
    """Chinese is sent as UTF-8, and asks for Chinese results."""
    await search(server, "北京 天气")

    (request,) = server.requests
    assert b"q=%E5%8C%97%E4%BA%AC+%E5%A4%A9%E6%B0%94" in request.body
    assert request.params["kl"] == "cn-zh"
    assert request.headers["accept-language"].startswith("zh-CN")


REGIONS = {
    "tw-tzh": {"locale": "zh-TW"},
    "hk-tzh": {"locale": "zh-HK"},
    "cn-zh": {"locale": "zh"},
    "uk-en": {"locale": "en-GB"},
    "fr-fr": {"locale": "fr"},
    "jp-jp": {"locale": "ja"},
    "wt-wt": {"locale": "ar"},
    "de-de": {"country": "DE"},
    "us-en": {"query": "天气", "country": "US"},
}


@pytest.mark.parametrize("region", REGIONS)
async def test_region(server: Loopback, region: str) -> None:
    """Language and country become one of DuckDuckGo's regions."""
    await search(server, **REGIONS[region])

    assert server.requests[0].params["kl"] == region


@pytest.mark.parametrize("options", [{"locale": "all"}, {"country": "AQ"}], ids=str)
async def test_no_region(server: Loopback, options: dict[str, str]) -> None:
    """All languages, and a country that DuckDuckGo has not, are no region."""
    await search(server, **options)

    assert server.requests[0].params["kl"] == "wt-wt"


async def test_options(server: Loopback) -> None:
    """Time range and site are passed on."""
    await search(server, time_range="month", site_filter="docs.example.org")

    params = server.requests[0].params
    assert (params["q"], params["df"]) == ("q site:docs.example.org", "m")


@pytest.mark.spec("I8")
@pytest.mark.parametrize("query", ["!g cats", "cats !g", "cats g!", "\\cats"])
async def test_commands(server: Loopback, query: str) -> None:
    """A query can't make DuckDuckGo send us elsewhere."""
    await search(server, query)

    assert not set("!\\") & set(server.queries[0])


async def test_too_long(server: Loopback) -> None:
    """A query that DuckDuckGo would not take is refused before it is sent."""
    with pytest.raises(SearchError) as caught:
        await search(server, "x" * 500)

    assert (caught.value.code, caught.value.detail_code) == (
        "InvalidInput",
        "query_too_long",
    )
    assert not server.requests


async def test_results(server: Loopback) -> None:
    """Links are unwrapped, texts are plain."""
    response = await search(server)

    first = response.items[0]
    assert len(response.items) == 10
    assert first.title == "Title 1"
    assert first.url == "https://site1.example.org/page?a=1&b=2"
    assert first.snippet == "About page 1."
    assert first.provider == response.provider == "ddg_html"


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


@pytest.mark.parametrize("kind", NO_RESULTS)
async def test_no_results(kind: str) -> None:
    """Advertisements, DuckDuckGo's own searches and the end of the list are left out,
    by their mark or by their target."""
    response = await answered(html(ddg_page(NO_RESULTS[kind], ddg_row(2))))

    assert [item.title for item in response.items] == ["Title 2"]


@pytest.mark.parametrize("path", ["", "duckduckgo-help-pages/", "about?ref=q"])
async def test_own_pages(path: str) -> None:
    """Pages of DuckDuckGo itself are results like any other."""
    response = await answered(html(ddg_page(ddg_row(1, url=OWN + path))))

    assert [item.url for item in response.items] == [OWN + path]


async def test_date() -> None:
    """The date beside the address is that of the page; other pages have none."""
    dated = ddg_row(1, date="2025-11-07T00:00:00.0000000")

    response = await answered(html(ddg_page(dated, ddg_row(2), ddg_row(3, date="new"))))

    dates = [item.published_at for item in response.items]
    assert dates == ["2025-11-07T00:00:00", None, None]


async def test_older_page() -> None:
    """A page of 2015, with other names, is read too."""
    row = ddg_row(wrapped=False).replace("result__a", "large")
    row = row.replace("result__snippet", "snippet").replace('"result ', '"')

    (item,) = (await answered(html(ddg_page(row)))).items

    assert (item.title, item.snippet) == ("Title 1", "About page 1.")


async def test_empty() -> None:
    """A page that says so found nothing."""
    assert (await answered(html(DDG_EMPTY))).items == []


@pytest.mark.parametrize(
    "answer",
    [html(PAGE, 202), html(DDG_BLOCK), html(DDG_BLOCK, 403), html("", 202)],
    ids=["202 with results", "200", "403", "empty 202"],
)
async def test_captcha(answer: Answer) -> None:
    """A challenge is told as such, whatever its status."""
    with pytest.raises(WebBlocked) as caught:
        await answered(answer)

    assert caught.value.detail_code == "captcha_required"


async def test_words_are_no_block() -> None:
    """A page about the challenge is no challenge."""
    page = ddg_page(ddg_row(), query="anomaly.js challenge-form anomaly-modal__title")

    assert len((await answered(html(page))).items) == 1


UNKNOWN = {
    "links renamed": PAGE.replace("result__a", "outcome"),
    "rows renamed": PAGE.replace('class="result', 'class="hit'),
    "no rows": ddg_page(),
    "advertisement only": ddg_page(ddg_row(kind="result--ad")),
    "no address": ddg_page(ddg_row(url="javascript:alert(1)", wrapped=False)),
    "zeros": "\0" * 100,
}


@pytest.mark.parametrize("kind", UNKNOWN)
async def test_unexpected(kind: str) -> None:
    """A page that is not the one we know is an error that names the engine."""
    with pytest.raises(WebParseError, match="DuckDuckGo"):
        await answered(html(UNKNOWN[kind]))


async def test_broken_address(caplog: pytest.LogCaptureFixture) -> None:
    """A row with a broken address is skipped and counted, not repeated."""
    page = ddg_page(ddg_row(1, url="https://[canary", wrapped=False), ddg_row(2))

    response = await answered(html(page))

    assert len(response.items) == 1
    assert "skipped 1 malformed" in caplog.text
    assert "canary" not in caplog.text
