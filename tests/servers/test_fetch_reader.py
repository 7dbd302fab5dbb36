"""Reading pages through `create_reader`, against a web on loopback."""

import asyncio
import logging
from collections.abc import Callable, Iterator

import pytest
from support.loopback import Answer, Loopback, Request, served
from support.pdf import pdf

from websearch import Page, SearchError, create_reader

HTML = {"Content-Type": "text/html; charset=utf-8"}
PDF = {"Content-Type": "application/pdf"}
ARTICLE = (
    "<title>The tower</title>"
    "<meta property='article:published_time' content='2026-11-02T08:00:00Z'>"
    "<body><nav>Home News</nav><article><h1>The tower</h1>"
    + "<p>The tower of the old town is 62 metres high, and people like it.</p>" * 20
    + "</article>"
)
PAGES: dict[str, Callable[[], Answer]] = {
    "/article": lambda: Answer(ARTICLE, 200, HTML),
    "/link": lambda: Answer("", 302, {"Location": "/article"}),
    "/paper.pdf": lambda: Answer(pdf("The tower is 62 metres high."), 200, PDF),
    "/scan.pdf": lambda: Answer(pdf(""), 200, PDF),
    "/broken.pdf": lambda: Answer(b"%PDF-1.4 nothing", 200, PDF),
    "/login": lambda: Answer(
        "<title>Sign in</title><body><form><input type=password></form>", 200, HTML
    ),
    "/app": lambda: Answer(
        "<title>App</title><body><div id=root></div><script>x</script>", 200, HTML
    ),
    "/gbk": lambda: Answer(
        ("<title>塔</title><body><p>" + "这座塔高六十二米。" * 60).encode("gbk"),
        200,
        {"Content-Type": "text/html"},
    ),
    "/long": lambda: Answer("word " * 100_000, 200, {"Content-Type": "text/plain"}),
}


def answer(request: Request) -> Answer:
    return PAGES.get(request.path, lambda: Answer("no", 404, HTML))()


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    with served(answer) as server:
        monkeypatch.setenv("WEB_FETCH_ALLOWED_HOSTS", f"127.0.0.1:{server.port}")
        yield server


def read(url: str) -> Page:
    with create_reader() as reader:
        return reader.read(url)


@pytest.mark.spec("H10")
def test_article(web: Loopback) -> None:
    """A page gives its text, title, date and final address."""
    page = read(f"{web.url}/link#part")

    assert (page.title, page.published_at) == ("The tower", "2026-11-02")
    assert page.final_url == f"{web.url}/article"
    assert page.content_type == "text/html"
    assert "62 metres" in page.text
    assert "Home News" not in page.text
    assert not page.truncated
    assert not page.cached


def test_pdf(web: Loopback) -> None:
    """A PDF gives the text of its pages."""
    assert "62 metres" in read(f"{web.url}/paper.pdf").text


def test_gbk(web: Loopback) -> None:
    """A Chinese page without a declared charset is read."""
    page = read(f"{web.url}/gbk")

    assert page.title == "塔"
    assert "这座塔高六十二米" in page.text


def test_long_page(web: Loopback) -> None:
    """A long page is cut, and says so."""
    page = read(f"{web.url}/long")

    assert len(page.text) == 200_000
    assert page.truncated


@pytest.mark.spec("O6")
@pytest.mark.parametrize(
    ("path", "error", "code"),
    [
        ("/scan.pdf", "WebParseError", "scanned_pdf"),
        ("/broken.pdf", "WebParseError", "broken_pdf"),
        ("/login", "WebBlocked", "login_required"),
        ("/app", "WebParseError", "needs_browser"),
        ("/nowhere", "WebProviderError", "page_gone"),
    ],
)
def test_no_text(web: Loopback, path: str, error: str, code: str) -> None:
    """A page without text says why."""
    with pytest.raises(SearchError) as caught:
        read(web.url + path)

    assert (caught.value.code, caught.value.detail_code) == (error, code)


@pytest.mark.spec("H10")
async def test_cache(web: Loopback) -> None:
    """A page is kept by the address asked for and by the final one."""
    reader = create_reader()
    try:
        first = await reader.aread(f"{web.url}/link")
        again = await reader.aread(f"{web.url}/link?utm_source=x")
        final = await reader.aread(f"{web.url}/article#top")
        other = await reader.for_session().aread(f"{web.url}/article")
    finally:
        await reader.aclose()

    assert [p.cached for p in (first, again, final, other)] == [
        False,
        True,
        True,
        False,
    ]
    assert first.text == again.text == final.text
    assert len(web.requests) == 3


async def test_same_page_ten_times_at_once(web: Loopback) -> None:
    """Equal requests at once download one page."""
    reader = create_reader()
    try:
        pages = await asyncio.gather(
            *(reader.aread(f"{web.url}/article") for _ in range(10))
        )
    finally:
        await reader.aclose()

    assert len({page.text for page in pages}) == 1
    assert len(web.requests) == 1


async def test_failure_is_shared_but_not_kept(web: Loopback) -> None:
    """Those who wait for the same page share its error; the next one asks again."""
    reader = create_reader()
    try:
        errors = await asyncio.gather(
            *(reader.aread(f"{web.url}/nowhere") for _ in range(5)),
            return_exceptions=True,
        )
        with pytest.raises(SearchError):
            await reader.aread(f"{web.url}/nowhere")
    finally:
        await reader.aclose()

    assert {getattr(error, "detail_code", None) for error in errors} == {"page_gone"}
    assert len(web.requests) == 2


async def test_cancelled_reader_stops_no_other(web: Loopback) -> None:
    """A cancelled reader leaves the page to the next one that waits."""
    reader = create_reader()
    try:
        first = asyncio.create_task(reader.aread(f"{web.url}/article"))
        await asyncio.sleep(0)
        second = asyncio.create_task(reader.aread(f"{web.url}/article"))
        await asyncio.sleep(0)
        first.cancel()
        page = await second
    finally:
        await reader.aclose()

    assert "62 metres" in page.text
    assert first.cancelled()


@pytest.mark.spec("O8")
def test_switched_off(web: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """No page is requested while the operator has reading switched off."""
    monkeypatch.setenv("WEB_FETCH_ENABLED", "false")

    with pytest.raises(SearchError) as caught:
        read(f"{web.url}/article")

    assert caught.value.detail_code == "reading_off"
    assert web.requests == []


@pytest.mark.spec("N3")
def test_nothing_of_a_page_in_the_log(
    web: Loopback, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither addresses nor texts of pages reach the log, at any level."""
    caplog.set_level(logging.DEBUG)
    read(f"{web.url}/article?secret-words")
    with pytest.raises(SearchError):
        read(f"{web.url}/nowhere?secret-words")

    assert "secret-words" not in caplog.text
    assert "metres" not in caplog.text
    assert "/article" not in caplog.text
