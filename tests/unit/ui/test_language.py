"""One language for the whole page."""

import json
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from text.language import supported
from ui.language import BrowserLanguage, browser_language, page_language


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("en", "en-US"),
        ("EN-gb", "en-US"),
        ("en-US,en;q=0.9", "en-US"),
        ("zh-TW", "zh-CN"),
        ("fr", "zh-CN"),
        ("", "zh-CN"),
        (None, "zh-CN"),
    ],
)
def test_known(tag: str | None, language: str) -> None:
    """English is for who reads English, Chinese for everybody else."""
    assert supported(tag) == language


@pytest.mark.parametrize(
    ("setting", "language"),
    [("zh-CN", "zh-CN"), ("en-US", "en-US"), ("auto", "en-US")],
)
def test_spoken(setting: str, language: str) -> None:
    """The browser has a say only where the setting leaves it one."""
    assert page_language(setting, "en-GB") == language


@pytest.mark.parametrize(
    ("environ", "tag"),
    [
        ({"HTTP_ACCEPT_LANGUAGE": "fr,en"}, "fr,en"),
        ({"HTTP_COOKIE": "websearch-language=en-US"}, "en-US"),
        (
            {
                "HTTP_COOKIE": "a=b; websearch-language=zh-CN",
                "HTTP_ACCEPT_LANGUAGE": "en",
            },
            "zh-CN",
        ),
        (
            {"HTTP_COOKIE": "my-websearch-language=en", "HTTP_ACCEPT_LANGUAGE": "fr"},
            "fr",
        ),
        ({"HTTP_COOKIE": 'websearch-language="<x>"'}, ""),
        ({}, ""),
    ],
)
def test_of_browser(environ: dict[str, Any], tag: str) -> None:
    """The cookie of the page's script overrides the browser's headers."""
    assert browser_language(environ) == tag


@pytest.fixture
def client() -> TestClient:
    """An app that tells what it was asked."""

    async def told(request: Request) -> JSONResponse:
        return JSONResponse(dict(request.query_params))

    routes = [Route("/{place:path}", told)]
    return TestClient(
        Starlette(routes=routes, middleware=[Middleware(BrowserLanguage)])
    )


@pytest.mark.parametrize("place", ["/project/translations", "/chat/project/settings"])
def test_words_are_asked_for_in_our_language(client: TestClient, place: str) -> None:
    """Chainlit hears of no language that we do not speak, and all else as it was."""
    answer = client.get(f"{place}?language=zh-HK&chat_profile=a%26b%20c")

    assert answer.json() == {"language": "zh-CN", "chat_profile": "a&b c"}


def test_no_other_request_is_touched(client: TestClient) -> None:
    """Only where Chainlit's page asks for words is its language put right."""
    answer = client.get("/project/file?language=fr")

    assert json.loads(answer.text) == {"language": "fr"}
