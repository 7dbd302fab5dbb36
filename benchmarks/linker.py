"""Measure how the time of linking an answer, and of cleaning, grows with length."""

import time
from collections.abc import Callable
from typing import Final

from benchmarks.result import Figure
from citations import Linker, PageLinker, Source, unmark
from untrusted.text import for_terminal

_SIZE: Final = 100_000
_CHUNK: Final = 4
_ROUNDS: Final = 7
_SOURCES: Final = {
    number: Source(number, f"Page {number}", f"https://page{number}.example/a?b=c")
    for number in range(1, 6)
}
_PARAGRAPHS: Final = (
    "今天的天气晴朗，气温在二十度左右[1]，适合外出。预报说明天有小雨【2】，",
    "请带上雨伞；详情见 https://weather.example/today 的说明[1, 3]。\n\n",
    "The bridge was finished in 1932 and carries eight lanes of traffic[2][4]. ",
    "Its *main span* is 503 m, see `span[1]` in the table below (2019)[5].\n\n",
    "- **第一**：时钟每天慢三秒[3]\n- second item with [a link](https://x.example/)\n\n",
    "```python\nvalues[1] = span[0]\n```\n\n> 引用的文字[4]，没有别的。\n\n",
)
# Markdown that makes a naive reader take quadratic time.
_HOSTILE: Final = (
    *("[", "]", "[1]", "`", "`a`` ", "<", '<a b="', "<!-- ", "[a](", "[a][b"),
    *("![", "$", "\\[x ", ">", "- ", "https://a", "[1]: x\n", "|`a|[1]|\n"),
    *("[citation:1]", "[[citation:1]]", "[^1^]", "【1†source】", "[cite: 1, 2]"),
    *("[ref_1]", "【4:1†source】", "[[citation:", "【1†", "[source 1, "),
    *("$x_1 ", "\\(x ", "\\({$a ", "$$ a", "\\[a\n", "\\(a\\)"),
)
# What cleans a text of strangers, and texts that could cost many times their length.
_CLEANED: Final = (
    *((unmark, unit) for unit in ("[1 ", "[1†", "【", "[web1", "[注1资料", "[1]")),
    *((for_terminal, unit) for unit in ("`", "`a``", "\\`", "`\\*")),
)
_SHORT: Final = 60


def growth() -> Figure:
    """Compare the time for 200 kB with that for 100 kB; hostile texts beside it."""
    half, whole = _text(_SIZE), _text(2 * _SIZE)
    small, large = _best(lambda: _stream(half), lambda: _stream(whole))
    worst, unit = max((_hostile_growth(unit), unit) for unit in _HOSTILE)
    details = f"{small:.0f} ms, {large:.0f} ms; hostile at most {worst:.1f} ({unit!r})"
    return Figure(large / small, details)


def cleaning() -> Figure:
    """Compare a letter of a hostile text of 12,000 letters with one of 60."""
    worst, unit = max((_cleaning(clean, unit), unit) for clean, unit in _CLEANED)
    return Figure(worst, f"at most with {unit!r}")


def _cleaning(clean: Callable[[str], str], unit: str) -> float:
    short = unit * (_SHORT // len(unit))
    small, large = _best(
        lambda: [clean(short) for _ in range(200)], lambda: clean(200 * short)
    )
    return large / small


def _hostile_growth(unit: str) -> float:
    """Return how much longer the double of a text of one *unit* takes."""
    half = unit * (20_000 // len(unit))
    small, large = _best(
        lambda: _stream(half, PageLinker), lambda: _stream(2 * half, PageLinker)
    )
    return large / small


def _stream(text: str, form: type[Linker] | type[PageLinker] = Linker) -> str:
    linker = form(_SOURCES)
    chunks = (text[at : at + _CHUNK] for at in range(0, len(text), _CHUNK))
    return "".join([linker.feed(chunk) for chunk in chunks]) + linker.close()


def _best(*works: Callable[[], object]) -> list[float]:
    """Return the least milliseconds of CPU of each, measured turn by turn."""
    best = [float("inf")] * len(works)
    for _ in range(_ROUNDS):
        for index, work in enumerate(works):
            started = time.process_time()
            work()
            taken = (time.process_time() - started) * 1000
            best[index] = min(best[index], taken)
    return best


def _text(size: int) -> str:
    paragraphs = "".join(_PARAGRAPHS)
    return (paragraphs * (size // len(paragraphs) + 1))[:size]
