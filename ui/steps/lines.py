"""Lines about searches and pages, in the steps of answers and of reports."""

from typing import Final

from ui.texts import text

QUERY_SHOWN: Final = 60
_TOO_SHORT_TO_COUNT: Final = 100  # milliseconds


def joined(*parts: str) -> str:
    """The parts that are not empty, as one line."""
    return " · ".join(filter(None, parts))


def seconds(took_ms: int) -> str:
    """A duration in seconds."""
    return f"{took_ms / 1000:.1f} s" if took_ms >= _TOO_SHORT_TO_COUNT else "<0.1 s"


def search_line(
    query: str,
    count: int,
    engine: str,
    took_ms: int,
    language: str,
    *,
    is_cached: bool,
) -> str:
    """Count the results of *engine* for *query*, with the time they took."""
    line = text(
        "found" if count else "found_nothing",
        language,
        query=query,
        count=count,
        provider=engine,
        seconds=seconds(took_ms),
    )
    return joined(line, text("from_cache", language) if is_cached else "")


def pages_line(read: int, unread: int, took_ms: int, language: str) -> str:
    """Count the pages that were read, and those that could not be."""
    name = "read"
    if unread:
        name = "read_some" if read else "read_none"
    line = text(name, language, count=read, unread=unread)
    return joined(line, seconds(took_ms))
