"""Tell the language of a text."""

import re
from typing import Final

HAN_RANGE: Final = "\u3400-\u9fff"  # Chinese characters, for use within brackets
HAN: Final = re.compile(f"[{HAN_RANGE}]")


def language_of(text: str) -> str:
    """Return "zh" for a text with a Chinese character, else "en"."""
    return "zh" if HAN.search(text) else "en"


def supported(tag: str | None) -> str:
    """The language of our texts for a reader's *tag*: Chinese where none is told."""
    is_other = re.match("(?!zh)[a-z]", (tag or "").lower())
    return "en-US" if is_other else "zh-CN"
