"""Google: what is asked for, and what becomes of every kind of page."""

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from support.engine_pages import cuts
from support.google_pages import (
    ADDRESS,
    CAPTCHA,
    CONSENT,
    EMPTY,
    IN_TABLE,
    NEEDS_SCRIPTS,
    ROWS,
    UNUSUAL_TRAFFIC,
    google_page,
    row_2014,
    row_2019,
    row_2023,
    row_2026,
    url_of,
    wrapped,
)

from websearch.engines.google import Google
from websearch.errors import InvalidInput, SearchError, WebBlocked, WebParseError
from websearch.models import SearchItem, SearchRequest
from websearch.network.client import HttpClient
from websearch.network.response import Reply

CAROUSEL = (
    "<div><g-section-with-header><h3>Videos</h3><g-scrolling-carousel><g-inner-card>"
    '<a href="https://video.example.org/1"><h3>A video</h3></a></g-inner-card>'
    "</g-scrolling-carousel></g-section-with-header></div>"
)
QUESTIONS = (
    '<div data-initq="x"><div class="related-question-pair"><div role="button">Why?'
    '</div><div><div class="g"><a href="https://why.example.org/"><h3>Because</h3></a>'
    "</div></div></div></div>"
)
ADVERT = (
    '<div data-text-ad="1"><a href="https://shop.example.org/"><h3>Buy</h3></a>'
    "<div>Cheap things.</div></div>"
)
SITELINKS = (
    "<table><tbody><tr><td><div><h3><a href='https://site1.example.org/a'>Part A</a>"
    "</h3><div class='st'>About part A, at length.</div></div></td><td><div><h3>"
    "<a href='https://site1.example.org/b'>Part B</a></h3><div>B</div></div></td></tr>"
    "</tbody></table>"
)


class Then(Google):
    """Google, asked at a moment that the tests know."""

    def now(self) -> datetime:
        return datetime(2026, 11, 19, 3, tzinfo=UTC)


async def read(
    page: str, *, status: int = 200, address: str = ADDRESS
) -> Sequence[SearchItem]:
    engine = Then(HttpClient())
    try:
        reply = Reply(status, {"content-location": address}, page.encode())
        return await engine.read(reply)
    finally:
        await engine.aclose()


async def titles(*rows: str, **others: str) -> list[str]:
    return [item.title for item in await read(google_page(*rows, **others))]


def params(
    query: str = "x", *, language: str = "auto", **options: Any
) -> dict[str, Any]:
    engine = Google(HttpClient(), language=language)
    return engine.params(SearchRequest(query, **options))


@pytest.mark.parametrize(
    ("query", "options", "expected"),
    [
        ("北京 天气", {}, {"hl": "zh-CN", "lr": "lang_zh-CN", "gl": "cn"}),
        ("weather", {}, {"hl": "en"}),
        ("x", {"locale": "zh-HK"}, {"hl": "zh-TW", "lr": "lang_zh-TW", "gl": "hk"}),
        ("x", {"locale": "fr"}, {"hl": "fr", "lr": "lang_fr"}),
        ("x", {"locale": "en-GB"}, {"hl": "en", "lr": "lang_en", "gl": "gb"}),
        ("x", {"locale": "nb"}, {"hl": "no", "lr": "lang_no"}),
        ("x", {"locale": "all"}, {"hl": "en"}),
        ("x", {"country": "DE"}, {"hl": "de", "lr": "lang_de", "gl": "de"}),
        ("x", {"language": "ja"}, {"hl": "ja", "lr": "lang_ja"}),
    ],
    ids=str,
)
def test_languages(
    query: str, options: dict[str, Any], expected: dict[str, str]
) -> None:
    """Page and results are asked for in the language of the search."""
    sent = params(query, **options)

    assert {name: sent[name] for name in ("hl", "lr", "gl") if name in sent} == expected


def test_options() -> None:
    """Site and time range are passed on, and nothing personal is wanted."""
    sent = params("x", site_filter="docs.example.org", time_range="week")

    assert (sent["q"], sent["tbs"]) == ("x site:docs.example.org", "qdr:w")
    assert sent["pws"] == "0"


@pytest.mark.parametrize("query", ["x" * 2_049, "x " * 33])
def test_too_long(query: str) -> None:
    """A query that Google would cut is refused."""
    with pytest.raises(InvalidInput) as caught:
        params(query)

    assert caught.value.detail_code == "query_too_long"


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
async def test_layouts(row: Callable[..., str]) -> None:
    """Ten results are read from the layouts of all years, and from an unknown one."""
    items = await read(google_page(*(row(number) for number in range(1, 11))))

    assert [(item.title, item.url, item.snippet) for item in items] == [
        (f"Title {number}", url_of(number), f"About page {number}.")
        for number in range(1, 11)
    ]


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
async def test_only_result(row: Callable[..., str]) -> None:
    """The only result of a page does not take its text from elsewhere."""
    page = google_page(row(1, snippet=""), top=ADVERT, bottom="<p>Other searches</p>")

    assert (await read(page))[0].snippet not in {"Cheap things.", "Other searches"}


async def test_table() -> None:
    """A page that is one table has results in one of its columns."""
    assert [item.title for item in await read(IN_TABLE)] == ["Title 1", "Title 2"]


async def test_read_more() -> None:
    """The link at the end of a snippet is no part of it."""
    (item,) = await read(google_page(row_2026(snippet="Words … <a href='#'>More</a>")))

    assert item.snippet == "Words …"


async def test_advertisements() -> None:
    """Advertisements are left out wherever they stand."""
    bottom = f'<div id="bottomads"><div id="tadsb">{row_2019(3)}</div></div>'
    found = await titles(
        row_2019(1), ADVERT, top=f'<div id="tads">{row_2019(2)}</div>', bottom=bottom
    )

    assert found == ["Title 1"]


async def test_unmarked_advertisement() -> None:
    """A link through the counter of advertisements is none of a result."""
    advert = row_2019(1, href="https://www.googleadservices.com/pagead/aclk?sa=L")

    assert await titles(advert, row_2019(2)) == ["Title 2"]


@pytest.mark.parametrize("widget", [CAROUSEL, QUESTIONS], ids=["carousel", "questions"])
async def test_widgets(widget: str) -> None:
    """Carousels and further questions are no results, nor text of the one beside."""
    rows = (row_2023(1), widget, row_2023(2))

    assert await titles(*rows) == ["Title 1", "Title 2"]


async def test_side_column() -> None:
    """The panel beside the list is not part of it."""
    page = google_page(row_2019()).replace(
        "</body>", f'<div id="rhs">{row_2019(2)}</div>'
    )

    assert len(await read(page)) == 1


async def test_sitelinks() -> None:
    """Links to parts of a site belong to its result, and keep their own text."""
    row = row_2014(1, snippet="").replace("</li>", f"{SITELINKS}</li>")

    (item,) = await read(google_page(row))

    assert (item.title, item.snippet) == ("Title 1", "")


async def test_indented() -> None:
    """A second page of the same site is a result of its own."""
    row = row_2023(1).replace("Z26q7c", "Z26q7c x").removesuffix("</div>")

    assert await titles(f"{row}<ul><li>{row_2023(2)}</li></ul></div>") == [
        "Title 1",
        "Title 2",
    ]


async def test_repeated_heading() -> None:
    """A heading that stands twice, for wide and narrow windows, is one result."""
    heading = "<a href='https://a.example'><h3>Title</h3></a>"
    row = f"<div>{heading}<div>{heading}<p>Text</p></div></div>"

    (item,) = await read(google_page(row))

    assert item.snippet == "Text"


async def test_quoted_result() -> None:
    """A result that is quoted above the list and repeated in it counts once."""
    quoted = row_2023(1).replace('b=2">', 'b=2#:~:text=quoted">')

    assert await titles(f"<div>Quoted words.{quoted}</div>", row_2023(1)) == ["Title 1"]


@pytest.mark.parametrize(
    ("href", "url"),
    [
        (wrapped("https://a.example/x?y=1&z=2"), "https://a.example/x?y=1&z=2"),
        (wrapped("https://a.example/x", name="url"), "https://a.example/x"),
        (
            wrapped("https://a.example/", host="https://www.google.co.uk"),
            "https://a.example/",
        ),
        ("/url?q=some+words&amp;url=https%3A%2F%2Fa.example%2F", "https://a.example/"),
        ("https://www.google.com/chrome/", "https://www.google.com/chrome/"),
        ("https://about.google.com/", "https://about.google.com/"),
        (
            "https://developers.google.com/search",
            "https://developers.google.com/search",
        ),
        ("https://www.google.com/maps", "https://www.google.com/maps"),
        (
            "https://www.google.com/search/howsearchworks/",
            "https://www.google.com/search/howsearchworks/",
        ),
        ("https://google.example/search?q=x", "https://google.example/search?q=x"),
        ("//a.example/x", "https://a.example/x"),
    ],
)
async def test_links(href: str, url: str) -> None:
    """Redirects are opened, and Google's pages that are no searches are results."""
    assert (await read(google_page(row_2019(href=href))))[0].url == url


@pytest.mark.parametrize(
    "href",
    [
        "/search?q=x&amp;tbm=isch",
        "/travel/flights?q=x",
        "https://www.google.de/search?q=x",
        "https://www.google.com/preferences?hl=en",
        "https://www.google.com/advanced_search",
        "https://www.google.com/setprefs?x=1",
        "https://www.google.com/imgres?imgurl=x",
        "https://www.google.com/maps/search/x",
        "https://maps.google.com/maps?q=x",
        "https://scholar.google.com/scholar?q=x",
        wrapped("/search?q=x"),
        wrapped("javascript:alert(1)"),
        "/url?sa=t",
        "javascript:alert(1)",
        "#x",
        "https://[x",
    ],
)
async def test_own_links(href: str) -> None:
    """Google's own searches, scripts and marks within the page are left out."""
    assert await titles(row_2019(1, href=href), row_2019(2)) == ["Title 2"]


@pytest.mark.parametrize(
    ("snippet", "date"),
    [
        ('<span class="f">12 mai 2019 - </span>Words', "2019-05-12"),
        (
            '<span class="LEwnzc"><span>2024年6月20日</span> — </span><i>Words</i>',
            "2024-06-20",
        ),
        ("Jun 20, 2024 — Words", "2024-06-20"),
        ("3 days ago — Words", "2026-11-16"),
        ("Words", None),
    ],
)
async def test_dates(snippet: str, date: str | None) -> None:
    """The date before a snippet becomes the date of the page."""
    (item,) = await read(google_page(row_2026(snippet=snippet)))

    assert (item.published_at, item.snippet) == (date, "Words")


@pytest.mark.parametrize("page", EMPTY.values(), ids=EMPTY)
async def test_empty(page: str) -> None:
    """A page that says so found nothing."""
    assert await read(page) == []


BLOCKED = {
    "form": (CAPTCHA, ADDRESS, 200, "captcha_required"),
    "form, 429": (CAPTCHA, ADDRESS, 429, "captcha_required"),
    "widget": ("<div data-sitekey=x></div></html>", ADDRESS, 200, "captcha_required"),
    "path": (
        UNUSUAL_TRAFFIC,
        "https://www.google.com/sorry/index?continue=x",
        200,
        "captcha_required",
    ),
    "path, 503": (
        UNUSUAL_TRAFFIC,
        "https://ipv4.google.com/sorry/index",
        503,
        "captcha_required",
    ),
    "host": (UNUSUAL_TRAFFIC, "https://sorry.google.com/x", 200, "captcha_required"),
    "consent": (CONSENT, ADDRESS, 200, "consent_required"),
    "consent host": (
        "<html></html>",
        "https://consent.google.com.hk/ml?continue=x",
        200,
        "consent_required",
    ),
    "consent of a video site": (
        "<html></html>",
        "https://consent.youtube.com/m",
        200,
        "consent_required",
    ),
    "scripts": (NEEDS_SCRIPTS, ADDRESS, 200, "js_required"),
    "403": ("<html></html>", ADDRESS, 403, "http_403"),
    "429": ("<html></html>", ADDRESS, 429, "http_429"),
}


@pytest.mark.spec("H6")
@pytest.mark.parametrize(
    ("page", "address", "status", "code"), BLOCKED.values(), ids=BLOCKED
)
async def test_blocks(page: str, address: str, status: int, code: str) -> None:
    """Each page that comes instead of results is told, and who has to act."""
    with pytest.raises(WebBlocked) as caught:
        await read(page, status=status, address=address)

    assert caught.value.detail_code == code
    assert ("a person" in str(caught.value)) is code.endswith("required")


async def test_words_are_no_block() -> None:
    """A search for the words of a block is not one."""
    query = "unusual traffic captcha-form /sorry/index enablejs consent.google.com"
    page = google_page(row_2026(1, snippet=query), query=query)

    assert (await read(page, address=f"{ADDRESS}&q=/sorry/"))[0].snippet == query


async def test_dialog() -> None:
    """Results behind a question for consent are read."""
    page = google_page(row_2026(), bottom=CONSENT.partition("<body>")[2])

    assert len(await read(page)) == 1


PAGE = google_page(*(row_2026(number) for number in range(1, 11)))


@pytest.mark.parametrize(
    "page",
    [
        PAGE.replace("h3", "h4"),
        PAGE.replace("href", "data-href"),
        google_page(),
        google_page(bottom=CAROUSEL),
        google_page("<p>Nothing <em>x</em>.</p>"),
        EMPTY["2026"].replace(
            'id="rso">', 'id="rso"><a href="https://a.example">A</a>'
        ),
        google_page(row_2019(href="/search?q=x")),
        google_page(row_2019().replace("Title 1", "")),
        "<html><body>Sign in</body></html>",
        "",
    ],
    ids=[
        "headings renamed",
        "no links",
        "no list",
        "widget only",
        "emphasis",
        "empty, with links",
        "own search only",
        "no title",
        "sign-on page",
        "nothing",
    ],
)
async def test_unexpected(page: str) -> None:
    """A page that can't be read is an error, never an empty success."""
    with pytest.raises(WebParseError) as caught:
        await read(page)

    assert caught.value.detail_code in {"unexpected_page", "cut_off"}


async def test_another_site() -> None:
    """The page of a hotel's network is not read as results."""
    with pytest.raises(WebParseError) as caught:
        await read(PAGE, address="https://login.hotel.example/")

    assert caught.value.detail_code == "redirect"


async def test_cut() -> None:
    """A page that broke off anywhere is an error."""
    for body in cuts(PAGE.encode()):
        with pytest.raises(WebParseError):
            await read(body.decode())


PARTS = [
    *('<div id="search">', '<div id="rso">', '<div id="tads">', "<table><tr><td>"),
    *('<a href="https://a.example/x">', '<a href="/search?q=x">', "<h3>", "</h3></a>"),
    *('<div class="VwiC3b">', "<p>", "</td></div>", "x", '<div id="botstuff">'),
    *('<iframe src="/httpservice/retry/enablejs">', "<em>x</em>", "</html>"),
]


async def test_any_page() -> None:
    """However its parts are mixed, a page gives results or an error, never neither."""
    engine, dice = Google(HttpClient()), random.Random(1)
    for _ in range(200):
        page = "".join(dice.choices(PARTS, k=dice.randrange(30)))
        with suppress(SearchError):
            assert await engine.read(Reply(200, {}, page.encode()))
    await engine.aclose()


async def test_named() -> None:
    """An error names Google."""

    class Sent(Google):
        async def send(self, request: SearchRequest) -> Reply:
            return Reply(200, {}, google_page().encode())

    engine = Sent(HttpClient())
    with pytest.raises(SearchError, match="Google: "):
        await engine.asearch(SearchRequest("x"))
    await engine.aclose()
