"""Broken and hostile answers each become an error of ours; nothing foreign escapes."""

import gzip

import httpx
import pytest
from support.servers.loopback import Answer, Raw, served
from support.servers.raw_http import HEAD, get, raw

from websearch.errors import NetworkError, SearchError
from websearch.network.client import MAX_BYTES, HttpClient


async def failure(script: Answer | Raw) -> SearchError:
    with served(lambda _: script) as server, pytest.raises(SearchError) as caught:
        (await get(server.url)).json()
    return caught.value


PACKED = HEAD + b"Content-Encoding: gzip\r\n\r\n"
HOSTILE: dict[str, tuple[Answer | Raw, str]] = {
    "bomb": (
        raw(HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"0" * 9**8)),
        "too_large",
    ),
    "endless": (raw(HEAD + b"\r\n", *[b"0" * 99_999] * 20), "too_large"),
    "endless after its packing": (
        raw(PACKED + gzip.compress(b"{}"), *[b"\0" * 99_999] * 20),
        "too_large",
    ),
    "endless empty packings": (
        raw(PACKED, *[gzip.compress(b"") * 5_000] * 20),
        "too_large",
    ),
    "endless padding": (
        raw(PACKED + gzip.compress(b"[]") + bytes(MAX_BYTES)),
        "too_large",
    ),
    "cut short while packed": (
        raw(PACKED + gzip.compress(b'{"a": 1}' * 99)[:30]),
        "bad_encoding",
    ),
    "not packed": (
        raw(HEAD + b"Content-Encoding: gzip\r\n\r\nnot gzip"),
        "bad_encoding",
    ),
    "unknown packing": (raw(HEAD + b"Content-Encoding: br\r\n\r\nxx"), "bad_encoding"),
    "short of its length": (raw(HEAD + b"Content-Length: 2000\r\n\r\n{}"), "cut_off"),
    "bad chunk": (raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"), "cut_off"),
    "headers only": (raw(HEAD), "disconnected"),
    "nothing": (raw(), "disconnected"),
    "ssh": (raw(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), "not_http"),
    "tls alert": (raw(b"\x15\x03\x01\x00\x02\x02\x46"), "not_http"),
    "html": (Answer("<html>"), "not_json"),
    "empty": (Answer(""), "not_json"),
    "deep": (Answer("[" * 90_000), "too_deep"),
    "wide": (Answer("[" + "{}," * 300_000 + "{}]"), "too_large"),
    "long number": (Answer("1" * 5_000), "not_json"),
    "not utf-8": (Answer(b"\xff\xfe\x00"), "not_json"),
}


@pytest.mark.spec("N6", "B5")
@pytest.mark.parametrize(("script", "detail"), HOSTILE.values(), ids=HOSTILE)
async def test_hostile(script: Answer | Raw, detail: str) -> None:
    """Each kind of broken answer becomes its own error, and nothing foreign escapes."""
    error = await failure(script)

    assert error.detail_code == detail


@pytest.mark.spec("N3")
async def test_key_with_line_break() -> None:
    """A key that can't be a header is refused without showing it."""
    http = HttpClient()
    with served(lambda _: Answer("{}")) as server:
        await http.request("GET", server.url)
        with pytest.raises(SearchError) as caught:
            await http.request(
                "GET", server.url, headers={"Authorization": "Bearer canary\nx"}
            )
        await http.aclose()

    assert "canary" not in f"{caught.value}{caught.value.__cause__}"
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    ("error", "detail"),
    [
        (httpx.ConnectError("x"), "unreachable"),
        (httpx.ReadError("x"), "disconnected"),
        (httpx.RemoteProtocolError("Server disconnected"), "disconnected"),
        (httpx.RemoteProtocolError("odd"), "not_http"),
        (httpx.ProxyError("x"), "unreachable"),
    ],
)
@pytest.mark.spec("H8", "N3")
async def test_foreign_errors(
    monkeypatch: pytest.MonkeyPatch, error: Exception, detail: str
) -> None:
    """No error of the HTTP library gets past the door, nor its text."""

    async def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", fail)
    with pytest.raises(NetworkError) as caught:
        await get("http://127.0.0.1:9/?q=canary")

    assert caught.value.detail_code == detail
    assert str(error) not in str(caught.value)
