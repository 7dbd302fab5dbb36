"""The documents of docs/, taken apart."""

import re

from support.paths import ROOT


def text_of(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def blocks_of(name: str) -> list[str]:
    """The blocks of code, whatever their language."""
    return re.findall(r"^```\w*\n(.*?)^```$", text_of(name), re.DOTALL | re.MULTILINE)


def code_of(name: str) -> list[str]:
    """Everything in backquotes: the lines of blocks, and code in a line."""
    rest = re.sub(r"^```.*?^```$", "", text_of(name), flags=re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks_of(name) for line in block.splitlines()]
    return [*lines, *re.findall(r"`([^`]*)`", rest)]
