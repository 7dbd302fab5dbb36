"""Reading pages through `create_reader`, against a web on loopback."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing

import pytest
from support.pages.hostile_pages import HOSTILE_PAGES
from support.pages.pdf import encrypted_pdf, pdf
from support.pages.worker_processes import worker_ids
from support.servers.loopback import Answer, Loopback, Request, serving
from support.waiting import wait_until

from websearch import Page, PageReader, SearchError, create_reader
from websearch.config import AllowedHosts, Settings
from websearch.fetch.address_policy import AddressPolicy
from websearch.fetch.download import Downloader
from websearch.fetch.guard import Guard
from websearch.fetch.service import PageSource

HTML = {"Content-Type": "text/html; charset=utf-8"}
PDF = {"Content-Type": "application/pdf"}
OCTETS = {"Content-Type": "application/octet-stream"}
Read = Callable[[str], Page]
ARTICLE = (
    "<title>The tower</title>"
    "<meta property='article:published_time' content='2026-11-02T08:00:00Z'>"
    "<body><nav>Home News</nav><article><h1>The tower</h1>"
    + "<p>The tower of the old town is 62 metres high, and people like it.</p>" * 20
    + "</article>"
)
CHINESE = "<title>塔</title><body><p>" + "这座塔高六十二米。" * 60
PAGES: dict[str, Callable[[], Answer]] = {
    "/article": lambda: Answer(ARTICLE, 200, HTML),
    "/link": lambda: Answer("", 302, {"Location": "/article"}),
    "/paper.pdf": lambda: Answer(pdf("The tower is 62 metres high."), 200, PDF),
    "/scan.pdf": lambda: Answer(pdf(""), 200, PDF),
    "/locked.pdf": lambda: Answer(encrypted_pdf("The tower"), 200, PDF),
    "/octets.pdf": lambda: Answer(pdf("The tower is 62 metres high."), 200, OCTETS),
    "/broken.pdf": lambda: Answer(b"%PDF-1.4 nothing", 200, PDF),
    "/login": lambda: Answer(
        "<title>Sign in</title><body><form><input type=password></form>", 200, HTML
    ),
    "/lying": lambda: Answer(
        CHINESE.encode("gbk"), 200, {"Content-Type": "text/html; charset=iso-8859-1"}
    ),
    "/frames": lambda: Answer("<frameset><frame src=/article></frameset>", 200, HTML),
    "/nothing": lambda: Answer("", 200, HTML),
    "/notice": lambda: Answer("<p>The site is closed until Monday.", 200, HTML),
    "/app": lambda: Answer(
        "<title>App</title><body><div id=root></div><script>x</script>", 200, HTML
    ),
    "/gbk": lambda: Answer(CHINESE.encode("gbk"), 200, {"Content-Type": "text/html"}),
    "/nested": lambda: Answer(HOSTILE_PAGES["nested div"](), 200, HTML),
    "/busy": lambda: Answer("no", 429, {"Retry-After": "30"}),
    "/long": lambda: Answer("word " * 100_000, 200, {"Content-Type": "text/plain"}),
}


def answer(request: Request) -> Answer:
    return PAGES.get(request.path, lambda: Answer("no", 404, HTML))()


server = serving(answer, "module")


@pytest.fixture(scope="module")
def opened(server: Loopback) -> Iterator[PageReader]:
    """A reader whose worker process starts once for all tests."""
    allowed = {"WEB_FETCH_ALLOWED_HOSTS": f"127.0.0.1:{server.port}"}
    with create_reader(Settings.model_validate(allowed)) as reader:
        yield reader


@pytest.fixture
def web(server: Loopback, monkeypatch: pytest.MonkeyPatch) -> Loopback:
    monkeypatch.setenv("WEB_FETCH_ALLOWED_HOSTS", f"127.0.0.1:{server.port}")
    server.script = answer
    server.requests.clear()
    return server


@pytest.fixture
def read(web: Loopback, opened: PageReader) -> Read:
    """Read the page at a path in a session of its own."""
    return lambda path: opened.for_session().read(web.url + path)


@pytest.fixture
async def reader(web: Loopback) -> AsyncIterator[PageReader]:
    async with aclosing(create_reader()) as made:
        yield made


@pytest.mark.spec("H10")
def test_article(web: Loopback, read: Read) -> None:
    """A page gives its text, title, date and final address."""
    page = read("/link#part")

    assert (page.title, page.published_at) == ("The tower", "2026-11-02")
    assert page.final_url == f"{web.url}/article"
    assert page.content_type == "text/html"
    assert "62 metres" in page.text
    assert "Home News" not in page.text
    assert not page.truncated
    assert not page.cached


@pytest.mark.parametrize("path", ["/paper.pdf", "/octets.pdf"])
def test_pdf(read: Read, path: str) -> None:
    """A PDF gives the text of its pages, also where its header names no type."""
    assert "62 metres" in read(path).text


def test_short_notice(read: Read) -> None:
    """A page that has one sentence to say is read."""
    assert "closed until Monday" in read("/notice").text


@pytest.mark.parametrize("path", ["/gbk", "/lying"])
def test_gbk(read: Read, path: str) -> None:
    """A Chinese page is read without a declared charset, and with a wrong one."""
    page = read(path)

    assert page.title == "塔"
    assert "这座塔高六十二米" in page.text


def test_long_page(read: Read) -> None:
    """A long page is cut, and says so."""
    page = read("/long")

    assert len(page.text) == 200_000
    assert page.truncated


NO_TEXT = {
    "/scan.pdf": "WebParseError scanned_pdf",
    "/broken.pdf": "WebParseError broken_pdf",
    "/locked.pdf": "WebParseError encrypted_pdf",
    "/frames": "WebParseError empty_page",
    "/nothing": "WebParseError empty_page",
    "/login": "WebBlocked login_required",
    "/app": "WebParseError needs_browser",
    "/nowhere": "WebProviderError page_gone",
}


@pytest.mark.spec("O6")
@pytest.mark.parametrize("path", NO_TEXT)
def test_no_text(read: Read, path: str) -> None:
    """A page without text says why."""
    with pytest.raises(SearchError) as caught:
        read(path)

    assert f"{caught.value.code} {caught.value.detail_code}" == NO_TEXT[path]


@pytest.mark.spec("H10")
async def test_cache(web: Loopback, reader: PageReader) -> None:
    """A page is kept by the address asked for and by the final one."""
    first = await reader.aread(f"{web.url}/link")
    again = await reader.aread(f"{web.url}/link?utm_source=x")
    final = await reader.aread(f"{web.url}/article#top")
    other = await reader.for_session().aread(f"{web.url}/article")

    assert [p.cached for p in (first, again, final, other)] == [
        False,
        True,
        True,
        False,
    ]
    assert first.text == again.text == final.text
    assert len(web.requests) == 3


async def test_text_fragments(web: Loopback, reader: PageReader) -> None:
    """A fragment names a place on a page that is read already, and is never sent."""
    await reader.aread(f"{web.url}/article#:~:text=tower")
    again = await reader.aread(f"{web.url}/article#:~:text=metres,high")

    assert again.cached
    assert [request.target for request in web.requests] == ["/article"]


async def test_same_page_ten_times_at_once(web: Loopback, reader: PageReader) -> None:
    """Equal requests at once download one page."""
    pages = await asyncio.gather(
        *(reader.aread(f"{web.url}/article") for _ in range(10))
    )

    assert len({page.text for page in pages}) == 1
    assert len(web.requests) == 1


async def test_failure_is_shared_but_not_kept(
    web: Loopback, reader: PageReader
) -> None:
    """Those who wait for the same page share its error; the next one asks again."""
    errors = await asyncio.gather(
        *(reader.aread(f"{web.url}/busy") for _ in range(5)),
        return_exceptions=True,
    )
    with pytest.raises(SearchError):
        await reader.aread(f"{web.url}/busy")

    assert [getattr(error, "retry_after", None) for error in errors] == [30] * 5
    assert len(set(map(id, errors))) == 5
    assert len(web.requests) == 2


async def test_two_event_loops(web: Loopback, opened: PageReader) -> None:
    """A reader serves a thread and an event loop with the same page at once."""
    async with aclosing(opened.for_session()) as reader:
        pages = await asyncio.gather(
            asyncio.to_thread(reader.read, f"{web.url}/article"),
            reader.aread(f"{web.url}/article"),
        )

    assert len({page.text for page in pages}) == 1


@pytest.mark.spec("O8")
def test_switched_off(web: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """No page is requested while the operator has reading switched off."""
    monkeypatch.setenv("WEB_FETCH_ENABLED", "false")

    with create_reader() as reader, pytest.raises(SearchError) as caught:
        reader.read(f"{web.url}/article")

    assert caught.value.detail_code == "reading_off"
    assert web.requests == []


@pytest.mark.spec("N3")
def test_nothing_of_a_page_in_the_log(
    read: Read, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither addresses nor texts of pages reach the log, at any level."""
    caplog.set_level(logging.DEBUG)
    read("/article?secret-words")
    with pytest.raises(SearchError):
        read("/nowhere?secret-words")

    assert "secret-words" not in caplog.text
    assert "metres" not in caplog.text
    assert "/article" not in caplog.text


def source(web: Loopback, seconds: tuple[float, float]) -> PageSource:
    policy = AddressPolicy(AllowedHosts.parse(f"127.0.0.1:{web.port}"))
    downloader = Downloader(Guard(policy), seconds=60, user_agent="test")
    return PageSource(downloader, seconds=seconds)


async def test_plain_way(web: Loopback) -> None:
    """All visible text is taken if the search for the article takes too long."""
    async with aclosing(source(web, (0.0, 60))) as pages:
        page = await pages.read(f"{web.url}/article")

    assert "62 metres" in page.text


@pytest.mark.spec("O5")
async def test_no_way(web: Loopback) -> None:
    """A page that no way reads in time is refused, and the next one is read."""
    async with aclosing(source(web, (60, 0.2))) as pages:
        assert "62 metres" in (await pages.read(f"{web.url}/article")).text
    async with aclosing(source(web, (0.2, 0.2))) as pages:
        with pytest.raises(SearchError) as caught:
            await pages.read(f"{web.url}/nested")

    assert caught.value.detail_code == "page_too_slow"


@pytest.mark.spec("O5")
async def test_hostile_page_among_others(web: Loopback) -> None:
    """Pages are read to the end while one beside them takes all of its time."""
    async with aclosing(source(web, (60, 60))) as pages:
        stuck = asyncio.create_task(pages.read(f"{web.url}/nested"))
        others = [pages.read(f"{web.url}/article?{number}") for number in range(6)]
        found = await asyncio.gather(*others)
        assert not stuck.done()
        stuck.cancel()
        await asyncio.gather(stuck, return_exceptions=True)

    assert all("62 metres" in page.text for page in found)


MOMENTS = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55)


@pytest.mark.spec("M6")
async def test_stopped_at_any_moment(web: Loopback) -> None:
    """A reader that is stopped leaves no task and no process, and reads on later."""
    before, workers = asyncio.all_tasks(), worker_ids()
    reader = create_reader()
    for turns in MOMENTS:
        for path in ("/article", "/paper.pdf", "/nested"):
            reading = asyncio.create_task(reader.aread(web.url + path))
            for _ in range(turns):
                await asyncio.sleep(0)
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
    page = await reader.aread(f"{web.url}/article")
    await reader.aclose()

    assert "62 metres" in page.text
    assert asyncio.all_tasks() == before
    assert worker_ids() == workers


@pytest.mark.spec("M6")
async def test_stopped_while_a_page_comes(web: Loopback) -> None:
    """Stopping in the middle of a download ends its connection."""

    def slow() -> Iterator[bytes | float]:
        yield b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>The"
        while True:
            yield b" tower"
            yield 0.02

    web.script = lambda _: slow
    reader = create_reader()
    reading = asyncio.create_task(reader.aread(web.url))
    await asyncio.to_thread(wait_until, lambda: web.writing, "the page to begin")
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    await asyncio.to_thread(wait_until, lambda: not web.writing, "the end of the page")
    await reader.aclose()

    assert reading.cancelled()
