"""Code that a table would take apart."""

import re

# An even number of backslashes escapes no `|`.
_CELL_ENDS = re.compile(r"(\n[ \t>]*|(?:(?<!\\)|(?<=(?<!\\)\\\\))\|)")


def cells(source: str) -> str:
    """Code of its own for each part that could be in another cell or line."""
    fence = "`" * (len(source) - len(source.lstrip("`")))
    parts = _CELL_ENDS.split(source[len(fence) : -len(fence)])
    for number, part in enumerate(parts):
        if not number % 2 and part.strip():
            pad = " " if "`" in part[:1] + part[-1:] else ""
            parts[number] = fence + pad + part + pad + fence
    return "".join(parts)
