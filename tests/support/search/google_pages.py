"""Pages in the shape of Google's, from 2014 to 2026; made-up words."""

from collections.abc import Callable
from urllib.parse import quote

from support.servers.searxng_pages import site

ADDRESS = "https://www.google.com/search?q=x&hl=en"


def url_of(number: int) -> str:
    return f"{site(number)}?a=1&b=2"


def _href(number: int) -> str:
    return url_of(number).replace("&", "&amp;")


def row_2014(number: int = 1, *, snippet: str | None = None) -> str:
    """A heading around a link, an address line and a menu before the snippet."""
    return (
        f'<li class="g"><div class="rc"><h3 class="r"><a href="{_href(number)}">'
        f'Title <em>{number}</em></a></h3><div class="s"><div><div class="f kv">'
        f'<cite>site{number}.example.org/page</cite><div class="action-menu ab_ctl">'
        '<a href="#">Menu</a><ol><li><a href="/search?q=related:x">Similar</a></li>'
        f'</ol></div></div><span class="st">{_about(number, snippet)}</span></div>'
        "</div></div></li>"
    )


def row_2019(number: int = 1, *, snippet: str | None = None, href: str = "") -> str:
    """A link around a heading and the address line."""
    href = href or _href(number)
    return (
        f'<div class="g"><div class="rc"><div class="r"><a href="{href}">'
        f'<h3 class="LC20lb">Title {number}</h3><br><div class="TbwUpd"><cite>'
        f"https://site{number}.example.org › page</cite></div></a></div>"
        f'<div class="s"><div><span class="st">{_about(number, snippet)}</span>'
        "</div></div></div></div>"
    )


def row_2023(number: int = 1, *, snippet: str | None = None) -> str:
    """As in 2019, with other names, and the address line twice."""
    address = (
        f"<div><cite>https://site{number}.example.org<span> › a</span></cite></div>"
    )
    return (
        '<div class="MjjYud"><div class="g Ww4FFb tF2Cxc"><div class="yuRUbf">'
        f'<a href="{_href(number)}"><br><h3 class="LC20lb MBeuO">Title {number}</h3>'
        f'{address}</a><div class="B6fmyf">{address}<a href="https://translate.google.com'
        f'/translate?u=x">Translate</a></div></div><div class="Z26q7c"><div '
        f'class="VwiC3b MUxGbd">{_about(number, snippet)}</div></div></div></div>'
    )


def row_2026(number: int = 1, *, snippet: str | None = None) -> str:
    """The parts of a result carry numbers besides their names."""
    return (
        '<div class="MjjYud"></div><div class="MjjYud"><div class="A6K0A">'
        '<div class="wHYlTd tF2Cxc"><div data-snhf="0"><span><a class="zReHs" '
        f'href="{_href(number)}"><h3 class="LC20lb">Title {number}</h3><br><div>'
        f'<span>Site</span><cite role="text">site</cite></div></a></span><div>'
        '<div role="button" tabindex="0"><span>About this result</span></div></div>'
        f'</div><div data-sncf="1"><div class="VwiC3b">{_about(number, snippet)}</div>'
        '</div><div data-sncf="2"><div>3 answers</div></div></div></div></div>'
    )


def row_plain(number: int = 1, *, snippet: str | None = None) -> str:
    """A browser without scripts gets wrapped links, and boxes within boxes."""
    return (
        '<div><div class="Gx5Zad"><div class="kCrYT"><a href="'
        f'{wrapped(url_of(number))}"><h3 class="zBAuLc"><div class="BNeawe vvjwJb">'
        f'Title {number}</div></h3><div class="UPmit">site › page</div></a></div>'
        '<div class="kCrYT"><div><div class="BNeawe s3v9rd"><div><div class="BNeawe">'
        f"{_about(number, snippet)}</div></div></div></div></div></div></div>"
    )


def row_unknown(number: int = 1, *, snippet: str | None = None) -> str:
    """Names that nobody has seen yet: a linked heading, and text nearby."""
    return (
        f'<section><div class="qq1"><div><a href="{_href(number)}"><div><h3>Title '
        f"{number}</h3></div><span>A site with a very long name of its own</span></a>"
        '<div role="menu"><div>A menu with many more words than the text</div></div>'
        f'<cite>a line with an address</cite></div><div class="qq2"><div><p>'
        f"{_about(number, snippet)}</p></div></div></div></section>"
    )


ROWS: dict[str, Callable[..., str]] = {
    "2014": row_2014,
    "2019": row_2019,
    "2023": row_2023,
    "2026": row_2026,
    "without scripts": row_plain,
    "unknown": row_unknown,
}


def _about(number: int, snippet: str | None) -> str:
    return f"About <em>page</em> {number}." if snippet is None else snippet


def google_page(*rows: str, top: str = "", bottom: str = "", query: str = "x") -> str:
    """A whole page; *top* and *bottom* stand before and after the list."""
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{query} - Google '
        'Search</title><noscript><meta http-equiv="refresh" content="0;url='
        '/httpservice/retry/enablejs?sei=x"></noscript></head><body>'
        f'<form action="/search"><textarea>{query}</textarea></form><div id="main">'
        f'<div id="center_col" role="main"><div id="taw">{top}</div><div id="res">'
        '<div id="topstuff"></div><div id="search"><div><h1>Results</h1>'
        f'<div id="rso">{"".join(rows)}</div></div></div></div>'
        f'<div id="botstuff">{bottom}</div></div></div></body></html>'
    )


def wrapped(url: str, *, name: str = "q", host: str = "") -> str:
    """Google's redirect to *url*."""
    return f"{host}/url?sa=t&amp;{name}={quote(url, safe='')}&amp;ved=abc"


def _nothing(paragraph: str) -> str:
    return (
        f"{paragraph}Your search - <em>x</em> - did not match any documents.</p>"
        "<p>Suggestions:</p><ul><li>Try other words.</li></ul>"
    )


# The page is a table: columns for menus, results and advertisements.
IN_TABLE = (
    '<html><body><table id="mn"><tr><td><ul><li>Web</li></ul></td><td><div id="search">'
    f'<ol>{row_2014(1)}{row_2014(2)}</ol></div></td><td id="rhscol"><div id="mbEnd">'
    "<h3><a href='https://shop.example.org/'>Buy</a></h3></div></td></tr></table>"
    "</body></html>"
)

EMPTY = {
    "2014": google_page().replace(
        '<div id="topstuff">',
        '<div id="topstuff"><div class="mnr-c"><div class="med card-section">'
        f"{_nothing('<p>')}</div></div>",
    ),
    "2026": google_page(
        bottom=f'<div class="mnr-c"><div>{_nothing("<p role=heading>")}</div></div>'
    ),
}

CAPTCHA = (
    "<html><head><title>https://www.google.com/search?q=x</title></head><body><hr>"
    '<form id="captcha-form" action="index" method="post"><div class="g-recaptcha" '
    'data-sitekey="abc"></div></form><div><b>About this page</b></div></body></html>'
)
UNUSUAL_TRAFFIC = (
    "<html><head><title>Sorry</title></head><body><h1>Sorry</h1><div>Your computer may "
    "be sending automated queries.</div></body></html>"
)
CONSENT = (
    "<html><head><title>Before you continue</title></head><body><h1>Before you "
    'continue</h1><form action="https://consent.google.com/save" method="post">'
    "<button>Accept</button></form></body></html>"
)
NEEDS_SCRIPTS = (
    "<html><head><title>x - Google Search</title></head><body><noscript><iframe "
    'src="/httpservice/retry/enablejs?sei=x"></iframe></noscript><div id="main"></div>'
    "</body></html>"
)
