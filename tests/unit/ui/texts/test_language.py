"""One language for the whole page."""

from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from ui.texts import BrowserLanguage, browser_tag, page_language


@pytest.mark.parametrize(
    ("setting", "tag", "language"),
    [
        ("auto", "en", "en-US"),
        ("auto", "EN-gb", "en-US"),
        ("auto", "en-US,en;q=0.9", "en-US"),
        ("auto", "zh-TW", "zh-CN"),
        ("auto", "zh-Hans-CN", "zh-CN"),
        ("auto", "zh", "zh-CN"),
        ("auto", "fr", "en-US"),
        ("auto", "ja,zh;q=0.8", "en-US"),
        ("auto", "*", "zh-CN"),
        ("auto", "", "zh-CN"),
        ("auto", None, "zh-CN"),
        ("zh-CN", "en-GB", "zh-CN"),
        ("en-US", "zh-CN", "en-US"),
    ],
)
def test_language(setting: str, tag: str | None, language: str) -> None:
    """The setting decides; `auto` is Chinese for readers of Chinese of any region and
    where nothing is told, else English."""
    assert page_language(setting, tag) == language


FRENCH = {"HTTP_ACCEPT_LANGUAGE": "fr,en"}


@pytest.mark.parametrize(
    ("environ", "tag"),
    [
        (FRENCH, "fr,en"),
        ({"HTTP_COOKIE": "websearch-language=en-US"}, "en-US"),
        ({"HTTP_COOKIE": "a=b; websearch-language=zh-CN", **FRENCH}, "zh-CN"),
        ({"HTTP_COOKIE": "my-websearch-language=en", **FRENCH}, "fr,en"),
        ({"HTTP_COOKIE": 'websearch-language="<x>"'}, ""),
        ({}, ""),
    ],
)
def test_of_browser(environ: dict[str, Any], tag: str) -> None:
    """The cookie of the page's script overrides the browser's headers."""
    assert browser_tag(environ) == tag


@pytest.fixture
def client() -> TestClient:
    """An app that tells what it was asked."""

    async def told(request: Request) -> JSONResponse:
        return JSONResponse(dict(request.query_params))

    routes = [Route("/{place:path}", told)]
    return TestClient(
        Starlette(routes=routes, middleware=[Middleware(BrowserLanguage)])
    )


@pytest.mark.parametrize(
    ("place", "told", "language"),
    [
        ("/project/translations", {"accept-language": "zh-HK"}, "zh-CN"),
        ("/project/translations", {"accept-language": "fr"}, "en-US"),
        ("/chat/project/settings", {"cookie": "websearch-language=en-US"}, "en-US"),
        ("/project/file", {"accept-language": "zh-HK"}, "de"),
    ],
)
def test_requests(
    client: TestClient, place: str, told: dict[str, str], language: str
) -> None:
    """Where Chainlit's page asks for words, it is for ours; nothing else changes."""
    answer = client.get(f"{place}?language=de&chat_profile=a%26b%20c", headers=told)

    assert answer.json() == {"language": language, "chat_profile": "a&b c"}
