"""Each browser gets a random id that no script can read."""

from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from ui.server.browser_id import COOKIE, BrowserId, browser_id

KNOWN = "A" * 43


async def cookies_of(
    *, kind: str = "text/html; charset=utf-8", sent: str = "", **scope: Any
) -> list[str]:
    """The cookies that are set with a response of this *kind*."""
    started: list[Message] = []

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        headers = [(b"content-type", kind.encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})

    async def send(message: Message) -> None:
        started.append(message)

    headers = [(b"cookie", sent.encode())] if sent else []
    asked = {"type": "http", "scheme": "http", "headers": headers, **scope}
    await BrowserId(app)(asked, None, send)  # type: ignore[arg-type]  # never received
    sent_headers = started[0]["headers"]
    return [value.decode() for name, value in sent_headers if name == b"set-cookie"]


def environ(cookie: str) -> dict[str, str]:
    return {"HTTP_COOKIE": cookie}


async def test_a_new_browser() -> None:
    """The id is random, and kept from scripts and from other sites."""
    (first,), (second,) = await cookies_of(), await cookies_of()
    value = first.partition(";")[0]

    assert first != second
    assert browser_id(environ(value)) == value.removeprefix(f"{COOKIE}=")
    assert "HttpOnly; SameSite=Lax" in first
    assert "Secure" not in first


async def test_https() -> None:
    (cookie,) = await cookies_of(scheme="https")

    assert cookie.endswith("; Secure")


async def test_a_known_browser_keeps_its_id() -> None:
    """It is sent again, so that it lasts longer."""
    (cookie,) = await cookies_of(sent=f"a=b; {COOKIE}={KNOWN}")

    assert browser_id(environ(cookie.partition(";")[0])) == KNOWN


async def test_only_pages_bring_it() -> None:
    assert await cookies_of(kind="application/json") == []


@pytest.mark.parametrize("value", ["", "x", "A" * 44, "é" * 43, "A" * 42 + "/"])
async def test_an_invalid_id(value: str) -> None:
    """An id that is none counts as missing, and a new one is given."""
    assert browser_id(environ(f"{COOKIE}={value}")) is None
    sent = f"{COOKIE}={value}".encode().decode("latin-1")
    assert len(await cookies_of(sent=sent)) == 1


def test_no_cookies() -> None:
    assert browser_id({}) is None
    assert browser_id(None) is None
