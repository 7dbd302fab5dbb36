"""Tell the language of a text."""

import re
from typing import Final

HAN: Final = re.compile("[\u3400-\u9fff]")


def language_of(text: str) -> str:
    """Return "zh" for a text with a Chinese character, else "en"."""
    return "zh" if HAN.search(text) else "en"
