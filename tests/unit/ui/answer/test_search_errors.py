"""Failed searches in the user's words."""

import pytest

from ui.answer.search_errors import explain_error, failed_engines, problem_note
from websearch.config.settings import Settings
from websearch.errors import (
    AuthError,
    BadGateway,
    EngineFailure,
    SearchError,
    Timeout,
    WebBlocked,
)


@pytest.mark.spec("B4", "B5", "B6")
@pytest.mark.parametrize(
    ("error", "words"),
    [
        (Timeout("x"), "秒内没有回应"),
        (AuthError("x", detail_code="json_disabled"), "未启用 JSON"),
        (BadGateway("x", detail_code="http_502"), "SearXNG 没有"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.code,
)
def test_trouble(error: SearchError, words: str) -> None:
    """A failed search has title, cause, steps and a page to read on."""
    trouble = explain_error(error, Settings.load(), "zh-CN")

    assert words in trouble.title
    notice = trouble.notice("所以没有。")
    assert trouble.cause + " 所以没有。" in notice
    assert "](/help/troubleshooting.zh-CN#" in notice
    assert "1. " in trouble.details


def test_strangers_words_are_no_markup() -> None:
    """A server's message is shown as text, without effect."""
    engines = [EngineFailure("![x](http://evil.example/p.png)", "[a](b)")]
    error = BadGateway("x", detail_code="engines_failed", engines=engines)

    details = explain_error(error, Settings.load(), "zh-CN").details
    for text in (details, failed_engines(error, "zh-CN")):
        assert "![x](" not in text
        assert "[a](b)" not in text


@pytest.mark.spec("B5")
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("zh-CN", "SearXNG 超时，本次改用 DuckDuckGo"),
        ("en-US", "SearXNG took too long; DuckDuckGo answered instead"),
    ],
)
def test_another_engine_answered(
    monkeypatch: pytest.MonkeyPatch, language: str, words: str
) -> None:
    """A fallback names the failed engine, the reason and the answering engine."""
    monkeypatch.setenv("WEB_SEARCH_FALLBACK", "ddg_html")
    error = Timeout("x", provider="searxng")

    note = problem_note(error, "ddg_html", Settings.load(), language)

    assert note == words


@pytest.mark.parametrize("provider", ["searxng", "searxng+bocha"])
def test_failure_beside_others(monkeypatch: pytest.MonkeyPatch, provider: str) -> None:
    """Engines in parallel without results are named with the reason."""
    monkeypatch.setenv("WEB_SEARCH_BACKEND", "searxng+bocha+ddg_html")
    monkeypatch.setenv("WEB_SEARCH_FALLBACK", "brave")
    error = WebBlocked("x", detail_code="captcha_required", provider="ddg_html")

    note = problem_note(error, provider, Settings.load(), "zh-CN")

    assert note == "部分引擎没有结果：DuckDuckGo 要求验证码"


def test_engines_behind_searxng() -> None:
    """Failed engines behind SearXNG are named in its response."""
    engines = [EngineFailure("bing", "timeout")]
    error = BadGateway("x", engines=engines, provider="searxng")

    note = problem_note(error, "searxng", Settings.load(), "en-US")

    assert note == "Some engines gave no results: bing (timeout)"
