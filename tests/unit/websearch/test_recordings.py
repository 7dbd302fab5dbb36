"""Recorded exchanges of real servers, old and new, where they are at hand."""

import pytest
from support.paths import SHARED
from support.servers.loopback import Answer, Raw, Request, served

from websearch import SearchResponse
from websearch.config.address import BaseAddress
from websearch.engines import Searxng
from websearch.errors import SearchError
from websearch.network.client import HttpClient
from websearch.service import SearchService

FOLDER = SHARED / "recordings" / "searxng"

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the recordings are not part of the project"
)

FOUND = {
    "01-success-en": 10,
    "02-success-zh": 10,
    "03-no-results": 0,
    "04-weird-urls-html-to-text": 10,
    "07-rich-types": 10,
    "08-infobox": 0,
    "09-answers": 0,
    "12-engine-crash": 0,
    "18-command": 0,
    "300-subpath-ok": 10,
    "301-subpath-gzip": 10,
    "searx-1.1.0/01-success-en": 10,
    "searx-1.1.0/22-selfinfo-ip": 0,
}
FAILED = {
    "13-engine-sleep-offline-timeout": ("BadGateway", "engines_failed"),
    "14-broken-engines-first": ("WebBlocked", "http_403"),
    "15-broken-engines-second-suspended": ("WebBlocked", "http_403"),
    "200-json-not-enabled-get": ("AuthError", "json_disabled"),
    "230-limiter-curl-ua": ("WebBlocked", "http_429"),
    "305-subpath-wrong-path": ("WebParseError", "http_404"),
    "310-basic-auth-none": ("AuthError", "http_401"),
    "31-missing-q": ("InvalidInput", "http_400"),
    "320-upstream-down-502": ("BadGateway", "http_502"),
    "321-upstream-timeout-504": ("BadGateway", "http_504"),
    "322-sso-redirect": ("WebParseError", "redirect"),
    "323-other-app-html-200": ("WebParseError", "not_searxng"),
    "324-other-app-json-200": ("WebParseError", "not_searxng"),
    "330-base-url-with-search-suffix": ("WebParseError", "http_404"),
    "332-openwebui-style-query-placeholder": ("InvalidInput", "http_400"),
    "35-pageno-0": ("InvalidInput", "http_400"),
    "39b-pageno-unicode-digit": ("BadGateway", "http_500"),
    "400-defaults-no-internet-1": ("BadGateway", "engines_failed"),
    "402-defaults-zh": ("BadGateway", "engines_failed"),
    "44-language-zh_CN": ("InvalidInput", "http_400"),
    "76-post-json-body": ("WebParseError", "not_searxng"),
    "77-root-get-q": ("WebParseError", "redirect"),
    "80-long-q-get-100000": ("InvalidInput", "http_414"),
    "86-external-bang": ("WebParseError", "redirect"),
    "searx-1.1.0/40-language-auto": ("InvalidInput", "http_400"),
}


def recorded(name: str) -> Raw:
    content = (FOLDER / f"{name}.http").read_bytes()
    # The recorder had put the chunks together.
    content = content.replace(b"Transfer-Encoding: chunked\r\n", b"")
    return lambda: iter([content])


async def search(script: Answer | Raw) -> SearchResponse:
    def answer(_: Request) -> Answer | Raw:
        return script

    with served(answer) as server:
        backend = Searxng(HttpClient(), BaseAddress.parse(server.url))
        async with SearchService(backend) as service:
            return await service.asearch("q")


@pytest.mark.spec("B3", "B7", "J3", "H1")
@pytest.mark.parametrize(("name", "count"), FOUND.items())
async def test_found(name: str, count: int) -> None:
    """A real answer is read: at most ten safe pages, and text that can be encoded."""
    response = await search(recorded(name))

    assert len(response.items) == count
    for item in response.items:
        assert item.url.startswith(("http://", "https://"))
        assert "@" not in item.url.split("/")[2]
        f"{item.title}{item.snippet}".encode()


@pytest.mark.spec("B5", "B6", "H8")
@pytest.mark.parametrize(("name", "expected"), FAILED.items())
async def test_failed(name: str, expected: tuple[str, str]) -> None:
    """A real failure gets its own name."""
    with pytest.raises(SearchError) as caught:
        await search(recorded(name))

    assert (caught.value.code, caught.value.detail_code) == expected


@pytest.mark.spec("B7")
async def test_lone_surrogate() -> None:
    """Text that can't be encoded is scrubbed, and its result kept."""
    body = (FOLDER / "34b-lone-surrogate.json").read_bytes()

    response = await search(Answer(body))

    assert response.items
    repr(response.items).encode("utf-8")


def test_every_recording_is_used() -> None:
    """No recording is left out but those of other endpoints and questions."""
    there = {str(p.relative_to(FOLDER))[:-5] for p in FOLDER.rglob("*.http")}
    others = {"100-healthz", "101-config", "32-space-q"}
    old = {"searx-1.1.0/15-broken-engines-second-suspended"}

    assert there - set(FOUND) - set(FAILED) == others | old
