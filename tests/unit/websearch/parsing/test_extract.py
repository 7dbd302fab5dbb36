"""Title, text, date and kind of a page."""

from pathlib import Path

import pytest
from support.paths import SHARED

from websearch.parsing.extract import MOST_TEXT, Extract, extract
from websearch.parsing.page_facts import day_in

PAGES = sorted((SHARED / "pages" / "block").glob("*.html"))
LONG = "<p>" + "这是一段用来测试的正文，说的是大模型与检索。" * 12 + "</p>"
SCRIPT = "<script src=/a.js></script><script>" + "x=1;" * 2_000 + "</script>"
ENABLE = "<noscript>You need to enable JavaScript to run this app.</noscript>"
CLOSED = '{"@type":"NewsArticle","isAccessibleForFree":"False"}'
KINDS = {
    "needs_browser": [
        f"<title>App</title><body>{ENABLE}<div id=root></div>{SCRIPT}",
        f"<title>某某</title><body><div id=app></div>{SCRIPT}",
        f"<body><div id='__next'><div class=spinner>加载中…</div></div>{SCRIPT}",
        f"<body>请开启JavaScript后重新访问{SCRIPT}",
        f"<body>{SCRIPT}",
    ],
    "login_required": [
        (
            "<title>登录 - 知乎</title><body><form><input type=password></form>"
            "<p>登录即表示同意协议</p>"
        ),
        (
            "<title>Sign in</title><body><h1>Sign in to continue</h1>"
            "<form><input type=password></form>"
        ),
    ],
    "captcha_required": [
        "<title>百度安全验证</title><body><div>网络不给力，请稍后重试</div>",
        (
            "<title>Just a moment...</title><body><noscript>Enable JavaScript and "
            "cookies to continue</noscript><script>window._cf_chl_opt={}</script>"
        ),
        (
            "<title>x</title><body><p>Please verify you are a human</p>"
            "<div id=px-captcha></div>"
        ),
    ],
    "paywall": [
        (
            f'<script type="application/ld+json">{CLOSED}</script>'
            "<body><p>第一段。订阅后继续阅读全文。</p>"
        ),
    ],
    "consent_required": [
        (
            "<title>Before you continue to YouTube</title><body>"
            "<p>We use cookies and data to deliver our services.</p>"
        ),
    ],
    "empty_page": ["", "<html></html>", "<body>  </body>", "<frameset><frame src=a>"],
    "text": [
        f"<title>新闻</title><body>{LONG * 3}",
        "<body><p>本网站将于2026年11月20日维护两小时。给您带来不便，敬请谅解。</p>",
        (
            f"<body><nav><a href=/login>登录</a></nav><article>{LONG * 3}</article>"
            f"<form><input type=password></form>{SCRIPT}"
        ),
        (
            f"<body><article>{LONG * 3}<p>This article explains reCAPTCHA: "
            "g-recaptcha, just a moment...</p></article>"
        ),
    ],
}


def page(html: str) -> Extract:
    return extract(html.encode(), media="html")


@pytest.mark.spec("O6")
@pytest.mark.parametrize(
    ("kind", "html"), [(kind, html) for kind, pages in KINDS.items() for html in pages]
)
def test_kind(kind: str, html: str) -> None:
    """A page with little to read says why; an article about CAPTCHAs is an article."""
    assert page(html).kind == kind


@pytest.mark.skipif(not PAGES, reason="needs the captured pages in ../shared/pages")
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_captured_block_pages(path: Path) -> None:
    """Pages that sites showed to robots are recognised."""
    found = extract(path.read_bytes(), media="html")

    assert found.kind in {"captcha_required", "needs_browser"}


def test_article() -> None:
    """Menus and footers are left out; headings, tables and code stay."""
    found = page(
        f"<body><nav>菜单</nav><main><h2>规格</h2>{LONG}<table><tr><th>型号<th>价格"
        f"<tr><td>A7<td>12</table><pre>def f():\n    return 1</pre>{LONG}</main>"
        "<footer>版权所有</footer>"
    )

    parts = ("型号", "A7", "def f():", "大模型与检索")
    assert all(part in text for part in parts for text in (found.text, found.markdown))
    assert "## 规格\n" in found.markdown
    assert "规格" not in found.text
    for text in (found.text, found.markdown):
        assert "菜单" not in text
        assert "版权所有" not in text


@pytest.mark.parametrize(
    ("raised", "text"),
    [
        ("It is deep.<sup>3</sup>", "It is deep."),
        ("It is “deep”<sup>3</sup>", "It is “deep”"),
        ("a lake (the deep one)<sup>3</sup>", "a lake (the deep one)"),
        ("In 1998<sup>[4]</sup> it rose", "In 1998 it rose"),
        ("10<sup>6</sup> km<sup>2</sup>", "10⁶ km²"),
        ("f(x)<sup>2</sup> = (x + y)<sup>2</sup>", "f(x)² = (x + y)²"),
        ("20'<sup>2</sup> or “5”<sup>2</sup>", "20'² or “5”²"),
        ("（长+宽）<sup>2</sup>", "（长+宽）²"),
    ],
)
def test_raised_numbers(raised: str, text: str) -> None:
    """The sign of a footnote goes; an exponent keeps its place, also in brackets."""
    found = page(f"<body><article>{LONG}<p>{raised}</p>{LONG}</article>")

    assert text in found.text.split("\n")
    assert text in found.markdown.split("\n")


def test_posts_in_noscript() -> None:
    """A forum that shows its posts to readers without scripts is read."""
    html = f"<body><div id=splash></div><noscript><div>{LONG * 2}</div></noscript>"

    assert "检索" in page(html + SCRIPT).text


def test_article_in_json() -> None:
    """An article that only JSON-LD states is read, with its date."""
    body = "正文第一句。" * 100
    stated = (
        f'{{"@graph":[{{"@type":"NewsArticle","articleBody":"{body}",'
        '"datePublished":"2026-11-18T08:00:00+08:00"}]}'
    )
    found = page(
        f'<script type="application/ld+json">{stated}</script><body><div id=app></div>'
    )

    assert found.text == body
    assert found.published_at == "2026-11-18"


def test_deep_json() -> None:
    """JSON-LD that nests without end costs the page nothing."""
    deep = '<script type="application/ld+json">' + "[" * 100_000 + "</script>"

    assert "大模型" in page(f"{deep}<body>{LONG * 3}").text


def test_long_text_is_cut() -> None:
    """A text past the limit is cut, and says so."""
    found = extract(b"word " * MOST_TEXT, media="text")

    assert len(found.text) == MOST_TEXT
    assert found.is_cut


def test_plain_way() -> None:
    """The plain way gives all visible text, without scripts."""
    html = f"<body><p>甲</p><script>x</script>{LONG}"

    text = extract(html.encode(), media="html", is_plain=True).text

    assert text.startswith("甲")
    assert "大模型" in text
    assert "x=" not in text


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("发布于 2026年11月8日 10:20", "2026-11-08"),
        ("2026-11-18T08:00:00+08:00", "2026-11-18"),
        ("18 Nov 2026", "2026-11-18"),
        ("November 8th, 2026", "2026-11-08"),
        ("2026/1/2", "2026-01-02"),
        ("version 2026.13.40", None),
        ("12/11/2026", None),
        ("9 June 1931", None),  # older than the web
    ],
)
def test_day(text: str, day: str | None) -> None:
    """Dates are read in Chinese and English forms; an ambiguous one is none."""
    assert day_in(text) == day


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("By Jane Doe, 18 Nov 2026", "2026-11-18"),
        ("发布时间：2026-11-18 10:20 来源：新华网", "2026-11-18"),
        ("Jane Doe · <time>18 Nov 2026</time> · 5 minutes to read", "2026-11-18"),
        ("The bridge was opened to trains on 9 June 1931", None),
        ("The bridge was opened to trains on 9 June 2003.", None),
        ("Lots of words stand before a date such as 9 June 2003 in a line", None),
    ],
)
def test_date_of_a_line(line: str, day: str | None) -> None:
    """A date counts where it is a good share of its line, and no older than the web."""
    assert page(f"<html><body><p>{line}</p>{LONG * 3}</body>").published_at == day
