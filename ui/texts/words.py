"""The words of the page: one TOML file for each language, read once at start."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

LANGUAGES: Final = ("zh-CN", "en-US")
_WORDS: Final[Mapping[str, Mapping[str, Any]]] = {
    language: tomllib.loads(
        Path(__file__).with_name(f"{language}.toml").read_text(encoding="utf-8")
    )
    for language in LANGUAGES
}


def text(name: str, language: str, **values: object) -> str:
    """The text *name* with *values*."""
    words: str = _WORDS[language][name]
    return words.format(**values) if values else words


def page_words(language: str) -> dict[str, str]:
    """The words of public/page.js."""
    words: dict[str, str] = _WORDS[language]["page"]
    return words


def setup_words(language: str) -> Mapping[str, str]:
    """The words of the set-up page."""
    words: Mapping[str, str] = _WORDS[language]["setup"]
    return words
