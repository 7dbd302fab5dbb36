"""What holds for every engine: what is sent, what becomes of each kind of answer."""

import gzip
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from support.engine_cases import CASES
from support.search.asked_engine import answered, asking, engine_at, form, requested
from support.search.engine_pages import cuts, html
from support.servers.loopback import Answer, served

from websearch.engines import BACKENDS
from websearch.errors import InvalidInput, SearchError
from websearch.factory import create_service
from websearch.models import SearchRequest

OVER_HTTP = [name for name in CASES if name != "google"]  # not through a browser
SCRAPED = ["ddg_html", "baidu_html", "google"]
SPOILED = {
    "nothing": "",
    "blank": "\n \n",
    "other page": "<!DOCTYPE html><html><body>Welcome.</body></html>",
    "null": "null",
    "deep": "<div>" * 50_000,
    "deep JSON": "[" * 50_000,
}


def table(rows: str) -> pytest.MarkDecorator:
    """A case for each of these rows of each engine."""
    return pytest.mark.parametrize(
        ("name", "row"),
        [
            pytest.param(name, row, id=f"{name}: {kind}"[:60])
            for name, case in CASES.items()
            for kind, row in _named(getattr(case, rows))
        ],
    )


def _named(rows: Mapping[str, Any] | Iterable[Any]) -> Iterable[tuple[str, Any]]:
    if isinstance(rows, Mapping):
        return rows.items()
    return [(str(row), row) for row in rows]


async def failures(name: str, *answers: Answer) -> list[SearchError]:
    """The errors of searches that all fail; each names the engine, and repeats nothing
    of its answer."""
    errors = []
    async with asking(name) as (ask, _):
        for answer in answers:
            with pytest.raises(
                SearchError, match=f"^{BACKENDS[name].title}: "
            ) as caught:
                await ask(answer)
            error = caught.value
            assert error.provider == name
            assert "canary" not in f"{error!r} {error.facts} {error.as_dict()}"
            errors.append(error)
    return errors


@pytest.mark.spec("H5")
@pytest.mark.parametrize("name", BACKENDS)
def test_chosen(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """WEB_SEARCH_BACKEND chooses each backend by its name."""
    monkeypatch.setenv("WEB_SEARCH_BACKEND", name)

    with create_service() as service:
        assert service.provider == name


@pytest.mark.parametrize("name", CASES)
async def test_request(name: str) -> None:
    """A search is one request with these parameters, and the key only in its header."""
    case = CASES[name]

    (request,) = await requested(name, html(case.ten))

    assert (request.method, form(request)) == (case.method, case.form)
    for header, value in case.headers.items():
        assert request.headers[header].startswith(value)


@pytest.mark.spec("J3")
@table("asked")
async def test_parameters(name: str, row: tuple[str, dict[str, Any], Any]) -> None:
    """Chinese arrives as typed; language, country, time and site as the engine knows
    them, or not at all."""
    query, options, expected = row

    (request,) = await requested(name, html(CASES[name].ten), query, **options)

    sent = form(request)
    assert {parameter: sent.get(parameter) for parameter in expected} == expected


@table("too_long")
async def test_too_long(name: str, row: str) -> None:
    """A query that the engine would refuse or cut is not sent."""
    async with asking(name) as (ask, requests):
        with pytest.raises(InvalidInput) as caught:
            await ask(html(CASES[name].ten), row)

    assert caught.value.detail_code == "query_too_long"
    assert not requests


@pytest.mark.parametrize("name", CASES)
async def test_ten_results(name: str) -> None:
    """Results come in the engine's order, with all their parts."""
    case = CASES[name]

    response = await answered(name, html(case.ten))

    assert response.provider == name
    assert len(response.items) == 10
    assert response.items[0] == case.first


@table("results")
async def test_results(name: str, row: tuple[str | Answer, Iterable[int]]) -> None:
    """Each result is found once, whatever stands beside it or around it, whatever words
    are searched; advertisements and the engine's own searches are no results."""
    page, numbers = row

    response = await answered(name, page if isinstance(page, Answer) else html(page))

    title = CASES[name].first.title
    assert [item.title for item in response.items] == [
        title.replace("1", str(number)) for number in numbers
    ]


@table("links")
async def test_links(name: str, row: tuple[str, str]) -> None:
    """A result has the address to which its link leads, behind the engine's redirect
    where the page states it; the engine's other pages are results."""
    markup, url = row

    response = await answered(name, html(CASES[name].page(markup)))

    assert [item.url for item in response.items] == [url]


@table("details")
async def test_details(name: str, row: tuple[str, str, str | None]) -> None:
    """The snippet is found in layouts of all years; a date of the page leaves it."""
    page, snippet, date = row

    (item,) = (await answered(name, html(page))).items

    assert (item.snippet, item.published_at) == (snippet, date)


@table("empty")
async def test_empty(name: str, row: str) -> None:
    """An answer that says so found nothing."""
    assert (await answered(name, html(row))).items == []


@table("unexpected")
async def test_unexpected(name: str, row: str) -> None:
    """An answer of another shape is an error, never an empty success."""
    (error,) = await failures(name, html(row))

    assert error.code == "WebParseError"


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("kind", [*SPOILED, "renamed"])
async def test_spoiled(name: str, kind: str) -> None:
    """A page that is blank, another one, deep or designed anew is no empty success."""
    page = SPOILED.get(kind, CASES[name].ten)
    for known in CASES[name].names if kind == "renamed" else ():
        page = page.replace(known, "novel")

    (error,) = await failures(name, html(page))

    assert error.code == "WebParseError"


@pytest.mark.parametrize("name", CASES)
async def test_cut(name: str) -> None:
    """A page that broke off anywhere is an error."""
    bodies = cuts(CASES[name].ten.encode())

    errors = await failures(name, *map(html, bodies))

    assert {error.code for error in errors} == {"WebParseError"}


@pytest.mark.parametrize("name", OVER_HTTP)
@pytest.mark.parametrize("is_packed", [False, True], ids=["plain", "packed"])
async def test_huge(name: str, is_packed: bool) -> None:
    """A page of 10 MB is refused, also where it came packed in few bytes."""
    body = CASES[name].ten.encode() + b" " * 10_000_000
    coding = {"Content-Encoding": "gzip"} if is_packed else {}

    body = gzip.compress(body) if is_packed else body
    (error,) = await failures(name, html(body, **coding))

    assert (error.code, error.detail_code) == ("WebParseError", "too_large")


@pytest.mark.spec("H8")
@table("statuses")
async def test_statuses(name: str, row: tuple[Answer, str]) -> None:
    """Each status has its error, wherever the engine writes it."""
    answer, expected = row

    (error,) = await failures(name, answer)

    assert f"{error.code} {error.detail_code}" == expected
    assert not error.retryable or error.code == "BadGateway"


@pytest.mark.spec("H6")
@table("blocked")
async def test_blocks(name: str, row: tuple[Answer, str]) -> None:
    """Each page that comes instead of results has its code, whatever its status; where
    only a person gets on, the message says so."""
    answer, code = row

    (error,) = await failures(name, answer)

    assert (error.code, error.detail_code) == ("WebBlocked", code)
    assert ("a person" in str(error)) is code.endswith("required")


@pytest.mark.parametrize("name", CASES)
async def test_retry_after(name: str) -> None:
    """The time that an engine asks to wait is kept, also of an answer without JSON."""
    (error,) = await failures(name, html("", 429, **{"Retry-After": "17"}))

    assert (error.detail_code, error.retry_after) == ("http_429", 17)


@pytest.mark.parametrize("name", ["ddg_html", "brave", "bocha"])
async def test_malformed_row(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """A row without an address is skipped and counted, not repeated."""
    case = CASES[name]
    broken = {
        "ddg_html": case.row(url="https://[canary", wrapped=False),
        "brave": {"title": "canary"},
        "bocha": {"name": "canary"},
    }

    response = await answered(name, html(case.page(broken[name], case.row(2))))

    assert len(response.items) == 1
    assert "skipped 1 malformed results of 2" in caplog.text
    assert "canary" not in caplog.text


@pytest.mark.spec("I8")
@pytest.mark.parametrize("name", OVER_HTTP)
@pytest.mark.parametrize(
    "query", ["https://evil.example/", "x#@evil.example", "\r\nHost: e"]
)
async def test_host(name: str, query: str) -> None:
    """No query changes where a search goes."""
    with served(lambda _: html("", 500)) as server:
        engine = engine_at(name, server.url)
        with pytest.raises(SearchError, match="500"):
            await engine.asearch(SearchRequest(query))
        await engine.aclose()

    assert [r.headers["host"] for r in server.requests] == [f"127.0.0.1:{server.port}"]


@pytest.mark.spec("H6")
@pytest.mark.parametrize("name", OVER_HTTP)
async def test_without_key(name: str) -> None:
    """An engine with an API sends nothing without its key, and names the setting; one
    whose page is read needs none."""
    with served(lambda _: html("", 500)) as server:
        engine = engine_at(name, server.url, key=None)
        with pytest.raises(SearchError) as caught:
            await engine.asearch(SearchRequest("q"))
        await engine.aclose()

    if name in SCRAPED:
        assert caught.value.detail_code == "http_500"
    else:
        assert caught.value.detail_code == "missing_key"
        assert f"{name.upper()}_API_KEY" in str(caught.value)
        assert not server.connections


@pytest.mark.parametrize("name", ["ddg_html", "baidu_html"])
@pytest.mark.parametrize(
    "kind", ["text/html", "text/html; charset=unknown", "application/octet-stream"]
)
async def test_chinese_without_label(name: str, kind: str) -> None:
    """A page in GBK that nobody labelled is read as it was written."""
    page = CASES[name].ten.replace('<meta charset="utf-8">', "")
    page = page.replace("About", "关于").replace("摘要", "关于")
    answer = Answer(page.encode("gbk"), headers={"Content-Type": kind})

    response = await answered(name, answer)

    assert len(response.items) == 10
    assert response.items[0].snippet.startswith("关于")
