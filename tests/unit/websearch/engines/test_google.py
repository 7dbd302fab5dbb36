"""Google: what is asked for, and what becomes of every kind of page."""

from collections.abc import Callable, Sequence
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


async def test_read_more() -> None:
    """The link at the end of a snippet is no part of it."""
    (item,) = await read(google_page(row_2026(snippet="Words … <a href='#'>More</a>")))

    assert item.snippet == "Words …"


HEADING = "<a href='https://a.example'><h3>Title 1</h3></a>"
COUNTER = "https://www.googleadservices.com/pagead/aclk?sa=L"
QUOTED = row_2023(1).replace('b=2">', 'b=2#:~:text=quoted">')
INDENTED = row_2023(1).replace("Z26q7c", "Z26q7c x").removesuffix("</div>")
# Pages, and the numbers of their results.
PAGES = {
    "advertisement in the list": (google_page(ADVERT, row_2019(1)), [1]),
    "advertisements above": (
        google_page(row_2019(1), top=f'<div id="tads">{row_2019(2)}</div>'),
        [1],
    ),
    "advertisements below": (
        google_page(
            row_2019(1),
            bottom=f'<div id="bottomads"><div id="tadsb">{row_2019(2)}</div></div>',
        ),
        [1],
    ),
    "link through a counter": (
        google_page(row_2019(1), row_2019(2, href=COUNTER)),
        [1],
    ),
    "carousel": (google_page(row_2023(1), CAROUSEL, row_2023(2)), [1, 2]),
    "further questions": (google_page(row_2023(1), QUESTIONS, row_2023(2)), [1, 2]),
    "panel beside the list": (
        google_page(row_2019(1)).replace(
            "</body>", f'<div id="rhs">{row_2019(2)}</div>'
        ),
        [1],
    ),
    "second page of a site": (
        google_page(f"{INDENTED}<ul><li>{row_2023(2)}</li></ul></div>"),
        [1, 2],
    ),
    "heading for narrow windows": (
        google_page(f"<div>{HEADING}<div>{HEADING}<p>Text</p></div></div>"),
        [1],
    ),
    "quoted above the list": (
        google_page(f"<div>Quoted words.{QUOTED}</div>", row_2023(1)),
        [1],
    ),
    "one table": (IN_TABLE, [1, 2]),
    "behind a dialog": (
        google_page(row_2026(1), bottom=CONSENT.partition("<body>")[2]),
        [1],
    ),
}


@pytest.mark.parametrize("kind", PAGES)
async def test_results(kind: str) -> None:
    """Each result is found once, and neither advertisements nor widgets are results."""
    page, numbers = PAGES[kind]

    assert [item.title for item in await read(page)] == [
        f"Title {number}" for number in numbers
    ]


async def test_sitelinks() -> None:
    """Links to parts of a site belong to its result, and keep their own text."""
    row = row_2014(1, snippet="").replace("</li>", f"{SITELINKS}</li>")

    (item,) = await read(google_page(row))

    assert (item.title, item.snippet) == ("Title 1", "")


CO_UK = "https://www.google.co.uk"
NO_SEARCHES = [
    "https://www.google.com/chrome/",
    "https://about.google.com/",
    "https://developers.google.com/search",
    "https://www.google.com/maps",
    "https://www.google.com/search/howsearchworks/",
    "https://google.example/search?q=x",
]


@pytest.mark.parametrize(
    ("href", "url"),
    [
        (wrapped("https://a.example/x?y=1&z=2"), "https://a.example/x?y=1&z=2"),
        (wrapped("https://a.example/x", name="url"), "https://a.example/x"),
        (wrapped("https://a.example/", host=CO_UK), "https://a.example/"),
        ("/url?q=some+words&amp;url=https%3A%2F%2Fa.example%2F", "https://a.example/"),
        ("//a.example/x", "https://a.example/x"),
        *((url, url) for url in NO_SEARCHES),
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
    (item,) = await read(google_page(row_2019(1, href=href), row_2019(2)))

    assert item.title == "Title 2"


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


SORRY = "https://www.google.com/sorry/index?continue=x"
ROBOT = "captcha_required"
BLOCKED = {
    "form": (CAPTCHA, ADDRESS, 200, ROBOT),
    "form, 429": (CAPTCHA, ADDRESS, 429, ROBOT),
    "widget": ("<div data-sitekey=x></div></html>", ADDRESS, 200, ROBOT),
    "path": (UNUSUAL_TRAFFIC, SORRY, 200, ROBOT),
    "path, 503": (UNUSUAL_TRAFFIC, "https://ipv4.google.com/sorry/index", 503, ROBOT),
    "host": (UNUSUAL_TRAFFIC, "https://sorry.google.com/x", 200, ROBOT),
    "consent": (CONSENT, ADDRESS, 200, "consent_required"),
    **{
        host: (
            "<html></html>",
            f"https://{host}/ml?continue=x",
            200,
            "consent_required",
        )
        for host in ("consent.google.com.hk", "consent.youtube.com")
    },
    "scripts": (NEEDS_SCRIPTS, ADDRESS, 200, "js_required"),
    "403": ("<html></html>", ADDRESS, 403, "http_403"),
    "429": ("<html></html>", ADDRESS, 429, "http_429"),
}


@pytest.mark.spec("H6")
@pytest.mark.parametrize("kind", BLOCKED)
async def test_blocks(kind: str) -> None:
    """Each page that comes instead of results is told, and who has to act."""
    page, address, status, code = BLOCKED[kind]
    with pytest.raises(WebBlocked) as caught:
        await read(page, status=status, address=address)

    assert caught.value.detail_code == code
    assert ("a person" in str(caught.value)) is code.endswith("required")


async def test_words_are_no_block() -> None:
    """A search for the words of a block is not one."""
    query = "unusual traffic captcha-form /sorry/index enablejs consent.google.com"
    page = google_page(row_2026(1, snippet=query), query=query)

    assert (await read(page, address=f"{ADDRESS}&q=/sorry/"))[0].snippet == query


PAGE = google_page(*(row_2026(number) for number in range(1, 11)))


A_LINK = 'id="rso"><a href="https://a.example">A</a>'
UNKNOWN = {
    "headings renamed": PAGE.replace("h3", "h4"),
    "no links": PAGE.replace("href", "data-href"),
    "no list": google_page(),
    "widget only": google_page(bottom=CAROUSEL),
    "emphasis": google_page("<p>Nothing <em>x</em>.</p>"),
    "empty, with links": EMPTY["2026"].replace('id="rso">', A_LINK),
    "own search only": google_page(row_2019(href="/search?q=x")),
    "no title": google_page(row_2019().replace("Title 1", "")),
    "sign-on page": "<html><body>Sign in</body></html>",
    "nothing": "",
}


@pytest.mark.parametrize("kind", UNKNOWN)
async def test_unexpected(kind: str) -> None:
    """A page that can't be read is an error, never an empty success."""
    with pytest.raises(WebParseError) as caught:
        await read(UNKNOWN[kind])

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


async def test_named() -> None:
    """An error names Google."""

    class Sent(Google):
        async def send(self, request: SearchRequest) -> Reply:
            return Reply(200, {}, google_page().encode())

    engine = Sent(HttpClient())
    with pytest.raises(SearchError, match="Google: "):
        await engine.asearch(SearchRequest("x"))
    await engine.aclose()
