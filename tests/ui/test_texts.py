"""The words of the page are complete in both languages."""

import string

import pytest

from ui.texts import TEXTS, text


def placeholders(line: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(line) if name}


def test_same_keys() -> None:
    """Chinese and English have the same texts with the same placeholders."""
    chinese, english = TEXTS["zh-CN"], TEXTS["en-US"]

    assert chinese.keys() == english.keys()
    for name in chinese:
        assert placeholders(chinese[name]) == placeholders(english[name])


@pytest.mark.parametrize(
    ("language", "word"), [("zh-CN", "搜索"), ("zh-TW", "搜索"), ("en-US", "Search")]
)
def test_language(language: str, word: str) -> None:
    """Any language but English reads Chinese."""
    assert word in text("search_state", language)
