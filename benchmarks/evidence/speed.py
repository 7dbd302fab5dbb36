"""Measure the CPU time of indexing sources and of comparing sentences with them."""

import time
from collections.abc import Callable
from typing import Final

from benchmarks.evidence.answers import answers
from benchmarks.result import Figure
from citations.evidence import IndexedText, check, index

_PAGE: Final = 60_000
_SNIPPET: Final = 220
_ROUNDS: Final = 5
# Texts of one repeated unit, each a value or its beginning.
_HOSTILE: Final = (
    *("12,345 km 2.5% ", "1", "1,", "1.", "1 ", "1-", "$1", "一", "一万", "1万2千"),
    *(
        "2024年1月1日",
        "2024-",
        "12:30 ",
        "one hundred ",
        "1小时2分",
        "1 to 2 ",
        "RTX 1 ",
        "(",
        "[",
    ),
)


def sentence() -> Figure:
    """Measure the time of a cited sentence over an indexed snippet, in ms."""
    work = [
        ("\n".join(f"- {line.words}[1]" for line in one.lines), _snippet(one.texts[1]))
        for one in answers("tuned")
    ]
    count = sum(len(check(answer, {1: text})) for answer, text in work)
    taken = _best(lambda: [check(answer, {1: text}) for answer, text in work])
    return Figure(taken / count, f"{taken:.0f} ms for {count} sentences")


def page() -> Figure:
    """Measure the time of reading a page and its values, 60,000 characters, in ms."""
    chinese, english = _page(_PAGE, chinese=True), _page(_PAGE, chinese=False)
    taken, other = _best(lambda: _read(chinese)), _best(lambda: _read(english))
    details = f"Chinese {taken:.0f} ms, English {other:.0f} ms; to quote it alone "
    alone = _best(lambda: index(chinese).body), _best(lambda: index(english).body)
    return Figure(max(taken, other), f"{details}{alone[0]:.0f} and {alone[1]:.0f} ms")


def growth() -> Figure:
    """Compare reading 60,000 characters with 30,000; hostile texts beside it."""
    ratio = _growth(_page(_PAGE // 2, chinese=True), _page(_PAGE, chinese=True))
    worst, unit = max((_hostile(unit), unit) for unit in _HOSTILE)
    slowest = max(_best(lambda u=unit: _read(_of(u, _PAGE))) for unit in _HOSTILE)  # type: ignore[misc]
    details = f"hostile at most {worst:.2f} ({unit!r}), {slowest:.0f} ms the slowest"
    return Figure(ratio, details)


def _read(text: str) -> object:
    one = index(text)
    return one.body, one.amounts, one.digits


def _snippet(text: IndexedText) -> IndexedText:
    return index(text.original[:_SNIPPET])


def _page(size: int, *, chinese: bool) -> str:
    texts = (one.original for one in answers("tuned"))
    whole = "\n".join(t for t in texts if ("。" in t) == chinese)
    return (whole * (size // len(whole) + 1))[:size]


def _of(unit: str, size: int) -> str:
    return unit * (size // len(unit))


def _hostile(unit: str) -> float:
    return _growth(_of(unit, _PAGE // 4), _of(unit, _PAGE // 2))


def _growth(half: str, whole: str) -> float:
    return _best(lambda: _read(whole)) / _best(lambda: _read(half))


def _best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(_ROUNDS):
        started = time.process_time()
        work()
        times.append(1000 * (time.process_time() - started))
    return min(times)
