"""Failed searches in the user's words."""

import pytest

from ui.answer.search_errors import explain_error, failed_engines, problem_note
from websearch.config.settings import Settings
from websearch.errors import BadGateway, EngineFailure, SearchError, Timeout, WebBlocked

CAPTCHA = WebBlocked("x", detail_code="captcha_required", provider="ddg_html")
BEHIND = BadGateway("x", engines=[EngineFailure("bing", "timeout")], provider="searxng")


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


@pytest.mark.parametrize(
    ("error", "provider", "note"),
    [
        (CAPTCHA, "searxng", "部分引擎没有结果：DuckDuckGo 要求人机验证"),
        (CAPTCHA, "searxng+bocha", "部分引擎没有结果：DuckDuckGo 要求人机验证"),
        (BEHIND, "searxng", "部分引擎没有结果：bing (timeout)"),
    ],
    ids=["one answered", "two answered", "behind SearXNG"],
)
def test_failure_beside_others(
    monkeypatch: pytest.MonkeyPatch, error: SearchError, provider: str, note: str
) -> None:
    """Engines without results beside others with results are named with the reason."""
    monkeypatch.setenv("WEB_SEARCH_BACKEND", "searxng+bocha+ddg_html")
    monkeypatch.setenv("WEB_SEARCH_FALLBACK", "brave")

    assert problem_note(error, provider, Settings.load(), "zh-CN") == note
