"""Failed searches in the user's words."""

import pytest

from ui.trouble import failed_engines, trouble_of
from websearch.errors import (
    AuthError,
    BadGateway,
    EngineFailure,
    SearchError,
    Timeout,
)
from websearch.settings import Settings


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
    trouble = trouble_of(error, Settings.load(), "zh-CN")

    assert words in trouble.title
    notice = trouble.notice("所以没有。")
    assert trouble.cause + " 所以没有。" in notice
    assert "](/help/troubleshooting.zh-CN#" in notice
    assert "1. " in trouble.details


def test_strangers_words_are_no_markup() -> None:
    """What a server says of itself is shown, not obeyed."""
    engines = [EngineFailure("![x](http://evil.example/p.png)", "[a](b)")]
    error = BadGateway("x", detail_code="engines_failed", engines=engines)

    details = trouble_of(error, Settings.load(), "zh-CN").details
    for text in (details, failed_engines(error, "zh-CN")):
        assert "![x](" not in text
        assert "[a](b)" not in text
