"""Every word of the page, in Chinese and in English, and which of them to show."""

from ui.texts.language import (
    AUTO,
    BrowserLanguage,
    browser_tag,
    page_language,
    requested_tag,
)
from ui.texts.words import LANGUAGES, page_words, setup_words, text

__all__ = [
    "AUTO",
    "LANGUAGES",
    "BrowserLanguage",
    "browser_tag",
    "page_language",
    "page_words",
    "requested_tag",
    "setup_words",
    "text",
]
