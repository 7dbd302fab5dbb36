"""Google's pages, as its browser shows them."""

from support.engine_cases.case import Case, of_pages
from support.search.engine_pages import html
from support.search.google_pages import (
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
from support.servers.loopback import Answer

from websearch.models import SearchItem

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
HEADING = "<a href='https://a.example'><h3>Title 1</h3></a>"
COUNTER = "https://www.googleadservices.com/pagead/aclk?sa=L"
QUOTED = row_2023(1).replace('b=2">', 'b=2#:~:text=quoted">')
INDENTED = row_2023(1).replace("Z26q7c", "Z26q7c x").removesuffix("</div>")
# Neither advertisements nor widgets are results, and each result is found once.
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
# Google's own searches, scripts and marks within the page.
OWN_LINKS = [
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
]
CO_UK = "https://www.google.co.uk"
WAYS = {
    wrapped("https://a.example/x?y=1&z=2"): "https://a.example/x?y=1&z=2",
    wrapped("https://a.example/x", name="url"): "https://a.example/x",
    wrapped("https://a.example/", host=CO_UK): "https://a.example/",
    "/url?q=some+words&amp;url=https%3A%2F%2Fa.example%2F": "https://a.example/",
    "//a.example/x": "https://a.example/x",
    # Google's pages that are no searches are results.
    **{
        url: url
        for url in (
            "https://www.google.com/chrome/",
            "https://about.google.com/",
            "https://developers.google.com/search",
            "https://www.google.com/maps",
            "https://www.google.com/search/howsearchworks/",
            "https://google.example/search?q=x",
        )
    },
}
DATES = {
    '<span class="f">12 mai 2019 - </span>Words': "2019-05-12",
    '<span class="L"><span>2024年6月20日</span> — </span><i>Words</i>': "2024-06-20",
    "Jun 20, 2024 — Words": "2024-06-20",
    "3 days ago — Words": "2026-11-16",
    "Words": None,
}
# A search for the words of a block is not one.
WORDS = "unusual traffic captcha-form /sorry/index enablejs consent.google.com"
TEN = google_page(*map(row_2026, range(1, 11)))
A_LINK = 'id="rso"><a href="https://a.example">A</a>'
# Most titles of the layout for phones are no h3.
PHONE = google_page(
    row_2026(1),
    "<a href='https://a.example'><div role='heading' aria-level='3'>A</div></a>",
).replace("<head>", '<head><meta content="width=device-width" name="viewport">')
PART_OF_SITE = row_2014(1, snippet="").replace("</li>", f"{SITELINKS}</li>")


def at(page: str, address: str = ADDRESS, status: int = 200) -> Answer:
    """The page that the browser shows at *address*."""
    return html(page, status, **{"Content-Location": address})


ROBOT, CONSENTS = "captcha_required", "consent_required"
SORRY = "https://www.google.com/sorry/index?continue=x"

GOOGLE = Case(
    page=google_page,
    row=row_2026,
    first=SearchItem("Title 1", url_of(1), "About page 1.", "google"),
    form={"q": "q", "filter": "0", "pws": "0", "hl": "en"},
    asked=[
        ("北京 天气", {}, {"hl": "zh-CN", "lr": "lang_zh-CN", "gl": "cn"}),
        ("weather", {}, {"hl": "en", "lr": None, "gl": None}),
        ("x", {"locale": "zh-HK"}, {"hl": "zh-TW", "lr": "lang_zh-TW", "gl": "hk"}),
        ("x", {"locale": "fr"}, {"hl": "fr", "lr": "lang_fr", "gl": None}),
        ("x", {"locale": "en-GB"}, {"hl": "en", "lr": "lang_en", "gl": "gb"}),
        ("x", {"locale": "nb"}, {"hl": "no", "lr": "lang_no", "gl": None}),
        ("x", {"locale": "all"}, {"hl": "en", "lr": None, "gl": None}),
        ("x", {"country": "DE"}, {"hl": "de", "lr": "lang_de", "gl": "de"}),
        ("x", {"language": "ja"}, {"hl": "ja", "lr": "lang_ja", "gl": None}),
        ("x", {"site_filter": "a.example"}, {"q": "x site:a.example"}),
        ("x", {"time_range": "week"}, {"tbs": "qdr:w"}),
    ],
    too_long=["x" * 2_049, "x " * 33],
    names=["h3"],
    empty=EMPTY,
    unexpected={
        "no links": TEN.replace("href", "data-href"),
        "no list": google_page(),
        "widget only": google_page(bottom=CAROUSEL),
        "emphasis": google_page("<p>Nothing <em>x</em>.</p>"),
        "empty, with links": EMPTY["2026"].replace('id="rso">', A_LINK),
        "own search only": google_page(row_2019(href="/search?q=x")),
        "no title": google_page(row_2019().replace("Title 1", "")),
        "layout for phones": PHONE,
        "sign-on page": "<html><body>Sign in</body></html>",
    },
    statuses={
        **of_pages(),
        "hotel": (at(TEN, "https://login.hotel.example/"), "WebParseError redirect"),
    },
    blocked={
        "form": (at(CAPTCHA), ROBOT),
        "form, 429": (at(CAPTCHA, status=429), ROBOT),
        "widget": (at("<div data-sitekey=x></div></html>"), ROBOT),
        "path": (at(UNUSUAL_TRAFFIC, SORRY), ROBOT),
        "path, 503": (
            at(UNUSUAL_TRAFFIC, "https://ipv4.google.com/sorry/index", 503),
            ROBOT,
        ),
        "host": (at(UNUSUAL_TRAFFIC, "https://sorry.google.com/x"), ROBOT),
        "consent": (at(CONSENT), CONSENTS),
        **{
            host: (at("<html></html>", f"https://{host}/ml?continue=x"), CONSENTS)
            for host in ("consent.google.com.hk", "consent.youtube.com")
        },
        "scripts": (at(NEEDS_SCRIPTS), "js_required"),
    },
    results={
        **PAGES,
        **{
            href: (google_page(row_2019(1, href=href), row_2019(2)), [2])
            for href in OWN_LINKS
        },
        **{
            f"layout, {kind}": (google_page(*map(row, range(1, 11))), range(1, 11))
            for kind, row in ROWS.items()
        },
        "words of a block": (
            at(google_page(row_2026(), query=WORDS), f"{ADDRESS}&q=/sorry/"),
            [1],
        ),
        "sitelinks": (google_page(PART_OF_SITE), [1]),
    },
    links={href: (row_2019(href=href), url) for href, url in WAYS.items()},
    details={
        **{
            f"layout, {kind}": (google_page(row()), "About page 1.", None)
            for kind, row in ROWS.items()
        },
        **{
            shown: (google_page(row_2026(snippet=shown)), "Words", date)
            for shown, date in DATES.items()
        },
        "read more": (
            google_page(row_2026(snippet="Words … <a href='#'>More</a>")),
            "Words …",
            None,
        ),
        "words of a block": (google_page(row_2026(snippet=WORDS)), WORDS, None),
        # Links to parts of a site keep their own text.
        "sitelinks": (google_page(PART_OF_SITE), "", None),
    },
)
