"""Tell the language of a text."""

import re
from typing import Final

HAN: Final = re.compile("[\u3400-\u9fff]")


def language_of(text: str) -> str:
    """Return "zh" for a text with a Chinese character, else "en"."""
    return "zh" if HAN.search(text) else "en"


def supported(tag: str | None) -> str:
    """The language of our texts for a reader's *tag*: any English, else Chinese."""
    return "en-US" if (tag or "").lower().startswith("en") else "zh-CN"
